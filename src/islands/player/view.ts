import type { Say } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { clock } from './time.ts'

export const isPlayable = (view: PlaybackView): boolean => view.hls !== null || view.sources.length > 0

/** Something that browsers can play will be there. */
export const isBeingMade = ({ hls, making }: PlaybackView): boolean =>
  hls === null && making !== null && making.state !== 'finished' && making.state !== 'failed'

/** The video's own shape, so that nothing jumps when it comes. */
export function shapeOf({ kind, width, height }: PlaybackView) {
  return kind === 'video' ? { aspectRatio: width && height ? `${width} / ${height}` : '16 / 9' } : undefined
}

/** What the button says: where it will go on, or what it does. */
export function wordsOf(say: Say, { kind }: Pick<PlaybackView, 'kind'>, from: number): string {
  if (from > 0) return say('player:resume', { at: clock(from) })
  return say(kind === 'audio' ? 'player:listen' : 'player:watch')
}
