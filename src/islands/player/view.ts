import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'

export const isPlayable = (view: PlaybackView): boolean => view.hls !== null || view.sources.length > 0

/** A playable version is being encoded. */
export const isTranscoding = ({ hls, processing: making }: PlaybackView): boolean =>
  hls === null && making !== null && making.state !== 'finished' && making.state !== 'failed'

/** The aspect ratio of the video, so that the layout does not shift when it is loaded. */
export function aspectRatioOf({ kind, width, height }: PlaybackView) {
  return kind === 'video' ? { aspectRatio: width && height ? `${width} / ${height}` : '16 / 9' } : undefined
}

/** The label of the start button: the resume position, or the action. */
export function startLabel(t: Translate, { kind }: Pick<PlaybackView, 'kind'>, startSeconds: number): string {
  if (startSeconds > 0) return t('player:resume', { at: formatClock(startSeconds) })
  return t(kind === 'audio' ? 'player:listen' : 'player:watch')
}
