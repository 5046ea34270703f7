import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import {
  EMAIL_KINDS,
  ITEM_KINDS,
  type ItemKind,
  PUBLICATIONS,
  WORKSHOP_ACCESS,
  WORKSHOP_ROLES,
  WORKSHOP_SOURCES,
  WORKSHOP_STATUS,
  WORKSHOP_TYPES,
} from '#lib/core/shared/event/live-event.ts'
import { int4 } from '#lib/core/shared/int4.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { RequiredPersonName } from '#lib/core/shared/text/person-name.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { AuthoredHandout, AuthoredPoll, ButtonContent, ChatSettings } from './session/event-schema.ts'

const id = z.uuid()

/** A question of the registration form besides name and email. */
/** Maximum number of questions of a registration form. */
export const MAX_FORM_QUESTIONS = 20

export const FormQuestion = z.object({
  id: z.string().regex(/^[\w-]{1,40}$/),
  label: textLine(160).min(1, 'required'),
  kind: z.enum(['line', 'text', 'phone', 'checkbox', 'radio', 'dropdown', 'multi', 'date']),
  options: z.array(textLine(120).min(1)).max(20).default([]),
  required: z.boolean().default(false),
})
export type FormQuestion = z.infer<typeof FormQuestion>

const Splash = z.object({ text: multilineText(500).default(''), fileId: id.nullable().default(null) })

/** Whether an email is sent, and the tenant's custom text, if any. */
export const EmailSetting = z.object({
  on: z.boolean().default(true),
  subject: z.object({ uk: textLine(200).default(''), en: textLine(200).default('') }).prefault({}),
  text: z.object({ uk: multilineText(3000).default(''), en: multilineText(3000).default('') }).prefault({}),
})
export type EmailSetting = z.infer<typeof EmailSetting>

const FormSettings = z.object({
  phone: z.enum(['off', 'optional', 'required']).default('off'),
  questions: z.array(FormQuestion).max(MAX_FORM_QUESTIONS).default([]),
  approval: z.enum(['auto', 'manual']).default('auto'),
  seats: z.number().int().min(1).max(100_000).nullable().default(null),
  waitlist: z.boolean().default(true),
  marketing: z.boolean().default(true),
})

/** Screens shown while nothing is live. */
export const SPLASHES = ['before', 'after', 'lost'] as const
const SplashSettings = z.object({
  before: Splash.prefault({}),
  after: Splash.prefault({}),
  lost: Splash.prefault({}),
})

const ReplaySettings = z.object({
  enabled: z.boolean().default(true),
  /** Null: without end. */
  days: z.number().int().min(1).max(3650).nullable().default(30),
  seek: z.boolean().default(true),
  chat: z.boolean().default(true),
})

const emails = z.partialRecord(z.enum(EMAIL_KINDS), EmailSetting)

export const CAPTION_MODES = ['off', 'typed', 'automatic'] as const

/** A speaker outside the team: displayed only, without access. */
const Guest = z.object({
  name: RequiredPersonName,
  about: textLine(300).default(''),
  fileId: id.nullable().default(null),
})
const guests = z.array(Guest).max(20)

/** Settings of an event that are not queried by column. */
export const WorkshopSettings = z.object({
  form: FormSettings.prefault({}),
  splash: SplashSettings.prefault({}),
  chat: ChatSettings.prefault({}),
  record: z.boolean().default(true),
  replay: ReplaySettings.prefault({}),
  emails: emails.default({}),
  captions: z.enum(CAPTION_MODES).default('off'),
  guests: guests.default([]),
})
export type WorkshopSettings = z.infer<typeof WorkshopSettings>

/** Parts of the settings; omitted ones stay as they are. */
export const SettingsChange = z.object({
  form: FormSettings.optional(),
  splash: SplashSettings.optional(),
  chat: ChatSettings.optional(),
  record: z.boolean().optional(),
  replay: ReplaySettings.optional(),
  emails: emails.optional(),
  captions: z.enum(CAPTION_MODES).optional(),
  guests: guests.optional(),
})

export const WorkshopId = z.object({ workshopId: id })

export const ListWorkshops = z.object({
  type: z.enum(['all', ...WORKSHOP_TYPES]).default('all'),
  publication: z.enum(['all', ...PUBLICATIONS]).default('all'),
  status: z.enum(['all', ...WORKSHOP_STATUS]).default('all'),
  search: textLine(100).default(''),
  /** Archived events instead of the others. */
  archived: z.stringbool().or(z.boolean()).default(false),
  cursor: Cursor,
})
export type ListWorkshops = z.output<typeof ListWorkshops>

const zone = z.string().max(64).refine(isTimeZone, 'unknown_time_zone')

/** Main fields of an event, as its form sends them. `startAt` is an instant. */
export const WorkshopFacts = z.object({
  title: textLine(200).min(1, 'required'),
  description: multilineText(20_000).default(''),
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
export type CreateWorkshop = z.output<typeof CreateWorkshop>

const StaffRow = z.object({ memberId: id, role: z.enum(WORKSHOP_ROLES) })

const version = int4.min(1)

/**
 * `notify`: whether registrants are informed of a new time; required when there are any. Without `version` any version
 * is overwritten; `base`: the fields as they were at that version.
 */
export const SaveWorkshop = WorkshopFacts.extend({
  workshopId: id,
  version: version.optional(),
  base: WorkshopFacts.optional(),
  notify: z.boolean().optional(),
})
export type SaveWorkshop = z.output<typeof SaveWorkshop>

/** `base`: the same parts as they were at that version. */
export const SaveSettings = z.object({
  workshopId: id,
  version: version.optional(),
  base: SettingsChange.optional(),
  settings: SettingsChange,
})
export type SaveSettings = z.output<typeof SaveSettings>

export const SetEventStaff = z.object({ workshopId: id, staff: z.array(StaffRow).max(100) })
export type SetEventStaff = z.infer<typeof SetEventStaff>

const AUTHORED_CONTENT = { button: ButtonContent, poll: AuthoredPoll, handout: AuthoredHandout } satisfies Record<
  ItemKind,
  z.ZodType
>
const content = z.record(z.string(), z.unknown())
const item = { kind: z.enum(ITEM_KINDS), content }

// The schema remains a plain object, so that the API description lists its ids; the schema of the kind validates the
// content and fills in defaults.
const checkContent = ({ value, issues }: z.core.ParsePayload<{ kind: ItemKind; content: unknown }>): void => {
  const { data, error } = AUTHORED_CONTENT[value.kind].safeParse(value.content)
  if (data) value.content = data
  for (const issue of error?.issues ?? []) {
    issues.push({ code: 'custom', input: value.content, message: issue.message, path: ['content', ...issue.path] })
  }
}
export const AddItem = z.object({ workshopId: id, ...item }).check(checkContent)
export type AddItem = z.infer<typeof AddItem>
export const ItemId = z.object({ itemId: id })
export const SaveItem = z.object({ itemId: id, ...item }).check(checkContent)
export type SaveItem = z.infer<typeof SaveItem>
export const MoveItem = ItemId.extend({ by: z.union([z.literal(-1), z.literal(1)]) })
export type MoveItem = z.infer<typeof MoveItem>

export const CancelWorkshop = WorkshopId.extend({ notify: z.boolean().default(true) })
export type CancelWorkshop = z.output<typeof CancelWorkshop>

export const SomeWorkshops = z.object({ workshopIds: z.array(id).min(1).max(100) })

export const RehearsalId = z.object({ rehearsalId: id })
