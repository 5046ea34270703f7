import { TriangleAlert } from 'lucide-react'
import { Button } from '#islands/ui/Button.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { differInLength } from '#lib/storage/rules.ts'
import { lengthOf } from '../file-text.ts'
import type { CaptionRow } from '../video/use-video-editor.ts'
import type { SkippedReport } from './use-caption-track.ts'

interface SkippedProps {
  report: SkippedReport
  onClose: () => void
  say: Translate
}

/** The captions of an uploaded file that were left out: their lines, and why. */
export function SkippedCues({ report: { skipped, skippedCount }, onClose, say }: SkippedProps) {
  const more = skippedCount - skipped.length
  return (
    <div role="alert" className="card-line grid gap-2 border-s-4 border-s-warning p-3 text-sm">
      <p className="font-semibold">{say('storage:captions.skipped', { count: skippedCount })}</p>
      <ul className="grid max-h-48 gap-1 overflow-y-auto [overflow-wrap:anywhere]">
        {skipped.map(({ fault, line, words }) => (
          <li key={line}>{say(`storage:captions.invalid.${fault}`, { line, words })}</li>
        ))}
        {more > 0 && <li className="text-muted">{say('storage:captions.skippedMore', { count: more })}</li>}
      </ul>
      <Button small className="justify-self-start" onClick={onClose}>
        {say('storage:captions.understood')}
      </Button>
    </div>
  )
}

interface LengthProps {
  row: CaptionRow | undefined
  /** Seconds of the video, where they are known. */
  duration: number | null
  say: Translate
}

/** Names both lengths where the captions can hardly belong to this video. */
export function LengthWarning({ row, duration, say }: LengthProps) {
  if (!row || duration === null || !differInLength(row.end, duration)) return null
  const lengths = { captions: lengthOf(Math.round(row.end)), video: lengthOf(duration) }
  return (
    <p role="status" className="flex items-start gap-2 text-sm">
      <TriangleAlert size={18} strokeWidth={1.75} className="mt-0.5 flex-none text-warning" aria-hidden="true" />
      {say('storage:captions.lengthDiffers', lengths)}
    </p>
  )
}
