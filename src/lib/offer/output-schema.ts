import { z } from 'zod'
import { OFFER_STATES, OfferFields } from './schema.ts'

const instant = z.date().nullable()

/** The settings of an offer. */
export const OfferSettingsOutput = OfferFields.extend({
  saleFrom: instant,
  saleTo: instant,
  salesFrom: instant,
  salesTo: instant,
  accessFrom: instant,
  accessUntil: instant,
})

export const OfferDetails = z.object({
  id: z.string(),
  courseId: z.string(),
  courseTitle: z.string(),
  isCoursePublished: z.boolean(),
  state: z.enum(OFFER_STATES),
  version: z.number(),
  updatedAt: z.date(),
  settings: OfferSettingsOutput,
})

export const ListOfferOutput = z.array(
  z.object({
    id: z.string(),
    state: z.enum(OFFER_STATES),
    settings: OfferSettingsOutput,
    soldCount: z.number(),
    reservedCount: z.number(),
    canBePaid: z.boolean(),
  }),
)

export const OfferOutput = z.object({ offerId: z.string() })
export const SaveOfferOutput = z.object({ version: z.number() })
export const StateOutput = z.object({ state: z.enum(OFFER_STATES) })
