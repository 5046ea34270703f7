import { z } from 'zod'
import {
  type ApiContext,
  NoOutput,
  noOutput,
  procedureForRoles,
  publicProcedure,
} from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findTenant } from '#lib/tenant/tenant.ts'
import { EmailPreview, ReminderSchedule } from './email/output-schema.ts'
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
  AddRegistrationOutput,
  ApologizeOutput,
  ImportRegistrationOutput,
  Invitation,
  ListEmailsOutput,
  RecallRegistrationOutput,
  RegistrationResult,
  SendTestRegistrationOutput,
} from './output-schema.ts'
import {
  approveRegistrations,
  cancelRegistrations,
  declineRegistrations,
  resendEmailOf,
  sendApology,
} from './registrants/decisions.ts'
import { addRegistration, importRegistrations } from './registrants/import.ts'
import { DecisionOutcome, RegistrationCounts, RegistrationListPage } from './registrants/output-schema.ts'
import { countRegistrations, listRegistrations } from './registrants/registrants.ts'
import { type RegistrationVisitor, registerForEvent } from './registration.ts'
import {
  AddRegistration,
  ImportRegistrations,
  ListEmails,
  ListRegistrations,
  NextEventRequest,
  PreviewEmail,
  RecallEmails,
  RegisteredEvent,
  RegisterForEvent,
  RegistrationRef,
  SaveEmailSettings,
  SelectedRegistrations,
  SendTestEmails,
} from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')

/** External callers name the tenant by its subdomain. */
const TenantRef = z.object({ school: z.string().regex(/^[a-z0-9-]{1,63}$/, 'format') })

/** Procedures of registrations. */
export const registration = {
  get: publicProcedure
    .route({ summary: 'Returns an event for its registration page' })
    .input(RegisteredEvent.extend(TenantRef.shape))
    .output(Invitation)
    .handler(async ({ input, context }) => {
      const { tenantId, actor } = await resolveVisitor(context, input.school)
      return readInvitation(tenantId, actor, input)
    }),
  register: publicProcedure
    .route({ summary: 'Registers a person for an event and emails the personal link' })
    .input(RegisterForEvent.extend(TenantRef.shape))
    .output(RegistrationResult)
    .handler(async ({ input, context }) => registerForEvent(await resolveVisitor(context, input.school), input)),
  requestNextEvent: publicProcedure
    .route({ summary: "Saves a request for one email about the tenant's next event" })
    .input(NextEventRequest.extend(TenantRef.shape))
    .output(NoOutput)
    .handler(async ({ input, context }) =>
      requestNextEventEmail(await resolveVisitor(context, input.school), input).then(noOutput),
    ),

  list: staff
    .route({ summary: 'Returns registrations of an event, newest first' })
    .input(ListRegistrations)
    .output(RegistrationListPage)
    .handler(({ input, context }) => listRegistrations(context.actor, input)),
  count: staff
    .route({ summary: 'Returns number of registrations per state' })
    .input(RegisteredEvent)
    .output(RegistrationCounts)
    .handler(({ input, context }) => countRegistrations(context.actor, input)),
  approve: staff
    .route({ summary: 'Approves registrations that are pending, waitlisted or declined' })
    .input(SelectedRegistrations)
    .output(DecisionOutcome)
    .handler(({ input, context }) => approveRegistrations(context.actor, input)),
  decline: staff
    .route({ summary: 'Declines waiting registrations' })
    .input(SelectedRegistrations)
    .output(DecisionOutcome)
    .handler(({ input, context }) => declineRegistrations(context.actor, input)),
  cancel: staff
    .route({ summary: 'Cancels registrations' })
    .input(SelectedRegistrations)
    .output(DecisionOutcome)
    .handler(({ input, context }) => cancelRegistrations(context.actor, input)),
  add: staff
    .route({ summary: 'Registers a person by staff' })
    .input(AddRegistration)
    .output(AddRegistrationOutput)
    .handler(({ input, context }) => addRegistration(context.actor, input)),
  import: staff
    .route({ summary: 'Registers people from rows of a spreadsheet or an exported file' })
    .input(ImportRegistrations)
    .output(ImportRegistrationOutput)
    .handler(({ input, context }) => importRegistrations(context.actor, input)),
  resend: staff
    .route({ summary: "Sends the email of a registration's state again" })
    .input(RegistrationRef)
    .output(NoOutput)
    .handler(({ input, context }) => resendEmailOf(context.actor, input).then(noOutput)),

  getReminderSchedule: staff
    .route({ summary: 'Returns reminder schedule of an event' })
    .input(RegisteredEvent)
    .output(ReminderSchedule)
    .handler(({ input, context }) => getReminderSchedule(context.actor, input)),
  getPreview: staff
    .route({ summary: 'Returns preview of an email in a language' })
    .input(PreviewEmail)
    .output(EmailPreview)
    .handler(({ input, context }) => previewEmail(context.actor, input)),
  listEmails: staff
    .route({ summary: 'Returns emails to the registrants of an event, newest first' })
    .input(ListEmails)
    .output(ListEmailsOutput)
    .handler(({ input, context }) => listEmails(context.actor, input)),
  saveEmailSettings: staff
    .route({ summary: "Saves which reminders are sent, and the tenant's own texts" })
    .input(SaveEmailSettings)
    .output(NoOutput)
    .handler(({ input, context }) => saveEmailSettings(context.actor, input).then(noOutput)),
  sendTest: staff
    .route({ summary: 'Sends the reminders, or one of them, to the actor as a test' })
    .input(SendTestEmails)
    .output(SendTestRegistrationOutput)
    .handler(({ input, context }) => sendTestEmails(context.actor, input)),
  recall: staff
    .route({ summary: 'Recalls the unsent emails of a bulk action' })
    .input(RecallEmails)
    .output(RecallRegistrationOutput)
    .handler(({ input, context }) => recallBatch(context.actor, input)),
  apologize: staff
    .route({ summary: 'Sends an apology for an event that did not take place, once' })
    .input(RegisteredEvent)
    .output(ApologizeOutput)
    .handler(({ input, context }) => sendApology(context.actor, input)),
}

async function resolveVisitor({ actor, locale, address }: ApiContext, subdomain: string): Promise<RegistrationVisitor> {
  const school = await findTenant(subdomain)
  if (!school) throw new Refusal('not_found')
  return { tenantId: school.id, actor: actor?.tenantId === school.id ? actor : null, locale, address }
}
