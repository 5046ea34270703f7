import { z } from 'zod'
import {
  PUBLICATIONS,
  WORKSHOP_ACCESS,
  WORKSHOP_ROLES,
  WORKSHOP_SOURCES,
  WORKSHOP_STATUS,
  WORKSHOP_TYPES,
} from '#lib/core/shared/live-event.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { line, text } from '#lib/core/shared/text.ts'
import { isZone } from '#lib/core/shared/zone.ts'
import { ChatSettings } from './event-schema.ts'

export * from '#lib/core/shared/live-event.ts'
export * from './event-schema.ts'

const id = z.uuid()

/** A question of the registration form beside name and address. */
export const FormQuestion = z.object({
  id: z.string().regex(/^[\w-]{1,40}$/),
  label: line(160).min(1, 'required'),
  kind: z.enum(['line', 'text', 'phone', 'checkbox', 'radio', 'dropdown', 'multi', 'date']),
  options: z.array(line(120).min(1)).max(20).default([]),
  required: z.boolean().default(false),
})
export type FormQuestion = z.infer<typeof FormQuestion>

const Splash = z.object({ text: text(500).default(''), fileId: id.nullable().default(null) })

/** The letters of the ladder, in the order in which they come. */
export const LETTER_KINDS = [
  'confirmed',
  'day',
  'hour',
  'tenMinutes',
  'startMissed',
  'attended',
  'leftEarly',
  'missed',
] as const
export type LetterKind = (typeof LETTER_KINDS)[number]

/** What of the ladder is sent, and the school's own words where it has some. */
export const LetterSetting = z.object({
  on: z.boolean().default(true),
  subject: z.object({ uk: line(200).default(''), en: line(200).default('') }).prefault({}),
  text: z.object({ uk: text(3000).default(''), en: text(3000).default('') }).prefault({}),
})
export type LetterSetting = z.infer<typeof LetterSetting>

/** Everything of an event that no query asks for by itself. */
export const WorkshopSettings = z.object({
  form: z
    .object({
      phone: z.enum(['off', 'optional', 'required']).default('off'),
      questions: z.array(FormQuestion).max(20).default([]),
      approval: z.enum(['auto', 'manual']).default('auto'),
      seats: z.number().int().min(1).max(100_000).nullable().default(null),
      waitlist: z.boolean().default(true),
      marketing: z.boolean().default(true),
    })
    .prefault({}),
  splash: z.object({ before: Splash.prefault({}), after: Splash.prefault({}), lost: Splash.prefault({}) }).prefault({}),
  chat: ChatSettings.prefault({}),
  record: z.boolean().default(true),
  replay: z
    .object({
      enabled: z.boolean().default(true),
      /** Null: as long as the film is kept. */
      days: z.number().int().min(1).max(3650).nullable().default(30),
      seek: z.boolean().default(true),
      chat: z.boolean().default(true),
    })
    .prefault({}),
  /** The address of a video elsewhere, where the source is youtube. */
  sourceUrl: z.string().max(2000).default(''),
  letters: z.partialRecord(z.enum(LETTER_KINDS), LetterSetting).default({}),
  captions: z.enum(['off', 'typed', 'automatic']).default('off'),
  /** People outside the team who speak: shown, not let in. */
  guests: z
    .array(z.object({ name: line(120).min(1), about: line(300).default(''), fileId: id.nullable().default(null) }))
    .max(20)
    .default([]),
})
export type WorkshopSettings = z.infer<typeof WorkshopSettings>

export const WorkshopId = z.object({ workshopId: id })
export const SessionId = z.object({ sessionId: id })

export const ListWorkshops = z.object({
  type: z.enum(['all', ...WORKSHOP_TYPES]).default('all'),
  publication: z.enum(['all', ...PUBLICATIONS]).default('all'),
  status: z.enum(['all', ...WORKSHOP_STATUS]).default('all'),
  search: line(100).default(''),
  after: z.string().max(200).optional(),
})
export type ListWorkshops = z.input<typeof ListWorkshops>

const zone = z.string().max(64).refine(isZone, 'unknown_time_zone')

/** The main facts of an event, as its form sends them. `startAt` is an instant. */
export const WorkshopFacts = z.object({
  title: line(200).min(1, 'required'),
  description: text(20_000).default(''),
  coverFileId: id.nullable().default(null),
  language: z.enum(LOCALES).default('uk'),
  startAt: z.iso.datetime().nullable().default(null),
  timeZone: zone,
  plannedMinutes: z.coerce.number().int().min(5).max(1440).default(60),
  access: z.enum(WORKSHOP_ACCESS).default('registration'),
  source: z.enum(WORKSHOP_SOURCES).default('builtin'),
  slidesFileId: id.nullable().default(null),
})
export type WorkshopFacts = z.input<typeof WorkshopFacts>

export const CreateWorkshop = WorkshopFacts.extend({ type: z.enum(WORKSHOP_TYPES) })
export type CreateWorkshop = z.input<typeof CreateWorkshop>

export const StaffRow = z.object({ memberId: id, role: z.enum(WORKSHOP_ROLES) })
export type StaffRow = z.infer<typeof StaffRow>
