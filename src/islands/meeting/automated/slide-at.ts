import type { SlideTurn } from '#lib/meeting/recording/schema.ts'

/** Returns the slide at a position of the recording, in milliseconds. */
export function slideAt(turns: readonly SlideTurn[], ms: number): SlideTurn {
  return turns.findLast((turn) => turn.ms <= ms) ?? { ms: 0, fileId: null, page: 1 }
}
