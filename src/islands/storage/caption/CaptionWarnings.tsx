import { TriangleAlert } from 'lucide-react'
import { Button } from '#islands/ui/Button.tsx'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { hasLengthMismatch } from '#lib/storage/rules.ts'
import type { CaptionRow } from '../video/use-video-editor.ts'
import type { SkippedReport } from './use-caption-track.ts'

interface SkippedProps {
  report: SkippedReport
  onClose: () => void
  t: Translate
}

/** Skipped captions of an uploaded file: lines and reasons. */
export function SkippedCues({ report: { skipped, skippedCount }, onClose, t }: SkippedProps) {
  const more = skippedCount - skipped.length
  return (
    <div role="alert" className="card-line grid gap-2 border-s-4 border-s-warning p-3 text-sm">
      <p className="font-semibold">{t('storage:captions.skipped', { count: skippedCount })}</p>
      <ul className="grid max-h-48 gap-1 overflow-y-auto [overflow-wrap:anywhere]">
        {skipped.map(({ fault, line, words }) => (
          <li key={line}>{t(`storage:captions.invalid.${fault}`, { line, words })}</li>
        ))}
        {more > 0 && <li className="text-muted">{t('storage:captions.skippedMore', { count: more })}</li>}
      </ul>
      <Button small className="justify-self-start" onClick={onClose}>
        {t('storage:captions.understood')}
      </Button>
    </div>
  )
}

interface LengthProps {
  row: CaptionRow | undefined
  /** Duration of the video in seconds, if known. */
  duration: number | null
  t: Translate
}

/** Warns when the captions probably do not belong to this video, with both durations. */
export function LengthWarning({ row, duration, t }: LengthProps) {
  if (!row || duration === null || !hasLengthMismatch(row.end, duration)) return null
  const lengths = { captions: formatClock(Math.round(row.end)), video: formatClock(duration) }
  return (
    <p role="status" className="flex items-start gap-2 text-sm">
      <TriangleAlert size={18} strokeWidth={1.75} className="mt-0.5 flex-none text-warning" aria-hidden="true" />
      {t('storage:captions.lengthDiffers', lengths)}
    </p>
  )
}
