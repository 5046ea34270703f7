import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { Media } from '../use-media.ts'
import type { PlayerActions } from './actions.ts'

interface Props {
  state: Media
  actions: PlayerActions
  view: PlaybackView
  t: Translate
  /** Seconds. */
  duration: number
}

const SEEK_DEBOUNCE_MS = 120

/** The seek bar: a range input for keyboards and screen readers, with a thumbnail of the position under the pointer. */
export function SeekBar({ state, actions, view, t, duration }: Props) {
  const [pendingSeconds, setPendingSeconds] = useState<number | null>(null)
  const [hoverSeconds, setHoverSeconds] = useState<number | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const shownSeconds = pendingSeconds ?? state.mediaCurrentTime ?? 0
  const toPercent = (seconds: number) => `${duration > 0 ? Math.min(100, (seconds / duration) * 100) : 0}%`
  const buffered =
    (state.mediaBuffered ?? []).find(([from, to]) => from <= shownSeconds + 1 && to >= shownSeconds)?.[1] ?? 0
  const scheduleSeek = (seconds: number) => {
    setPendingSeconds(seconds)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      actions.seek(seconds)
      setPendingSeconds(null)
    }, SEEK_DEBOUNCE_MS)
  }
  const onHover = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setHoverSeconds(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * duration)
  }
  return (
    <div
      className="player-scrub"
      onPointerMove={onHover}
      onPointerDown={onHover}
      onPointerLeave={() => setHoverSeconds(null)}
      onPointerCancel={() => setHoverSeconds(null)}
      onPointerUp={(event) => event.pointerType === 'touch' && setHoverSeconds(null)}
    >
      <span className="player-track" aria-hidden="true">
        <span className="player-buffered" style={{ width: toPercent(buffered) }} />
        <span className="player-played" style={{ width: toPercent(shownSeconds) }} />
        {view.chapters.map(({ at: chapterSeconds }) =>
          chapterSeconds > 0 && chapterSeconds < duration ? (
            <span
              key={chapterSeconds}
              className="player-mark"
              style={{ insetInlineStart: toPercent(chapterSeconds) }}
            />
          ) : null,
        )}
      </span>
      <input
        type="range"
        min={0}
        max={Math.max(duration, 0.1)}
        step={0.1}
        value={Math.min(shownSeconds, duration)}
        aria-label={t('player:seek')}
        aria-valuetext={t('player:at', { at: formatClock(shownSeconds), of: formatClock(duration) })}
        onChange={(event) => scheduleSeek(event.currentTarget.valueAsNumber)}
      />
      {hoverSeconds !== null && duration > 0 && (
        <SeekPreview view={view} seconds={hoverSeconds} left={toPercent(hoverSeconds)} />
      )}
    </div>
  )
}

function SeekPreview({ view, seconds, left }: { view: PlaybackView; seconds: number; left: string }) {
  const { storyboard, chapters } = view
  const chapter = chapters.findLast((item) => item.at <= seconds)
  return (
    <span className="player-preview" style={{ insetInlineStart: left }} aria-hidden="true">
      {storyboard && <Tile storyboard={storyboard} seconds={seconds} />}
      {chapter && <span className="player-preview-chapter">{chapter.title}</span>}
      <span className="tabular">{formatClock(seconds)}</span>
    </span>
  )
}

function Tile({ storyboard, seconds }: { storyboard: NonNullable<PlaybackView['storyboard']>; seconds: number }) {
  const { src, interval, columns, rows, count, tileWidth, tileHeight } = storyboard
  const index = Math.min(count - 1, Math.max(0, Math.floor(seconds / interval)))
  const [x, y] = [(index % columns) * tileWidth, Math.floor(index / columns) * tileHeight]
  const style = {
    width: tileWidth,
    height: tileHeight,
    backgroundImage: `url("${src}")`,
    backgroundSize: `${columns * tileWidth}px ${rows * tileHeight}px`,
    backgroundPosition: `-${x}px -${y}px`,
  }
  return <span className="player-tile" style={style} />
}
