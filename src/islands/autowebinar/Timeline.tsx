import { useStore } from '@nanostores/react'
import { Plus, Volume2, VolumeX, ZoomIn, ZoomOut } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { ADDABLE_TYPES, TYPE_KEYS } from '#lib/autowebinar/entry-rules.ts'
import type { ScriptEntry } from '#lib/autowebinar/schema.ts'
import { type ScriptEntryType, TRACKS, type Track } from '#lib/core/shared/event/auto-event.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { entriesBetween, formatEntry, formatTimecode, snapOffset } from './script.ts'
import { $positionMs, removeEntries, selectEntries, shiftSelectedEntries } from './script-store.ts'
import { TimelineRuler } from './TimelineRuler.tsx'

interface Props {
  entries: readonly ScriptEntry[]
  selection: ReadonlySet<string>
  lengthMs: number
  mutedTracks: readonly Track[]
  canEdit: boolean
  t: Translate
  onMute: (track: Track, isMuted: boolean) => void
  onAdd: (type: ScriptEntryType) => void
  onJump: (ms: number) => void
  onShow: (entry: ScriptEntry) => void
}

/** Zoom levels in pixels per second. */
const ZOOM_LEVELS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40]
/**
 * Marks closer than this to the previous one are too close to click: they are only drawn, and can be selected after
 * zooming in or in the list.
 */
const MIN_BUTTON_GAP_PX = 24
/** Marks closer than this are not drawn at all: thousands of them would form a solid bar. */
const MIN_MARK_GAP_PX = 4
const SNAP_DISTANCE_PX = 8

/** The timeline of the script: six tracks over a ruler. Only the visible range is rendered. */
export function Timeline(props: Props) {
  const { entries, lengthMs, mutedTracks, canEdit, t, onMute, onAdd, onJump } = props
  const frame = useRef<HTMLDivElement>(null)
  // Null fits the whole event session into the window.
  const [zoom, setZoom] = useState<number | null>(null)
  const [view, setView] = useState({ left: 0, width: 1200 })
  const fittingZoom = Math.max(0.001, (view.width - 40) / Math.max(1, lengthMs / 1000))
  const pixelsPerSecond = zoom ?? fittingZoom
  const nextZoomIn = ZOOM_LEVELS.find((level) => level > pixelsPerSecond * 1.2)
  const nextZoomOut = ZOOM_LEVELS.findLast((level) => level < pixelsPerSecond && level > fittingZoom) ?? null
  const width = Math.max(view.width, (lengthMs / 1000) * pixelsPerSecond + 40)
  const updateView = useCallback(() => {
    const { current } = frame
    if (current) setView({ left: current.scrollLeft, width: current.clientWidth })
  }, [])
  useEffect(() => {
    const observer = new ResizeObserver(updateView)
    if (frame.current) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [updateView])
  // Keeps the middle of the view in place; when the whole timeline was visible, the video position.
  const zoomTo = (nextZoom: number | null) => {
    const middleSeconds = zoom === null ? $positionMs.get() / 1000 : (view.left + view.width / 2) / pixelsPerSecond
    setZoom(nextZoom)
    requestAnimationFrame(() =>
      frame.current?.scrollTo({ left: middleSeconds * (nextZoom ?? fittingZoom) - view.width / 2 }),
    )
  }
  const msAt = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect()
    return box ? Math.max(0, ((clientX - box.left + (frame.current?.scrollLeft ?? 0)) / pixelsPerSecond) * 1000) : 0
  }
  const fromMs = ((view.left - 100) / pixelsPerSecond) * 1000
  const visibleEntries = entriesBetween(entries, fromMs, ((view.left + view.width + 100) / pixelsPerSecond) * 1000)
  return (
    <section className="timeline" aria-label={t('autowebinar:script.timeline')}>
      <div className="timeline-heads">
        <p className="timeline-zoom">
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            disabled={zoom === null}
            onClick={() => zoomTo(nextZoomOut)}
          >
            <ZoomOut size={16} aria-hidden="true" />
            <span className="sr-only">{t('autowebinar:script.zoomOut')}</span>
          </button>
          <button
            type="button"
            className="btn btn-ghost btn-sm"
            disabled={nextZoomIn === undefined}
            onClick={() => nextZoomIn !== undefined && zoomTo(nextZoomIn)}
          >
            <ZoomIn size={16} aria-hidden="true" />
            <span className="sr-only">{t('autowebinar:script.zoomIn')}</span>
          </button>
        </p>
        {TRACKS.map((track) => (
          <TrackHead
            key={track}
            track={track}
            canEdit={canEdit}
            t={t}
            onMute={onMute}
            onAdd={onAdd}
            isMuted={mutedTracks.includes(track)}
          />
        ))}
      </div>
      <div ref={frame} className="timeline-frame" onScroll={updateView}>
        <div className="timeline-inner" style={{ width }}>
          <TimelineRuler
            pixelsPerSecond={pixelsPerSecond}
            fromMs={fromMs}
            view={view}
            onSeek={(clientX) => onJump(Math.round(msAt(clientX)))}
          />
          {TRACKS.map((track) => {
            const marks = filterByGap(
              visibleEntries.filter((entry) => entry.track === track),
              MIN_MARK_GAP_PX / pixelsPerSecond,
            )
            const clickable = new Set(filterByGap(marks, MIN_BUTTON_GAP_PX / pixelsPerSecond))
            return (
              <div
                key={track}
                className="timeline-track"
                data-track={track}
                data-muted={mutedTracks.includes(track) || undefined}
              >
                {marks.map((entry) =>
                  clickable.has(entry) ? (
                    <Mark
                      key={entry.id}
                      {...props}
                      entry={entry}
                      pixelsPerSecond={pixelsPerSecond}
                      nearbyEntries={visibleEntries}
                    />
                  ) : (
                    <StaticMark key={entry.id} entry={entry} pixelsPerSecond={pixelsPerSecond} />
                  ),
                )}
              </div>
            )
          })}
          <Playhead pixelsPerSecond={pixelsPerSecond} />
        </div>
      </div>
    </section>
  )
}

