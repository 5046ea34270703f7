import { z } from 'zod'
import { type ScriptEntryType, TRACKS, type Track } from '#lib/core/shared/event/auto-event.ts'
import { int4 } from '#lib/core/shared/int4.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { EVENT_PAYLOADS, type RoomEvent } from '#lib/workshop/session/event-schema.ts'

const id = z.uuid()
const day = z.iso.date()
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'format')
const zone = z.string().max(64).refine(isTimeZone, 'unknown_time_zone')

/** Maximum length of a session: a day, in milliseconds. */
export const MAX_OFFSET_MS = DAY_MS
/** Maximum number of script entries. */
export const MAX_ENTRIES = 20_000
/** Maximum size of an imported script in bytes. */
export const MAX_SCRIPT_BYTES = 8_000_000

/** Intervals in minutes at which just-in-time sessions start. */
export const JUST_IN_TIME_MINUTES = [15, 30, 60] as const

/**
 * Schedule of sessions. Days and times are local in `zone`, or in the viewer's own zone when it is `viewer`. Weekdays
 * are 1 (Monday) to 7.
 */
export const Schedule = z.object({
  zone: z.union([z.literal('viewer'), zone]),
  dates: z.array(z.object({ day, time })).max(300).default([]),
  weekly: z
    .object({
      days: z.array(z.number().int().min(1).max(7)).min(1).max(7),
      times: z.array(time).min(1).max(24),
      from: day.nullable().default(null),
      until: day.nullable().default(null),
    })
    .nullable()
    .default(null),
  /** Days without weekly, just-in-time and on-demand sessions. */
  skip: z.array(day).max(300).default([]),
  /** Single weekly sessions that do not take place, e.g. because they were moved to a date. */
  skipTimes: z.array(z.object({ day, time })).max(300).optional(),
  justInTime: z
    .union([z.literal(15), z.literal(30), z.literal(60)])
    .nullable()
    .default(null),
  onDemand: z.boolean().default(false),
})
export type Schedule = z.output<typeof Schedule>

/** Hours without sessions, in the schedule's zone; `from` may be later than `to`, across midnight. */
export const QuietHours = z.object({ from: time, to: time })
export type QuietHours = z.output<typeof QuietHours>

/** The information that the room discloses. `answerHours`: how soon questions are answered by email. */
export const Disclosure = z.object({
  label: z.boolean().default(true),
  counters: z.boolean().default(false),
  answerHours: z.number().int().min(1).max(240).default(24),
})
export type Disclosure = z.output<typeof Disclosure>

export const WorkshopRef = z.object({ workshopId: id })

const PlanChange = z
  .object({
    videoFileId: id.nullable(),
    videoOffsetMs: z.number().int().min(0).max(MAX_OFFSET_MS),
    schedule: Schedule,
    quietHours: QuietHours.nullable(),
    capacity: z.number().int().min(1).max(100_000).nullable(),
    mutedTracks: z.array(z.enum(TRACKS)).max(TRACKS.length),
    mayRestart: z.boolean(),
    mayPause: z.boolean(),
    disclosure: Disclosure,
  })
  .partial()

/** `base`: the same fields as they were at that version. */
export const SavePlan = PlanChange.extend({
  workshopId: id,
  version: int4.min(1),
  base: PlanChange.optional(),
})
export type SavePlan = z.output<typeof SavePlan>

export const TRACK_OF: Record<ScriptEntryType, Track> = {
  message: 'chat',
  question: 'chat',
  'question.now': 'chat',
  answer: 'chat',
  messagePinned: 'chat',
  'button.show': 'buttons',
  'button.hide': 'buttons',
  'slide.change': 'slides',
  'presentation.change': 'layout',
  'poll.open': 'polls',
  'poll.close': 'polls',
  'handout.show': 'handouts',
  'handout.hide': 'handouts',
}

const offsetMs = z.number().int().min(0).max(MAX_OFFSET_MS)

const content = <T extends ScriptEntryType>(type: T) =>
  z.object({ type: z.literal(type), payload: EVENT_PAYLOADS[type] })

/** Content of an entry: a room event without its time. */
export const EntryContent = z.discriminatedUnion('type', [
  content('message'),
  content('question'),
  content('question.now'),
  content('answer'),
  content('messagePinned'),
  content('button.show'),
  content('button.hide'),
  content('slide.change'),
  content('presentation.change'),
  content('poll.open'),
  content('poll.close'),
  content('handout.show'),
  content('handout.hide'),
])
export type EntryContent = {
  [T in ScriptEntryType]: { type: T; payload: Extract<RoomEvent, { type: T }>['payload'] }
}[ScriptEntryType]

export type ScriptEntry = EntryContent & {
  id: string
  offsetMs: number
  position: number
  version: number
  track: Track
}

/** A whole entry. `version` 0 creates it; the client chooses its id, so that saving twice creates one. */
export const SaveEntry = z.object({
  workshopId: id,
  entryId: id,
  version: int4.min(0),
  offsetMs,
  position: z.number().int().min(0).max(1_000_000).default(0),
  content: EntryContent,
})
export type SaveEntry = z.output<typeof SaveEntry>

const versions = z
  .array(z.object({ entryId: id, version: int4.min(1) }))
  .min(1)
  .max(MAX_ENTRIES)
export const EntryVersions = WorkshopRef.extend({ entries: versions })
export type EntryVersions = z.output<typeof EntryVersions>
export const ShiftEntries = EntryVersions.extend({ byMs: z.number().int().min(-MAX_OFFSET_MS).max(MAX_OFFSET_MS) })
export type ShiftEntries = z.output<typeof ShiftEntries>

const title = textLine(200).min(1, 'required')

export const MakeFromWebinar = z
  .object({
    workshopId: id.optional(),
    sessionId: id.optional(),
    title: title.optional(),
    /** Keeps the original votes; by default a poll of the script is counted separately in each session. */
    keepTally: z.boolean().default(false),
  })
  .refine(({ workshopId, sessionId }) => workshopId || sessionId, { path: ['workshopId'], error: 'required' })
export type MakeFromWebinar = z.output<typeof MakeFromWebinar>

export const MakeFromVideo = z.object({
  title,
  fileId: id.nullable().default(null),
  timeZone: zone,
  language: z.enum(LOCALES).default('uk'),
  plannedMinutes: z.coerce.number().int().min(5).max(1440).default(60),
})
export type MakeFromVideo = z.output<typeof MakeFromVideo>

/** `importId` makes the import idempotent: chosen per file. `dryRun` only reports errors. */
export const ImportScript = WorkshopRef.extend({
  importId: id,
  csv: z.string().max(MAX_SCRIPT_BYTES),
  replace: z.boolean().default(false),
  dryRun: z.boolean().default(false),
})
export type ImportScript = z.output<typeof ImportScript>

export const ListAutoSessions = WorkshopRef.extend({ when: z.enum(['running', 'coming', 'past']).default('running') })
export type ListAutoSessions = z.output<typeof ListAutoSessions>
export const ListViewerQuestions = WorkshopRef.extend({ open: z.stringbool().or(z.boolean()).default(true) })
export type ListViewerQuestions = z.output<typeof ListViewerQuestions>
export const QuestionRef = z.object({ sessionId: id, messageId: id })
export const AnswerLater = QuestionRef.extend({ text: multilineText(4000).min(1, 'required') })
export type AnswerLater = z.output<typeof AnswerLater>
