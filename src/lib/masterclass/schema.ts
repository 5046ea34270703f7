import { z } from 'zod'
import { int4 } from '#lib/core/shared/int4.ts'
import { PersonName } from '#lib/core/shared/text/person-name.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'

const id = z.uuid()
const at = z.iso.datetime()

/** Access: for everybody, by email address, by a code, or for students of the tenant. */
export const GATES = ['open', 'email', 'code', 'students'] as const
export const UNLOCKS = ['open', 'date', 'afterDays'] as const
export const TIMERS = ['none', 'until', 'evergreen'] as const
export const MAX_MASTERCLASS_PARTS = 12
export const MAX_PAIRS = 40
export const MAX_CHAPTERS = 100

/** A named second of a video. */
export const MasterclassChapter = z.object({
  at: z.number().int().min(0).max(DAY_SECONDS),
  title: textLine(160).min(1),
})
export type MasterclassChapter = z.infer<typeof MasterclassChapter>

/** One video. `afterDays` counts from a visitor's first visit. */
export const MasterclassPart = z.object({
  id: z.string().regex(/^[\w-]{1,40}$/),
  title: textLine(160).min(1, 'required'),
  text: multilineText(2000).default(''),
  fileId: id.nullable().default(null),
  unlock: z.enum(UNLOCKS).default('open'),
  unlockAt: at.nullable().default(null),
  unlockDays: z.number().int().min(0).max(365).default(0),
  chapters: z.array(MasterclassChapter).max(MAX_CHAPTERS).default([]),
})
export type MasterclassPart = z.infer<typeof MasterclassPart>

/** A prepared button that appears at a second of a part and remains visible. */
const CallToAction = z.object({
  buttonId: id,
  partId: z.string().max(40),
  at: z.number().int().min(0).max(DAY_SECONDS),
})

const pair = z.object({ title: textLine(200).min(1), text: multilineText(1500).default('') })

/** Content of a masterclass's page that is not part of the event. */
export const MasterclassContent = z.object({
  lead: multilineText(500).default(''),
  audience: z.array(textLine(200).min(1)).max(20).default([]),
  results: z.array(textLine(200).min(1)).max(20).default([]),
  program: z.array(pair).max(MAX_PAIRS).default([]),
  faq: z.array(pair).max(MAX_PAIRS).default([]),
  reviews: z.array(pair).max(MAX_PAIRS).default([]),
  parts: z.array(MasterclassPart).max(MAX_MASTERCLASS_PARTS).default([]),
  calls: z.array(CallToAction).max(40).default([]),
  gate: z.enum(GATES).default('email'),
  /** With the gate `code`. */
  code: textLine(60).default(''),
  timer: z.enum(TIMERS).default('none'),
  timerUntil: at.nullable().default(null),
  timerMinutes: z.number().int().min(1).max(43_200).default(60),
  /** Days that a visitor may watch after the first visit; null without an end. */
  watchDays: z.number().int().min(1).max(365).nullable().default(null),
  openFrom: at.nullable().default(null),
  openTo: at.nullable().default(null),
  seoTitle: textLine(160).default(''),
  seoDescription: multilineText(300).default(''),
})
export type MasterclassContent = z.infer<typeof MasterclassContent>

export const MasterclassId = z.object({ workshopId: id })

export const SaveMasterclass = z.object({
  workshopId: id,
  version: int4.min(0),
  content: MasterclassContent,
})
export type SaveMasterclass = z.output<typeof SaveMasterclass>

/** Input of a visitor at the gate. */
export const EnterMasterclass = z.object({
  workshopId: id,
  name: PersonName.default(''),
  email: textLine(254).default(''),
  code: textLine(60).default(''),
  timeZone: textLine(64).default(''),
})
export type EnterMasterclass = z.output<typeof EnterMasterclass>

const Visit = z.object({ workshopId: id, key: z.string().min(8).max(400) })

/** Watching progress in a part: position, and the ranges of seconds watched since the last report. */
export const RecordWatching = Visit.extend({
  partId: z.string().max(40),
  second: z.number().int().min(0).max(DAY_SECONDS),
  watched: z
    .array(z.tuple([z.number().int().min(0).max(DAY_SECONDS), z.number().int().min(0).max(DAY_SECONDS)]))
    .max(50)
    .default([]),
})
export type RecordWatching = z.output<typeof RecordWatching>

export const RecordButton = Visit.extend({ buttonId: id })
export type RecordButton = z.output<typeof RecordButton>
export const EndVisit = Visit
export type EndVisit = z.output<typeof EndVisit>