/** Returns the entries that are at least this many seconds after the previously returned one. */
function filterByGap(entries: readonly ScriptEntry[], seconds: number): ScriptEntry[] {
  let lastOffsetMs = Number.NEGATIVE_INFINITY
  return entries.filter(({ offsetMs }) => {
    if (offsetMs - lastOffsetMs < seconds * 1000) return false
    lastOffsetMs = offsetMs
    return true
  })
}

interface TrackHeadProps extends Pick<Props, 'canEdit' | 't' | 'onMute' | 'onAdd'> {
  track: Track
  isMuted: boolean
}

function TrackHead({ track, isMuted, canEdit, t, onMute, onAdd }: TrackHeadProps) {
  const Icon = isMuted ? VolumeX : Volume2
  return (
    <div className="timeline-head">
      <button
        type="button"
        className="btn btn-ghost btn-xs"
        aria-pressed={isMuted}
        disabled={!canEdit}
        onClick={() => onMute(track, !isMuted)}
        aria-label={t('autowebinar:script.mute', { track: t(`autowebinar:track.${track}`) })}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
      <span>{t(`autowebinar:track.${track}`)}</span>
      {canEdit && (
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

function StaticMark({ entry, pixelsPerSecond }: { entry: ScriptEntry; pixelsPerSecond: number }) {
  const left = (entry.offsetMs / 1000) * pixelsPerSecond
  return <span className="timeline-mark" data-type={entry.type} style={{ left }} aria-hidden="true" />
}

interface MarkProps extends Props {
  entry: ScriptEntry
  pixelsPerSecond: number
  nearbyEntries: readonly ScriptEntry[]
}

/** A script entry on its track, moved by dragging or arrow keys. */
function Mark({ entry, pixelsPerSecond, nearbyEntries, selection, canEdit, t, onShow }: MarkProps) {
  const [draggedMs, setDraggedMs] = useState(0)
  const dragStartX = useRef<number | null>(null)
  const ids = selection.has(entry.id) ? selection : new Set([entry.id])
  const dropOffsetMs = (clientX: number) => {
    const offsetMs = entry.offsetMs + ((clientX - (dragStartX.current ?? clientX)) / pixelsPerSecond) * 1000
    const snapPoints = [
      $positionMs.get(),
      ...nearbyEntries.filter(({ id }) => !ids.has(id)).map(({ offsetMs }) => offsetMs),
    ]
    return snapOffset(offsetMs, snapPoints, (SNAP_DISTANCE_PX / pixelsPerSecond) * 1000)
  }
  const handleKey = (event: React.KeyboardEvent) => {
    const stepMs = (event.shiftKey ? 10_000 : 1000) * (event.key === 'ArrowLeft' ? -1 : 1)
    if (event.key === 'Enter') onShow(entry)
    else if (!canEdit) return
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') shiftSelectedEntries(ids, stepMs)
    else if (event.key === 'Delete' || event.key === 'Backspace') removeEntries(ids)
    else return
    event.preventDefault()
  }
  return (
    <button
      type="button"
      className="timeline-mark"
      data-type={entry.type}
      aria-pressed={selection.has(entry.id)}
      style={{ left: ((entry.offsetMs + draggedMs) / 1000) * pixelsPerSecond }}
      aria-label={`${formatTimecode(entry.offsetMs)} ${t(`autowebinar:type.${TYPE_KEYS[entry.type]}`)} ${formatEntry(entry, t)}`.trim()}
      title={formatEntry(entry, t)}
      onKeyDown={handleKey}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) selectEntries(toggleId(selection, entry.id))
        else if (draggedMs === 0) onShow(entry)
      }}
      onPointerDown={(event) => {
        if (!canEdit || event.button !== 0) return
        dragStartX.current = event.clientX
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (dragStartX.current === null || Math.abs(event.clientX - dragStartX.current) < 3) return
        setDraggedMs(dropOffsetMs(event.clientX) - entry.offsetMs)
      }}
      onPointerUp={() => {
        dragStartX.current = null
        if (draggedMs !== 0) shiftSelectedEntries(ids, draggedMs)
        // Reset after the click event that follows the pointer event.
        setTimeout(() => setDraggedMs(0))
      }}
      onPointerCancel={() => {
        dragStartX.current = null
        setDraggedMs(0)
      }}
    />
  )
}

function toggleId(selection: ReadonlySet<string>, id: string): Set<string> {
  const nextSelection = new Set(selection)
  if (!nextSelection.delete(id)) nextSelection.add(id)
  return nextSelection
}

function Playhead({ pixelsPerSecond }: { pixelsPerSecond: number }) {
  const positionMs = useStore($positionMs)
  return (
    <div className="timeline-playhead" style={{ left: (positionMs / 1000) * pixelsPerSecond }} aria-hidden="true" />
  )
}
