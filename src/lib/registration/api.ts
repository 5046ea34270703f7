import { z } from 'zod'
import { type Context, Done, done, forRoles, open } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findTenant } from '#lib/tenant/tenant.ts'
import {
  getLadder,
  listLetters,
  previewLetter,
  recallLetters,
  saveLetters,
  sendTestLetters,
} from './email/reminder-schedule.ts'
import { readInvitation } from './invitation.ts'
import {
  apologize,
  approveRegistrations,
  cancelRegistrations,
  declineRegistrations,
  resendLetter,
} from './people/decide.ts'
import { addRegistration, importRegistrations } from './people/import.ts'
import { countRegistrations, listRegistrations } from './people/people.ts'
import { register, type Visitor } from './registration.ts'
import {
  AddRegistration,
  Chosen,
  ImportRegistrations,
  ListLetters,
  ListRegistrations,
  OneRegistration,
  PreviewLetter,
  RecallLetters,
  Register,
  SaveLetters,
  SendTest,
  Wish,
  WorkshopOf,
} from './schema.ts'
import { wishNext } from './wish.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')

/** Whoever calls from outside says which school is meant, by its subdomain. */
const At = z.object({ school: z.string().regex(/^[a-z0-9-]{1,63}$/, 'format') })

/** The registration room at the API's door. */
export const registration = {
  get: open.input(WorkshopOf.extend(At.shape)).handler(async ({ input, context }) => {
    const { tenantId, actor } = await visitorOf(context, input.school)
    return readInvitation(tenantId, actor, input)
  }),
  register: open
    .input(Register.extend(At.shape))
    .handler(async ({ input, context }) => register(await visitorOf(context, input.school), input)),
  wish: open
    .input(Wish.extend(At.shape))
    .output(Done)
    .handler(async ({ input, context }) => wishNext(await visitorOf(context, input.school), input).then(done)),

  list: staff.input(ListRegistrations).handler(({ input, context }) => listRegistrations(context.actor, input)),
  count: staff.input(WorkshopOf).handler(({ input, context }) => countRegistrations(context.actor, input)),
  approve: staff.input(Chosen).handler(({ input, context }) => approveRegistrations(context.actor, input)),
  decline: staff.input(Chosen).handler(({ input, context }) => declineRegistrations(context.actor, input)),
  cancel: staff.input(Chosen).handler(({ input, context }) => cancelRegistrations(context.actor, input)),
  add: staff.input(AddRegistration).handler(({ input, context }) => addRegistration(context.actor, input)),
  import: staff.input(ImportRegistrations).handler(({ input, context }) => importRegistrations(context.actor, input)),
  resend: staff
    .input(OneRegistration)
    .output(Done)
    .handler(({ input, context }) => resendLetter(context.actor, input).then(done)),

  getLadder: staff.input(WorkshopOf).handler(({ input, context }) => getLadder(context.actor, input)),
  getPreview: staff.input(PreviewLetter).handler(({ input, context }) => previewLetter(context.actor, input)),
  listLetters: staff.input(ListLetters).handler(({ input, context }) => listLetters(context.actor, input)),
  saveLetters: staff
    .input(SaveLetters)
    .output(Done)
    .handler(({ input, context }) => saveLetters(context.actor, input).then(done)),
  sendTest: staff.input(SendTest).handler(({ input, context }) => sendTestLetters(context.actor, input)),
  recall: staff.input(RecallLetters).handler(({ input, context }) => recallLetters(context.actor, input)),
  apologize: staff.input(WorkshopOf).handler(({ input, context }) => apologize(context.actor, input)),
}

async function visitorOf({ actor, locale, address }: Context, subdomain: string): Promise<Visitor> {
  const school = await findTenant(subdomain)
  if (!school) throw new Refusal('not_found')
  return { tenantId: school.id, actor: actor?.tenantId === school.id ? actor : null, locale, address }
}
