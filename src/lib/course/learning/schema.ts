import { z } from 'zod'
import { isStorable } from '#lib/core/shared/text/text.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'

const id = z.uuid()
/** Seconds, at most a day. */
const second = z.number().min(0).max(DAY_SECONDS)
const range = z.tuple([second, second]).refine(([from, to]) => from < to, 'range')

/** Limits of one report: ranges per media file, and media files. */
export const WATCH_LIMITS = { ranges: 1000, videos: 40 } as const

/** Watched ranges of a lesson, by media file. Ranges may be reported again: only new ones count. */
export const SaveWatched = z.object({
  lessonId: id,
  watched: z
    .record(id, z.array(range).max(WATCH_LIMITS.ranges))
    .refine((ranges) => Object.keys(ranges).length <= WATCH_LIMITS.videos, 'too_many'),
  /** Durations that the browser measured, in seconds; used until the server has measured them. */
  durations: z.record(id, second).default({}),
})
export type SaveWatched = z.output<typeof SaveWatched>

export const NOTE_LIMIT = 20_000

/** A student's note of a lesson; `version` 0 creates it. */
export const SaveNote = z.object({
  lessonId: id,
  version: z.int32().min(0),
  text: z.string().max(NOTE_LIMIT).refine(isStorable, 'format'),
})
export type SaveNote = z.output<typeof SaveNote>
