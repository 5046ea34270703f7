import { z } from 'zod'
import { type ApiContext, Done, done, procedureForRoles, publicProcedure } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findTenant } from '#lib/tenant/tenant.ts'
import {
  getReminderSchedule,
  listEmails,
  previewEmail,
  recallBatch,
  saveEmailSettings,
  sendTestEmails,
} from './email/reminder-schedule.ts'
import { readInvitation } from './invitation.ts'
import { requestNextEventEmail } from './next-event-request.ts'
import {
  approveRegistrations,
  cancelRegistrations,
  declineRegistrations,
  resendEmailOf,
  sendApology,
} from './registrants/decisions.ts'
import { addRegistration, importRegistrations } from './registrants/import.ts'
import { countRegistrations, listRegistrations } from './registrants/registrants.ts'
import { register, type Visitor } from './registration.ts'
import {
  AddRegistration,
  EventInput,
  ImportRegistrations,
  ListEmails,
  ListRegistrations,
  NextEventRequest,
  PreviewEmail,
  RecallEmails,
  Register,
  RegistrationInput,
  SaveEmailSettings,
  SelectedRegistrations,
  SendTestEmails,
} from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')

/** External callers name the tenant by its subdomain. */
const TenantRef = z.object({ school: z.string().regex(/^[a-z0-9-]{1,63}$/, 'format') })

/** Procedures of registrations. */
export const registration = {
  get: publicProcedure.input(EventInput.extend(TenantRef.shape)).handler(async ({ input, context }) => {
    const { tenantId, actor } = await resolveVisitor(context, input.school)
    return readInvitation(tenantId, actor, input)
  }),
  register: publicProcedure
    .input(Register.extend(TenantRef.shape))
    .handler(async ({ input, context }) => register(await resolveVisitor(context, input.school), input)),
  wish: publicProcedure
    .input(NextEventRequest.extend(TenantRef.shape))
    .output(Done)
    .handler(async ({ input, context }) =>
      requestNextEventEmail(await resolveVisitor(context, input.school), input).then(done),
    ),

  list: staff.input(ListRegistrations).handler(({ input, context }) => listRegistrations(context.actor, input)),
  count: staff.input(EventInput).handler(({ input, context }) => countRegistrations(context.actor, input)),
  approve: staff
    .input(SelectedRegistrations)
    .handler(({ input, context }) => approveRegistrations(context.actor, input)),
  decline: staff
    .input(SelectedRegistrations)
    .handler(({ input, context }) => declineRegistrations(context.actor, input)),
  cancel: staff.input(SelectedRegistrations).handler(({ input, context }) => cancelRegistrations(context.actor, input)),
  add: staff.input(AddRegistration).handler(({ input, context }) => addRegistration(context.actor, input)),
  import: staff.input(ImportRegistrations).handler(({ input, context }) => importRegistrations(context.actor, input)),
  resend: staff
    .input(RegistrationInput)
    .output(Done)
    .handler(({ input, context }) => resendEmailOf(context.actor, input).then(done)),

  getReminderSchedule: staff
    .input(EventInput)
    .handler(({ input, context }) => getReminderSchedule(context.actor, input)),
  getPreview: staff.input(PreviewEmail).handler(({ input, context }) => previewEmail(context.actor, input)),
  listEmails: staff.input(ListEmails).handler(({ input, context }) => listEmails(context.actor, input)),
  saveEmailSettings: staff
    .input(SaveEmailSettings)
    .output(Done)
    .handler(({ input, context }) => saveEmailSettings(context.actor, input).then(done)),
  sendTest: staff.input(SendTestEmails).handler(({ input, context }) => sendTestEmails(context.actor, input)),
  recall: staff.input(RecallEmails).handler(({ input, context }) => recallBatch(context.actor, input)),
  apologize: staff.input(EventInput).handler(({ input, context }) => sendApology(context.actor, input)),
}

async function resolveVisitor({ actor, locale, address }: ApiContext, subdomain: string): Promise<Visitor> {
  const school = await findTenant(subdomain)
  if (!school) throw new Refusal('not_found')
  return { tenantId: school.id, actor: actor?.tenantId === school.id ? actor : null, locale, address }
}
