import { z } from 'zod'
import { RoomEvent } from '#lib/workshop/session/event-output-schema.ts'
import { RoomState } from '#lib/workshop/session/output-schema.ts'
import { Disclosure, QuietHours, Schedule } from './schema.ts'
import { ScriptEntry } from './script-output-schema.ts'

export const GetAutowebinarOutput = z.object({
  workshopId: z.string(),
  title: z.string(),
  language: z.enum(['uk', 'en']),
  timeZone: z.string(),
  isPublished: z.boolean(),
  isCanceled: z.boolean(),
  slidesFileId: z.string().nullable(),
  videoFileId: z.string().nullable(),
  videoName: z.string().nullable(),
  isVideoPending: z.boolean(),
  videoProblem: z.enum(['pending', 'missing']).nullable(),
  videoMs: z.number(),
  videoOffsetMs: z.number(),
  lengthMs: z.number(),
  schedule: Schedule,
  quietHours: QuietHours.nullable(),
  capacity: z.number().nullable(),
  mutedTracks: z.array(z.enum(['chat', 'buttons', 'slides', 'layout', 'polls', 'handouts'])),
  mayRestart: z.boolean(),
  mayPause: z.boolean(),
  disclosure: Disclosure,
  watchedBefore: z.number().nullable(),
  version: z.number(),
  manages: z.boolean(),
})

export const SavePlanOutput = z.object({ version: z.number() })

export const ListLinesOutput = z.array(ScriptEntry)

export const SaveLineOutput = z.object({ version: z.number() })

export const EntriesOutcome = z.object({
  changed: z.array(z.object({ entryId: z.string(), version: z.number(), offsetMs: z.number() })),
  conflicts: z.array(z.string()),
})

export const ScriptImportOutcome = z.object({
  added: z.number(),
  errors: z.array(
    z.object({
      row: z.number(),
      error: z.enum(['type', 'role', 'mode', 'page', 'author', 'text', 'offset', 'unknown_item', 'data']),
      text: z.string(),
    }),
  ),
})

export const GetScriptFileOutput = z.object({ csv: z.string() })

export const MakeFromWebinarOutput = z.object({ workshopId: z.string(), entries: z.number() })

export const MakeFromVideoOutput = z.object({ workshopId: z.string() })

const AutoSessionRow = z.object({
  sessionId: z.string(),
  startAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  people: z.number(),
  questions: z.number(),
  unanswered: z.number(),
})

export const ListSessionsOutput = z.array(AutoSessionRow)

const QuestionRow = z.object({
  sessionId: z.string(),
  sessionStartAt: z.string(),
  messageId: z.string(),
  type: z.enum(['message', 'question']),
  name: z.string(),
  hasEmail: z.boolean(),
  text: z.string(),
  at: z.string(),
  offsetMs: z.number(),
  answer: z.object({ text: z.string(), by: z.string(), at: z.string() }).nullable(),
})

export const ListQuestionsOutput = z.array(QuestionRow)

export const AnswerLaterOutput = z.object({ mailed: z.boolean() })

export const PromoteAnswerOutput = z.object({ offsetMs: z.number() })

const AutoVideoSource = z.object({
  hls: z.string().nullable(),
  sources: z.array(z.object({ src: z.string(), type: z.string() })),
  poster: z.string().nullable(),
  captions: z.array(z.object({ lang: z.enum(['uk', 'en']), src: z.string() })),
  expiresIn: z.number(),
})

export const AutoView = z.object({
  video: AutoVideoSource.nullable(),
  videoProblem: z.enum(['pending', 'missing']).nullable(),
  videoOffsetMs: z.number(),
  lengthMs: z.number(),
  startAt: z.number(),
  serverNow: z.number(),
  positionMs: z.number(),
  pausedAtMs: z.number().nullable(),
  phase: z.enum(['before', 'over', 'playing']),
  state: RoomState,
  pastMessages: z.array(RoomEvent),
  nextEvents: z.array(RoomEvent),
  nextUntilMs: z.number(),
  disclosure: Disclosure,
  watchedBefore: z.number().nullable(),
  mayPause: z.boolean(),
  mayRestart: z.boolean(),
})
