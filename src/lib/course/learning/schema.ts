import { z } from 'zod'
import { isStorable } from '#lib/core/shared/text/text.ts'

const id = z.uuid()
/** A day of film: nothing that a school keeps is longer. */
const second = z.number().min(0).max(86_400)
const range = z.tuple([second, second]).refine(([from, to]) => from < to, 'range')

/** Ranges that one film of a lesson can have, and films that a report can tell of. */
export const WATCH_LIMITS = { ranges: 1000, films: 40 } as const

/** What was watched in a lesson, by film. Everything known may be told again: only what is new counts. */
export const SaveWatched = z.object({
  lessonId: id,
  watched: z
    .record(id, z.array(range).max(WATCH_LIMITS.ranges))
    .refine((films) => Object.keys(films).length <= WATCH_LIMITS.films, 'too_many'),
  /** How long the browser found each film, in seconds: used only while the school has not measured it. */
  durations: z.record(id, second).default({}),
})
export type SaveWatched = z.input<typeof SaveWatched>

export const NOTE_LIMIT = 20_000

/** A student's own note beside a lesson; `version` 0 begins it. */
export const SaveNote = z.object({
  lessonId: id,
  version: z.int32().min(0),
  text: z.string().max(NOTE_LIMIT).refine(isStorable, 'format'),
})
export type SaveNote = z.input<typeof SaveNote>
