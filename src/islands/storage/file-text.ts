import {
  formatBytes,
  formatDuration,
  formatPercent,
  formatRelativeDateTime,
  type Locale,
} from '#lib/core/shared/locale.ts'
import { TRASH_DAYS } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Row } from './browser/listing-query.ts'

/** How things are put into words for one person. */
export interface Words {
  t: Translate
  locale: Locale
  zone: string
}

export const sizeOf = (row: Pick<Row, 'size' | 'kind'>, { locale }: Words): string =>
  row.kind === 'folder' ? '' : formatBytes(row.size, locale)

export const dateOf = (at: string, { zone, locale }: Words): string => formatRelativeDateTime(at, zone, locale)

/** What happens to a video or a sound now; null when nothing does. */
export function stateOf(
  { state, progress, queuePosition: place, waitsForDisk }: Row,
  { t, locale }: Words,
): string | null {
  if (!state || state === 'finished') return null
  if (state === 'queued' && waitsForDisk) return t('storage:state.waitsForDisk')
  if (state === 'queued' && place) return t('storage:state.queuedPlace', { place })
  return t(`storage:state.${state}`, { percent: formatPercent((progress ?? 0) / 100, locale) })
}

/** How much of a file without its end can be played, in words; null of any other. */
export function truncationOf({ state, truncated, duration }: Row, { t, locale }: Words): string | null {
  if (state !== 'finished' || !truncated) return null
  return t('storage:state.truncatedMark', { time: formatDuration(duration ?? 0, locale) })
}

/** Whole days until something in the trash is gone, at least 0. */
export function daysLeft(deletedAt: string, now = Date.now()): number {
  const ends = Date.parse(deletedAt) + TRASH_DAYS * 86_400_000
  return Math.max(0, Math.ceil((ends - now) / 86_400_000))
}

/** Seconds to «1:02:03» or «2:03». */
export function lengthOf(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [first = 0, ...rest] = parts[0] ? parts : parts.slice(1)
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':')
}
