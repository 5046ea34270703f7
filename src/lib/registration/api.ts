import { z } from 'zod'
import { type Context, Done, done, forRoles, open } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findTenant } from '#lib/tenant/tenant.ts'
import * as door from './registration.ts'
import * as ask from './schema.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')

/** Whoever calls from outside says which school is meant, by its subdomain. */
const At = z.object({ school: z.string().regex(/^[a-z0-9-]{1,63}$/, 'format') })

/** The registration room at the API's door. */
export const registration = {
  get: open.input(ask.WorkshopOf.extend(At.shape)).handler(async ({ input, context }) => {
    const { tenantId, actor } = await visitorOf(context, input.school)
    return door.readInvitation(tenantId, actor, input)
  }),
  register: open
    .input(ask.Register.extend(At.shape))
    .handler(async ({ input, context }) => door.register(await visitorOf(context, input.school), input)),
  wish: open
    .input(ask.Wish.extend(At.shape))
    .output(Done)
    .handler(async ({ input, context }) => door.wishNext(await visitorOf(context, input.school), input).then(done)),

  list: staff
    .input(ask.ListRegistrations)
    .handler(({ input, context }) => door.listRegistrations(context.actor, input)),
  count: staff.input(ask.WorkshopOf).handler(({ input, context }) => door.countRegistrations(context.actor, input)),
  approve: staff.input(ask.Chosen).handler(({ input, context }) => door.approveRegistrations(context.actor, input)),
  decline: staff.input(ask.Chosen).handler(({ input, context }) => door.declineRegistrations(context.actor, input)),
  cancel: staff.input(ask.Chosen).handler(({ input, context }) => door.cancelRegistrations(context.actor, input)),
  add: staff.input(ask.AddRegistration).handler(({ input, context }) => door.addRegistration(context.actor, input)),
  import: staff
    .input(ask.ImportRegistrations)
    .handler(({ input, context }) => door.importRegistrations(context.actor, input)),
  resend: staff
    .input(ask.OneRegistration)
    .output(Done)
    .handler(({ input, context }) => door.resendLetter(context.actor, input).then(done)),

  getLadder: staff.input(ask.WorkshopOf).handler(({ input, context }) => door.getLadder(context.actor, input)),
  getPreview: staff.input(ask.PreviewLetter).handler(({ input, context }) => door.previewLetter(context.actor, input)),
  listLetters: staff.input(ask.ListLetters).handler(({ input, context }) => door.listLetters(context.actor, input)),
  saveLetters: staff
    .input(ask.SaveLetters)
    .output(Done)
    .handler(({ input, context }) => door.saveLetters(context.actor, input).then(done)),
  sendTest: staff.input(ask.SendTest).handler(({ input, context }) => door.sendTestLetters(context.actor, input)),
  recall: staff.input(ask.RecallLetters).handler(({ input, context }) => door.recallLetters(context.actor, input)),
  apologize: staff.input(ask.WorkshopOf).handler(({ input, context }) => door.apologize(context.actor, input)),
}

async function visitorOf({ actor, locale, address }: Context, subdomain: string): Promise<door.Visitor> {
  const school = await findTenant(subdomain)
  if (!school) throw new Refusal('not_found')
  return { tenantId: school.id, actor: actor?.tenantId === school.id ? actor : null, locale, address }
}
