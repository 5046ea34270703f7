import {
  formatBytes,
  formatDuration,
  formatPercent,
  formatRelativeDateTime,
  type Locale,
} from '#lib/core/shared/locale.ts'
import { FILE_TRASH_DAYS } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { ListedFile } from './browser/listing-query.ts'

/** Translation, locale and time zone of the user. */
export interface StorageI18n {
  t: Translate
  locale: Locale
  timeZone: string
}

export const formatSize = (row: Pick<ListedFile, 'size' | 'kind'>, { locale }: StorageI18n): string =>
  row.kind === 'folder' ? '' : formatBytes(row.size, locale)

export const formatFileDate = (at: string, { timeZone, locale }: StorageI18n): string =>
  formatRelativeDateTime(at, timeZone, locale)

/** Processing state as text; null when nothing is running. */
export function processingText(
  { state, progress, queuePosition: place, waitsForDisk }: ListedFile,
  { t, locale }: StorageI18n,
): string | null {
  if (!state || state === 'finished') return null
  if (state === 'queued' && waitsForDisk) return t('storage:state.waitsForDisk')
  if (state === 'queued' && place) return t('storage:state.queuedPlace', { place })
  return t(`storage:state.${state}`, { percent: formatPercent((progress ?? 0) / 100, locale) })
}

/** The playable part of a truncated file as text; null for others. */
export function truncationText({ state, truncated, duration }: ListedFile, { t, locale }: StorageI18n): string | null {
  if (state !== 'finished' || !truncated) return null
  return t('storage:state.truncatedMark', { time: formatDuration(duration ?? 0, locale) })
}

/** Whole days until a deleted file is removed, at least 0. */
export function daysLeft(deletedAt: string, now = Date.now()): number {
  const ends = Date.parse(deletedAt) + FILE_TRASH_DAYS * DAY_MS
  return Math.max(0, Math.ceil((ends - now) / DAY_MS))
}
