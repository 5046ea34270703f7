import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { REGISTRATION_STATES } from '#lib/core/shared/event/live-event.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { Email } from '#lib/core/shared/text/email.ts'
import { GivenName, PersonName } from '#lib/core/shared/text/person-name.ts'
import { line, text } from '#lib/core/shared/text/text.ts'
import { isZone } from '#lib/core/shared/zone.ts'
import { type FormQuestion, LETTER_KINDS, LetterSetting } from '#lib/workshop/schema.ts'

const id = z.uuid()
const key = z.string().regex(/^[\w-]{24}$/, 'format')

/** A browser may say nothing or something odd of its zone; then the event's own is taken. */
export const zone = z
  .string()
  .max(64)
  .refine(isZone)
  // Browsers still give Kyiv its former name.
  .transform((name) => (name === 'Europe/Kiev' ? 'Europe/Kyiv' : name))
  .optional()
  .catch(undefined)

/** Where somebody came from: utm_* of the address, and the page that led here. */
export const Source = z
  .record(z.string().regex(/^(utm_[a-z]{1,20}|referrer)$/), line(200))
  .optional()
  .catch(undefined)

const Answers = z
  .record(z.string().regex(/^[\w-]{1,40}$/), z.union([text(2000), z.array(line(120)).max(20)], { error: 'format' }))
  .default({})
export type Answers = z.output<typeof Answers>

const Phone = line(40).refine((value) => value === '' || /^\+?[\d\s().-]{5,}$/.test(value), 'format')

/** What the public form sends. */
export const Register = z.object({
  workshopId: id,
  email: Email,
  name: GivenName,
  phone: Phone.default(''),
  answers: Answers,
  timeZone: zone,
  source: Source,
  marketing: z.boolean().default(false),
  /** The showing of an auto-webinar: an instant, or `now` for one's own. */
  showing: z.union([z.iso.datetime(), z.literal('now')], { error: 'showing_choose' }).optional(),
})
export type Register = z.input<typeof Register>

export const RegisterMyself = Register.pick({
  workshopId: true,
  answers: true,
  timeZone: true,
  showing: true,
  source: true,
})
export type RegisterMyself = z.input<typeof RegisterMyself>

export const WorkshopOf = z.object({ workshopId: id })

/** The personal link's parts. */
export const Own = z.object({ workshopId: id, key })
export type Own = z.input<typeof Own>

export const EditOwn = Own.extend({
  name: GivenName,
  phone: Phone.default(''),
  answers: Answers,
  timeZone: zone,
})
export type EditOwn = z.input<typeof EditOwn>

export const SetReminders = Own.extend({ on: z.boolean() })

export const Wish = z.object({ workshopId: id, email: Email, timeZone: zone })
export type Wish = z.input<typeof Wish>

export const LIST_STATES = ['all', ...REGISTRATION_STATES, 'came', 'missed'] as const

export const ListRegistrations = z.object({
  workshopId: id,
  state: z.enum(LIST_STATES).default('all'),
  search: line(100).default(''),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type ListRegistrations = z.input<typeof ListRegistrations>

/** Rows that staff act on. */
export const Chosen = z.object({ workshopId: id, registrationIds: z.array(id).min(1).max(500) })
export type Chosen = z.input<typeof Chosen>

export const OneRegistration = z.object({ workshopId: id, registrationId: id })
export type OneRegistration = z.input<typeof OneRegistration>

export const AddRegistration = z.object({
  workshopId: id,
  email: Email,
  name: PersonName.default(''),
  phone: Phone.default(''),
  locale: z.enum(LOCALES).optional(),
  sessionId: id.nullable().default(null),
})
export type AddRegistration = z.input<typeof AddRegistration>

export const MOST_IMPORTED = 2000

/** Lines as they come out of a spreadsheet: e-mail, name, phone; a heading is understood. */
export const ImportRegistrations = z.object({
  workshopId: id,
  text: z.string().trim().min(1, 'required').max(500_000),
  sessionId: id.nullable().default(null),
})
export type ImportRegistrations = z.input<typeof ImportRegistrations>

export const Resend = OneRegistration

export const Letters = z.partialRecord(z.enum(LETTER_KINDS), LetterSetting)
export type Letters = z.output<typeof Letters>

export const SaveLetters = z.object({ workshopId: id, letters: Letters })
export type SaveLetters = z.input<typeof SaveLetters>

export const PreviewLetter = z.object({ workshopId: id, kind: z.enum(LETTER_KINDS), locale: z.enum(LOCALES) })
export type PreviewLetter = z.input<typeof PreviewLetter>

export const SendTest = z.object({ workshopId: id, kind: z.enum(LETTER_KINDS).optional() })
export type SendTest = z.input<typeof SendTest>

export const ListLetters = z.object({ workshopId: id, cursor: Cursor })
export type ListLetters = z.input<typeof ListLetters>

export const RecallLetters = z.object({ workshopId: id, batchId: id })
export type RecallLetters = z.input<typeof RecallLetters>

/** Seconds during which letters of a bulk act can be taken back. */
export const RECALL_SECONDS = 60

/**
 * Answers to the questions that an event asks, and nothing else; `fields` names what is missing or of the wrong kind,
 * by `answers.<id>`, in keys of `errors`.
 */
export function readAnswers(
  questions: readonly FormQuestion[],
  given: Answers,
): { answers: Answers; fields: Record<string, string[]> } {
  const answers: Answers = {}
  const fields: Record<string, string[]> = {}
  for (const question of questions) {
    const value = given[question.id]
    const several = Array.isArray(value) ? value : value ? [value] : []
    if (several.length === 0) {
      if (question.required) fields[`answers.${question.id}`] = ['required']
      continue
    }
    if (fits(question, several)) answers[question.id] = question.kind === 'multi' ? several : (several[0] ?? '')
    else fields[`answers.${question.id}`] = ['format']
  }
  return { answers, fields }
}

function fits({ kind, options }: FormQuestion, values: string[]): boolean {
  if (kind !== 'multi' && values.length > 1) return false
  if (kind === 'radio' || kind === 'dropdown' || kind === 'multi') return values.every((one) => options.includes(one))
  const [value = ''] = values
  if (kind === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
  if (kind === 'phone') return Phone.safeParse(value).success
  if (kind === 'checkbox') return value === 'yes'
  return kind === 'text' || !value.includes('\n')
}
