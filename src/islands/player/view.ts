import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { formatClock } from './format-clock.ts'

export const isPlayable = (view: PlaybackView): boolean => view.hls !== null || view.sources.length > 0

/** Something that browsers can play will be there. */
export const isTranscoding = ({ hls, processing: making }: PlaybackView): boolean =>
  hls === null && making !== null && making.state !== 'finished' && making.state !== 'failed'

/** The video's own shape, so that nothing jumps when it comes. */
export function aspectRatioOf({ kind, width, height }: PlaybackView) {
  return kind === 'video' ? { aspectRatio: width && height ? `${width} / ${height}` : '16 / 9' } : undefined
}

/** What the button says: where it will go on, or what it does. */
export function startLabel(t: Translate, { kind }: Pick<PlaybackView, 'kind'>, startSeconds: number): string {
  if (startSeconds > 0) return t('player:resume', { at: formatClock(startSeconds) })
  return t(kind === 'audio' ? 'player:listen' : 'player:watch')
}
