import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { EMAIL_KINDS, REGISTRATION_STATES } from '#lib/core/shared/event/live-event.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { isDateValue, parseDateInput } from '#lib/core/shared/text/date-input.ts'
import { Email } from '#lib/core/shared/text/email.ts'
import { PersonName, RequiredPersonName } from '#lib/core/shared/text/person-name.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { EmailSetting, type FormQuestion } from '#lib/workshop/schema.ts'

const id = z.uuid()
const key = z.string().regex(/^[\w-]{24}$/, 'format')

/** A browser may send no time zone or an invalid one; then that of the event is used. */
export const OptionalTimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone)
  // Browsers still use the former name of Kyiv.
  .transform((name) => (name === 'Europe/Kiev' ? 'Europe/Kyiv' : name))
  .optional()
  .catch(undefined)

/** The source of a registration: utm_* of the address, and the referrer. */
export const RegistrationSource = z
  .record(z.string().regex(/^(utm_[a-z]{1,20}|referrer)$/), textLine(200))
  .optional()
  .catch(undefined)

const FormAnswers = z
  .record(
    z.string().regex(/^[\w-]{1,40}$/),
    z.union([multilineText(2000), z.array(textLine(120)).max(20)], { error: 'format' }),
  )
  .default({})
export type FormAnswers = z.output<typeof FormAnswers>

const Phone = textLine(40).refine((value) => value === '' || /^\+?[\d\s().-]{5,}$/.test(value), 'format')

/** The input of the public form. */
export const RegisterForEvent = z.object({
  workshopId: id,
  email: Email,
  name: RequiredPersonName,
  phone: Phone.default(''),
  answers: FormAnswers,
  timeZone: OptionalTimeZone,
  source: RegistrationSource,
  marketing: z.boolean().default(false),
  /** Session of an auto-webinar: its start, or `now` for an on-demand one. */
  sessionStart: z.union([z.iso.datetime(), z.literal('now')], { error: 'session_choose' }).optional(),
})
export type RegisterForEvent = z.output<typeof RegisterForEvent>

export const RegisterMyself = RegisterForEvent.pick({
  workshopId: true,
  answers: true,
  timeZone: true,
  sessionStart: true,
  source: true,
})
export type RegisterMyself = z.output<typeof RegisterMyself>

export const RegisteredEvent = z.object({ workshopId: id })

/** Parts of the personal link. */
export const OwnRegistrationInput = z.object({ workshopId: id, key })
export type OwnRegistrationInput = z.input<typeof OwnRegistrationInput>

export const EditOwnRegistration = OwnRegistrationInput.extend({
  name: RequiredPersonName,
  phone: Phone.default(''),
  answers: FormAnswers,
  timeZone: OptionalTimeZone,
})
export type EditOwnRegistration = z.output<typeof EditOwnRegistration>

export const SetReminders = OwnRegistrationInput.extend({ on: z.boolean() })

export const NextEventRequest = z.object({ workshopId: id, email: Email, timeZone: OptionalTimeZone })
export type NextEventRequest = z.output<typeof NextEventRequest>

export const LIST_STATES = ['all', ...REGISTRATION_STATES, 'came', 'missed'] as const

export const ListRegistrations = z.object({
  workshopId: id,
  state: z.enum(LIST_STATES).default('all'),
  search: textLine(100).default(''),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type ListRegistrations = z.output<typeof ListRegistrations>

/** Registrations selected for a staff action. */
export const SelectedRegistrations = z.object({ workshopId: id, registrationIds: z.array(id).min(1).max(500) })
export type SelectedRegistrations = z.output<typeof SelectedRegistrations>

export const RegistrationRef = z.object({ workshopId: id, registrationId: id })
export type RegistrationRef = z.output<typeof RegistrationRef>

export const AddRegistration = z.object({
  workshopId: id,
  email: Email,
  name: PersonName.default(''),
  phone: Phone.default(''),
  locale: z.enum(LOCALES).optional(),
  sessionId: id.nullable().default(null),
})
export type AddRegistration = z.output<typeof AddRegistration>

export const MAX_IMPORTED = 2000

/** Rows of a spreadsheet: email, name, phone; a heading is recognized. */
export const ImportRegistrations = z.object({
  workshopId: id,
  text: z.string().trim().min(1, 'required').max(500_000),
  sessionId: id.nullable().default(null),
})
export type ImportRegistrations = z.output<typeof ImportRegistrations>

export const EmailSettings = z.partialRecord(z.enum(EMAIL_KINDS), EmailSetting)
export type EmailSettings = z.output<typeof EmailSettings>

export const SaveEmailSettings = z.object({ workshopId: id, emails: EmailSettings })
export type SaveEmailSettings = z.output<typeof SaveEmailSettings>

export const PreviewEmail = z.object({ workshopId: id, kind: z.enum(EMAIL_KINDS), locale: z.enum(LOCALES) })
export type PreviewEmail = z.output<typeof PreviewEmail>

export const SendTestEmails = z.object({ workshopId: id, kind: z.enum(EMAIL_KINDS).optional() })
export type SendTestEmails = z.output<typeof SendTestEmails>

export const ListEmails = z.object({ workshopId: id, cursor: Cursor })
export type ListEmails = z.output<typeof ListEmails>

export const RecallEmails = z.object({ workshopId: id, batchId: id })
export type RecallEmails = z.output<typeof RecallEmails>

/** Seconds during which emails of a bulk action can be recalled. */
export const REGISTRATION_RECALL_SECONDS = 60

/**
 * Validates answers to the event's questions and drops others; `fields` has the errors, by `answers.<id>`, as keys of
 * `errors`.
 */
export function readRegistrationAnswers(
  questions: readonly FormQuestion[],
  given: FormAnswers,
): { answers: FormAnswers; fields: Record<string, string[]> } {
  const answers: FormAnswers = {}
  const fields: Record<string, string[]> = {}
  const today = new Date().toISOString().slice(0, 10)
  for (const question of questions) {
    const value = given[question.id]
    const typed = Array.isArray(value) ? value : value ? [value] : []
    // Without JavaScript a date is posted as typed.
    const values = question.kind === 'date' ? typed.map((text) => parseDateInput('date', text, today) ?? text) : typed
    if (values.length === 0) {
      if (question.required) fields[`answers.${question.id}`] = ['required']
      continue
    }
    if (isValidAnswer(question, values)) answers[question.id] = question.kind === 'multi' ? values : (values[0] ?? '')
    else fields[`answers.${question.id}`] = [question.kind === 'date' ? 'date_format' : 'format']
  }
  return { answers, fields }
}

function isValidAnswer({ kind, options }: FormQuestion, values: string[]): boolean {
  if (kind !== 'multi' && values.length > 1) return false
  if (kind === 'radio' || kind === 'dropdown' || kind === 'multi')
    return values.every((value) => options.includes(value))
  const [value = ''] = values
  if (kind === 'date') return isDateValue('date', value)
  if (kind === 'phone') return Phone.safeParse(value).success
  if (kind === 'checkbox') return value === 'yes'
  return kind === 'text' || !value.includes('\n')
}
