import { useStore } from '@nanostores/react'
import { Plus, Volume2, VolumeX, ZoomIn, ZoomOut } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { ADDABLE_TYPES, TYPE_KEYS } from '#lib/autowebinar/line-rules.ts'
import type { ScriptEntry } from '#lib/autowebinar/schema.ts'
import { type LineType, TRACKS, type Track } from '#lib/core/shared/event/auto-event.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { clockOf, rulerStep, sayAbout, snapTo, within } from './script.ts'
import { $at, choose, removeLines, shift } from './script-store.ts'

interface Props {
  lines: readonly ScriptEntry[]
  chosen: ReadonlySet<string>
  lengthMs: number
  muted: readonly Track[]
  mayChange: boolean
  t: Translate
  onMute: (track: Track, off: boolean) => void
  onAdd: (type: LineType) => void
  onJump: (ms: number) => void
  onShow: (line: ScriptEntry) => void
}

/** Pixels of a second. */
const ZOOMS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40]
/** Marks nearer than this to the one before could not be hit: they are only drawn, and come by zooming or in the list. */
const REACH_PX = 24
/** Nearer than this they are not even drawn: five thousand of them would be a bar. */
const DRAWN_PX = 4
const SNAP_PX = 8

/** The script under the film: six tracks over one ruler. Only what is in sight is drawn. */
export function Timeline(props: Props) {
  const { lines, lengthMs, muted, mayChange, t, onMute, onAdd, onJump } = props
  const frame = useRef<HTMLDivElement>(null)
  // Null: the whole showing, however wide the window is.
  const [zoom, setZoom] = useState<number | null>(null)
  const [view, setView] = useState({ left: 0, width: 1200 })
  const whole = Math.max(0.001, (view.width - 40) / Math.max(1, lengthMs / 1000))
  const pps = zoom ?? whole
  const nearer = ZOOMS.find((one) => one > pps * 1.2)
  const farther = ZOOMS.findLast((one) => one < pps && one > whole) ?? null
  const width = Math.max(view.width, (lengthMs / 1000) * pps + 40)
  const look = useCallback(() => {
    const { current } = frame
    if (current) setView({ left: current.scrollLeft, width: current.clientWidth })
  }, [])
  useEffect(() => {
    const watch = new ResizeObserver(look)
    if (frame.current) watch.observe(frame.current)
    return () => watch.disconnect()
  }, [look])
  // What stood in the middle stays there; the film's place, when all was in sight.
  const zoomTo = (next: number | null) => {
    const middle = zoom === null ? $at.get() / 1000 : (view.left + view.width / 2) / pps
    setZoom(next)
    requestAnimationFrame(() => frame.current?.scrollTo({ left: middle * (next ?? whole) - view.width / 2 }))
  }
  const msAt = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect()
    return box ? Math.max(0, ((clientX - box.left + (frame.current?.scrollLeft ?? 0)) / pps) * 1000) : 0
  }
  const fromMs = ((view.left - 100) / pps) * 1000
  const shown = within(lines, fromMs, ((view.left + view.width + 100) / pps) * 1000)
  return (
    <section className="timeline" aria-label={t('autowebinar:script.timeline')}>
      <div className="timeline-heads">
        <p className="timeline-zoom">
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            disabled={zoom === null}
            onClick={() => zoomTo(farther)}
          >
            <ZoomOut size={16} aria-hidden="true" />
            <span className="sr-only">{t('autowebinar:script.zoomOut')}</span>
          </button>
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            disabled={nearer === undefined}
            onClick={() => nearer !== undefined && zoomTo(nearer)}
          >
            <ZoomIn size={16} aria-hidden="true" />
            <span className="sr-only">{t('autowebinar:script.zoomIn')}</span>
          </button>
        </p>
        {TRACKS.map((track) => (
          <TrackHead
            key={track}
            track={track}
            mayChange={mayChange}
            t={t}
            onMute={onMute}
            onAdd={onAdd}
            off={muted.includes(track)}
          />
        ))}
      </div>
      <div ref={frame} className="timeline-frame" onScroll={look}>
        <div className="timeline-inner" style={{ width }}>
          <Ruler pps={pps} fromMs={fromMs} view={view} onPick={(clientX) => onJump(Math.round(msAt(clientX)))} />
          {TRACKS.map((track) => {
            const marks = apart(
              shown.filter((line) => line.track === track),
              DRAWN_PX / pps,
            )
            const reached = new Set(apart(marks, REACH_PX / pps))
            return (
              <div
                key={track}
                className="timeline-track"
                data-track={track}
                data-muted={muted.includes(track) || undefined}
              >
                {marks.map((line) =>
                  reached.has(line) ? (
                    <Mark key={line.id} {...props} line={line} pps={pps} marks={shown} />
                  ) : (
                    <DrawnMark key={line.id} line={line} pps={pps} />
                  ),
                )}
              </div>
            )
          })}
          <Playhead pps={pps} />
        </div>
      </div>
    </section>
  )
}

