import './tray.css'
import { useStore } from '@nanostores/react'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useId, useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { $uploads, type Upload } from '#islands/stores/upload/upload-list.ts'
import { removeEndedUploads } from '#islands/stores/upload/uploads.ts'
import { Button } from '#islands/ui/Button.tsx'
import { formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { loadTrayStrings } from './tray-strings.ts'
import { UploadRow } from './UploadRow.tsx'
import { useAnnouncement } from './use-announcement.ts'

/** Mounts the tray. */
export async function mountTray(host: HTMLElement, locale: Locale): Promise<void> {
  const t = await loadTrayStrings(locale)
  mountIsland(host, 'uploads', <UploadTray t={t} locale={locale} />)
}

interface Props {
  t: Translate
  locale: Locale
}

/** Further rows are only counted: each row renders four times a second. */
const MAX_ROWS = 60

function UploadTray({ t, locale }: Props) {
  const uploads = useStore($uploads)
  const [open, setOpen] = useState(true)
  const announcement = useAnnouncement(uploads, t)
  const list = useId()
  if (uploads.length === 0) return null

  const rows = [...uploads].sort((a, b) => STEP_ORDER[a.step] - STEP_ORDER[b.step]).slice(0, MAX_ROWS)
  const share = overallProgress(uploads)
  const ended = uploads.filter(({ step }) => step === 'done' || step === 'failed').length
  const left = uploads.length - ended
  return (
    <section className="upload-tray floating" aria-label={t('storage:tray.title')}>
      <div className="flex items-center gap-2 p-2 ps-4">
        <h2 className="min-w-0 flex-1 font-semibold text-sm">
          {headingText(uploads, formatPercent(share, locale), t)}
        </h2>
        {ended > 0 && (
          <Button tone="quiet" small onClick={removeEndedUploads}>
            {t('storage:tray.clear')}
          </Button>
        )}
        <Button
          tone="quiet"
          small
          className="btn-square"
          aria-expanded={open}
          aria-controls={list}
          aria-label={t(open ? 'storage:tray.collapse' : 'storage:tray.expand')}
          onClick={() => setOpen(!open)}
          icon={open ? <ChevronDown size={20} strokeWidth={1.75} /> : <ChevronUp size={20} strokeWidth={1.75} />}
        />
      </div>
      {left > 0 && (
        <progress
          className="progress progress-primary h-1 w-full rounded-none"
          aria-label={t('storage:tray.whole')}
          max={100}
          value={Math.round(share * 100)}
        />
      )}
      <ul id={list} hidden={!open} className="divide-y divide-base-300 border-base-300 border-t">
        {rows.map((upload) => (
          <UploadRow key={upload.id} upload={upload} t={t} locale={locale} />
        ))}
        {uploads.length > rows.length && (
          <li className="px-4 py-3 text-muted text-sm">
            {t('storage:tray.more', { count: uploads.length - rows.length })}
          </li>
        )}
      </ul>
      <p className="sr-only" role="status">
        {announcement}
      </p>
    </section>
  )
}

/** Order of the rows: those that need the user, then running, waiting and finished ones. */
const STEP_ORDER: Record<Upload['step'], number> = {
  duplicate: 0,
  signedOut: 0,
  lost: 0,
  failed: 1,
  offline: 2,
  uploading: 2,
  finishing: 2,
  paused: 3,
  checking: 4,
  waiting: 4,
  processing: 5,
  done: 6,
}

function headingText(uploads: readonly Upload[], percent: string, t: Translate): string {
  const count = (steps: ReadonlySet<Upload['step']>) => uploads.filter(({ step }) => steps.has(step)).length
  const [waiting, failed, done] = [count(STEPS_THAT_ASK), count(new Set(['failed'])), count(new Set(['done']))]
  const left = uploads.length - waiting - failed - done
  if (left > 0) return t('storage:tray.left', { count: left, percent })
  if (waiting > 0) return t('storage:tray.waits', { count: waiting })
  return failed > 0 ? t('storage:tray.failed', { count: failed }) : t('storage:tray.ended', { count: done })
}

const STEPS_THAT_ASK = new Set<Upload['step']>(['duplicate', 'lost', 'signedOut', 'paused'])

function overallProgress(uploads: readonly Upload[]): number {
  const totalBytes = uploads.reduce((sum, { size }) => sum + size, 0)
  const sent = uploads.reduce(
    (sum, { sentBytes: sent, size, step }) => sum + (ENDED_STEPS.has(step) ? size : Math.min(sent, size)),
    0,
  )
  return totalBytes === 0 ? 0 : sent / totalBytes
}

const ENDED_STEPS = new Set<Upload['step']>(['processing', 'done', 'failed'])
