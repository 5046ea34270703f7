import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { clock } from '../time.ts'
import type { Media } from '../use-media.ts'
import type { Acts } from './acts.ts'

interface Props {
  state: Media
  acts: Acts
  view: PlaybackView
  say: Say
  /** Seconds. */
  duration: number
}

const SETTLES_MS = 120

/** The scrub bar: a range that keyboards and screen readers know, with a picture of where it would lead. */
export function Scrub({ state, acts, view, say, duration }: Props) {
  const [at, setAt] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const now = at ?? state.mediaCurrentTime ?? 0
  const share = (seconds: number) => `${duration > 0 ? Math.min(100, (seconds / duration) * 100) : 0}%`
  const buffered = (state.mediaBuffered ?? []).find(([from, to]) => from <= now + 1 && to >= now)?.[1] ?? 0
  const move = (seconds: number) => {
    setAt(seconds)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      acts.seek(seconds)
      setAt(null)
    }, SETTLES_MS)
  }
  const hover = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setOver(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * duration)
  }
  return (
    <div
      className="player-scrub"
      onPointerMove={hover}
      onPointerDown={hover}
      onPointerLeave={() => setOver(null)}
      onPointerCancel={() => setOver(null)}
      onPointerUp={(event) => event.pointerType === 'touch' && setOver(null)}
    >
      <span className="player-track" aria-hidden="true">
        <span className="player-buffered" style={{ width: share(buffered) }} />
        <span className="player-played" style={{ width: share(now) }} />
        {view.chapters.map(({ at: mark }) =>
          mark > 0 && mark < duration ? (
            <span key={mark} className="player-mark" style={{ insetInlineStart: share(mark) }} />
          ) : null,
        )}
      </span>
      <input
        type="range"
        min={0}
        max={Math.max(duration, 0.1)}
        step={0.1}
        value={Math.min(now, duration)}
        aria-label={say('player:seek')}
        aria-valuetext={say('player:at', { at: clock(now), of: clock(duration) })}
        onChange={(event) => move(event.currentTarget.valueAsNumber)}
      />
      {over !== null && duration > 0 && <Preview view={view} at={over} left={share(over)} />}
    </div>
  )
}

function Preview({ view, at, left }: { view: PlaybackView; at: number; left: string }) {
  const { storyboard, chapters } = view
  const chapter = chapters.findLast((one) => one.at <= at)
  return (
    <span className="player-preview" style={{ insetInlineStart: left }} aria-hidden="true">
      {storyboard && <Tile storyboard={storyboard} at={at} />}
      {chapter && <span className="player-preview-chapter">{chapter.title}</span>}
      <span className="tabular">{clock(at)}</span>
    </span>
  )
}

function Tile({ storyboard, at }: { storyboard: NonNullable<PlaybackView['storyboard']>; at: number }) {
  const { src, interval, columns, rows, count, tileWidth, tileHeight } = storyboard
  const index = Math.min(count - 1, Math.max(0, Math.floor(at / interval)))
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