/** Lines of which none is nearer than so many seconds to the one before. */
function apart(lines: readonly ScriptEntry[], seconds: number): ScriptEntry[] {
  let last = Number.NEGATIVE_INFINITY
  return lines.filter(({ offsetMs }) => {
    if (offsetMs - last < seconds * 1000) return false
    last = offsetMs
    return true
  })
}

interface HeadProps extends Pick<Props, 'mayChange' | 't' | 'onMute' | 'onAdd'> {
  track: Track
  off: boolean
}

function TrackHead({ track, off, mayChange, t, onMute, onAdd }: HeadProps) {
  const Icon = off ? VolumeX : Volume2
  return (
    <div className="timeline-head">
      <button
        type="button"
        className="btn btn-ghost btn-xs"
        aria-pressed={off}
        disabled={!mayChange}
        onClick={() => onMute(track, !off)}
        aria-label={t('autowebinar:script.mute', { track: t(`autowebinar:track.${track}`) })}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
      <span>{t(`autowebinar:track.${track}`)}</span>
      {mayChange && (
        <span className="timeline-adds">
          {ADDABLE_TYPES[track].map((type) => (
            <Button
              key={type}
              small
              tone="quiet"
              icon={<Plus size={14} aria-hidden="true" />}
              onClick={() => onAdd(type)}
            >
              {t(`autowebinar:add.${TYPE_KEYS[type]}`)}
            </Button>
          ))}
        </span>
      )}
    </div>
  )
}

function DrawnMark({ line, pps }: { line: ScriptEntry; pps: number }) {
  const left = (line.offsetMs / 1000) * pps
  return <span className="timeline-mark" data-type={line.type} style={{ left }} aria-hidden="true" />
}

interface MarkProps extends Props {
  line: ScriptEntry
  pps: number
  marks: readonly ScriptEntry[]
}

/** One line on its track: dragged, or moved by arrows. */
function Mark({ line, pps, marks, chosen, mayChange, t, onShow }: MarkProps) {
  const [dragged, setDragged] = useState(0)
  const from = useRef<number | null>(null)
  const ids = chosen.has(line.id) ? chosen : new Set([line.id])
  const target = (clientX: number) => {
    const at = line.offsetMs + ((clientX - (from.current ?? clientX)) / pps) * 1000
    const others = [$at.get(), ...marks.filter(({ id }) => !ids.has(id)).map(({ offsetMs }) => offsetMs)]
    return snapTo(at, others, (SNAP_PX / pps) * 1000)
  }
  const press = (event: React.KeyboardEvent) => {
    const step = (event.shiftKey ? 10_000 : 1000) * (event.key === 'ArrowLeft' ? -1 : 1)
    if (event.key === 'Enter') onShow(line)
    else if (!mayChange) return
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') shift(ids, step)
    else if (event.key === 'Delete' || event.key === 'Backspace') removeLines(ids)
    else return
    event.preventDefault()
  }
  return (
    <button
      type="button"
      className="timeline-mark"
      data-type={line.type}
      aria-pressed={chosen.has(line.id)}
      style={{ left: ((line.offsetMs + dragged) / 1000) * pps }}
      aria-label={`${clockOf(line.offsetMs)} ${t(`autowebinar:type.${TYPE_KEYS[line.type]}`)} ${sayAbout(line, t)}`.trim()}
      title={sayAbout(line, t)}
      onKeyDown={press}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) choose(toggled(chosen, line.id))
        else if (dragged === 0) onShow(line)
      }}
      onPointerDown={(event) => {
        if (!mayChange || event.button !== 0) return
        from.current = event.clientX
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (from.current === null || Math.abs(event.clientX - from.current) < 3) return
        setDragged(target(event.clientX) - line.offsetMs)
      }}
      onPointerUp={() => {
        from.current = null
        if (dragged !== 0) shift(ids, dragged)
        // After the click that a browser sends for the same press.
        setTimeout(() => setDragged(0))
      }}
      onPointerCancel={() => {
        from.current = null
        setDragged(0)
      }}
    />
  )
}

function toggled(chosen: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

interface RulerProps {
  pps: number
  fromMs: number
  view: { left: number; width: number }
  onPick: (clientX: number) => void
}

function Ruler({ pps, fromMs, view, onPick }: RulerProps) {
  const step = rulerStep(pps)
  const first = Math.max(0, Math.floor(fromMs / 1000 / step) * step)
  const count = Math.ceil((view.width + 300) / (step * pps))
  return (
    <div className="timeline-ruler" onPointerDown={(event) => onPick(event.clientX)}>
      {Array.from({ length: count }, (_, index) => first + index * step).map((seconds) => (
        <span key={seconds} style={{ left: seconds * pps }}>
          {clockOf(seconds * 1000)}
        </span>
      ))}
    </div>
  )
}

function Playhead({ pps }: { pps: number }) {
  const at = useStore($at)
  return <div className="timeline-playhead" style={{ left: (at / 1000) * pps }} aria-hidden="true" />
}
