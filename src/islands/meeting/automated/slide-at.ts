import type { SlideTurn } from '#lib/meeting/recording/schema.ts'

/** What is shown at a millisecond of the film. */
export function slideAt(turns: readonly SlideTurn[], ms: number): SlideTurn {
  return turns.findLast((turn) => turn.ms <= ms) ?? { ms: 0, fileId: null, page: 1 }
}
