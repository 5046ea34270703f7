import { formatTimecode, rulerStepSeconds } from './script.ts'

interface RulerProps {
  pixelsPerSecond: number
  fromMs: number
  view: { left: number; width: number }
  onSeek: (clientX: number) => void
}

/** Times above the tracks; a click seeks to its position. */
export function TimelineRuler({ pixelsPerSecond, fromMs, view, onSeek }: RulerProps) {
  const stepSeconds = rulerStepSeconds(pixelsPerSecond)
  const firstSeconds = Math.max(0, Math.floor(fromMs / 1000 / stepSeconds) * stepSeconds)
  const count = Math.ceil((view.width + 300) / (stepSeconds * pixelsPerSecond))
  return (
    <div className="timeline-ruler" onPointerDown={(event) => onSeek(event.clientX)}>
      {Array.from({ length: count }, (_, index) => firstSeconds + index * stepSeconds).map((seconds) => (
        <span key={seconds} style={{ left: seconds * pixelsPerSecond }}>
          {formatTimecode(seconds * 1000)}
        </span>
      ))}
    </div>
  )
}
