import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { listOffers } from './list.ts'
import { changeOfferState, copyOffer, createOffer, getOffer, saveOffer } from './offer.ts'
import { ListOfferOutput, OfferDetails, OfferOutput, SaveOfferOutput, StateOutput } from './output-schema.ts'
import { CopyOffer, CreateOffer, ListOffers, OfferId, SaveOffer } from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of offers. */
export const offer = {
  list: staff
    .route({ summary: 'Returns the offers of a course, oldest first' })
    .input(ListOffers)
    .output(ListOfferOutput)
    .handler(({ input, context }) => listOffers(context.actor, input)),
  get: staff
    .route({ summary: 'Returns one offer with its settings' })
    .input(OfferId)
    .output(OfferDetails)
    .handler(({ input, context }) => getOffer(context.actor, input)),
  create: staff
    .route({ summary: 'Creates a draft offer of a course' })
    .input(CreateOffer)
    .output(OfferOutput)
    .handler(({ input, context }) => createOffer(context.actor, input)),
  save: staff
    .route({ summary: 'Saves the settings of an offer based on `version`' })
    .input(SaveOffer)
    .output(SaveOfferOutput)
    .handler(({ input, context }) => saveOffer(context.actor, input)),
  copy: staff
    .route({ summary: 'Copies an offer as a draft' })
    .input(CopyOffer)
    .output(OfferOutput)
    .handler(({ input, context }) => copyOffer(context.actor, input)),
  publish: staff
    .route({ summary: 'Puts an offer on sale' })
    .input(OfferId)
    .output(StateOutput)
    .handler(({ input, context }) => changeOfferState(context.actor, { ...input, action: 'activate' })),
  unpublish: staff
    .route({ summary: 'Takes an offer off sale' })
    .input(OfferId)
    .output(StateOutput)
    .handler(({ input, context }) => changeOfferState(context.actor, { ...input, action: 'deactivate' })),
  archive: staff
    .route({ summary: 'Archives an offer; orders stay' })
    .input(OfferId)
    .output(StateOutput)
    .handler(({ input, context }) => changeOfferState(context.actor, { ...input, action: 'archive' })),
  restore: staff
    .route({ summary: 'Restores an archived offer as a draft' })
    .input(OfferId)
    .output(StateOutput)
    .handler(({ input, context }) => changeOfferState(context.actor, { ...input, action: 'restore' })),
}
