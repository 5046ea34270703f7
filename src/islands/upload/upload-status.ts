import type { Upload } from '#islands/stores/upload/upload-list.ts'
import { formatBytes, formatDuration, formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import { FILE_FAILURES } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

/** Status of an upload as text: «45 % · 12 МБ з 30 МБ · 3,2 МБ/с · ще 2 хв». */
export function statusText(upload: Upload, t: Translate, locale: Locale): string {
  const {
    step,
    sentBytes: sent,
    size,
    bytesPerSecond: speed,
    progress,
    stage,
    queuePosition: place,
    duplicate,
    failure: uploadFailure,
    playableSeconds: readable,
  } = upload
  const percent = formatPercent(size === 0 ? 0 : Math.floor((sent / size) * 100) / 100, locale)
  const amount = { percent, sent: formatBytes(sent, locale), size: formatBytes(size, locale) }
  switch (step) {
    case 'uploading':
      return [t('storage:tray.step.uploading', amount), ...speedTexts(size - sent, speed, t, locale)].join(' · ')
    case 'processing':
      if (stage === 'queued' && upload.waitsForDisk) return t('storage:tray.waitsForDisk')
      if (stage === 'queued' && place) return t('storage:tray.place', { place })
      return t(`storage:tray.stage.${stage ?? 'queued'}`, { percent: formatPercent(progress / 100, locale) })
    case 'done':
      if (readable !== null) return t('storage:tray.truncated', { time: formatDuration(readable, locale) })
      return t(upload.encoder ? 'storage:tray.step.done' : 'storage:tray.noEncoder')
    case 'duplicate':
      return t('storage:tray.step.duplicate', { name: duplicate?.name ?? '' })
    case 'failed':
      return uploadFailure?.message || failureText(uploadFailure?.code, t)
    case 'lost':
      return uploadFailure ? t('storage:tray.step.otherFile', amount) : t('storage:tray.step.lost', amount)
    default:
      return t(`storage:tray.step.${step}`, amount)
  }
}

const REASONS = ['unreachable', 'unreadable', 'part_refused', 'processing', 'ended'] as const

function failureText(code: string | undefined, t: Translate): string {
  const failure = FILE_FAILURES.find((known) => known === code)
  if (failure) return `${t(`storage:failure.${failure}`)}. ${t(`storage:hint.${failure}`)}`
  return t(`storage:tray.problem.${REASONS.find((known) => known === code) ?? 'other_reason'}`)
}

function speedTexts(left: number, speed: number, t: Translate, locale: Locale): string[] {
  if (speed <= 0) return []
  return [
    t('storage:tray.speed', { speed: formatBytes(speed, locale) }),
    t('storage:tray.remains', { time: formatRemaining(left / speed, locale) }),
  ]
}

/** Remaining seconds as «40 с», «2 хв», «1,5 год», rounded to the precision of the estimate. */
function formatRemaining(seconds: number, locale: Locale): string {
  const [value, unit] =
    seconds < 90
      ? [Math.max(5, Math.ceil(seconds / 5) * 5), 'second']
      : seconds < 5400
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 1800) / 2, 'hour']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
}
