import { createHash } from 'node:crypto'
import { formatUuid } from '#lib/core/shared/uuid.ts'

/*
 * Ids of the videos of a session, derived from their content, so that a repeated job stores one file, and related
 * videos are found without a column.
 */

/** The video without slides has the session's id. */
export const videoIdOf = (sessionId: string): string => sessionId

/** The video with slides that belongs to a video. */
export const slidesVideoIdOf = (videoId: string): string => uuidOf(`recording with slides ${videoId}`)

/** The video that replays show until the recording is composed. */
export const preliminaryVideoIdOf = (sessionId: string): string => uuidOf(`preliminary replay ${sessionId}`)

/** A part of a video, in seconds. */
export const partVideoIdOf = (videoId: string, { from, to }: { from: number; to: number }): string =>
  uuidOf(`part ${videoId} ${from} ${to}`)

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  // Stored recordings have ids with the variant digit `a`, unlike those of `derivedId`.
  return formatUuid(`${hex.slice(0, 12)}8${hex.slice(13, 16)}a${hex.slice(17, 32)}`)
}
