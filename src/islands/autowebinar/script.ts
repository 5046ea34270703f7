import { describeEntry } from '#lib/autowebinar/issue-rules.ts'
import type { EntryContent, ScriptEntry } from '#lib/autowebinar/schema.ts'
import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { formatLongClock } from '#lib/core/shared/text/clock.ts'
import { foldForSearch } from '#lib/core/shared/text/search-text.ts'
import type { Strings, Translate } from '#lib/core/shared/text/strings.ts'
import type { ChatSettings } from '#lib/workshop/session/event-schema.ts'

export interface ScriptProps {
  workshopId: string
  version: number
  entries: ScriptEntry[]
  /** Milliseconds. */
  lengthMs: number
  videoOffsetMs: number
  video: { hls: string | null; sources: { src: string; type: string }[]; poster: string | null } | null
  mutedTracks: Track[]
  slides: { fileId: string; address: string } | null
  gone: string[]
  chat: ChatSettings
  mayChange: boolean
  strings: Strings
  locale: Locale
}

/** Returns the text that describes an entry. */
export function formatEntry(content: EntryContent, t: Translate): string {
  if (content.type === 'presentation.change') return t(`autowebinar:mode.${content.payload.mode}`)
  if (content.type === 'slide.change') return t('autowebinar:script.slide', { page: content.payload.page })
  return describeEntry(content)
}

/** Returns the entries whose text or author contains the search text; all for an empty one. */
export function searchEntries(entries: readonly ScriptEntry[], text: string, t: Translate): readonly ScriptEntry[] {
  const query = foldForSearch(text.trim())
  if (query === '') return entries
  const matches = (value: string | undefined) => value !== undefined && foldForSearch(value).includes(query)
  return entries.filter(
    (entry) => matches(formatEntry(entry, t)) || ('author' in entry.payload && matches(entry.payload.author?.name)),
  )
}

/** Formats milliseconds as `1:02:03`, with tenths of a second if they are not zero. */
export function formatTimecode(ms: number): string {
  const clock = formatLongClock(ms / 1000).replace(/^0:/, '')
  const tenths = Math.floor((ms % 1000) / 100)
  return tenths > 0 ? `${clock}.${tenths}` : clock
}

/** Parses a time as `formatTimecode` writes it, into milliseconds; null if it is not a time. */
export function parseTimecode(text: string): number | null {
  const match = /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/.exec(text.trim())
  if (!match) return null
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
}

/** Returns the seconds between two marks of the ruler at a zoom level. */
export function rulerStepSeconds(pixelsPerSecond: number): number {
  return [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 3600].find((seconds) => seconds * pixelsPerSecond >= 70) ?? 7200
}

/** Returns the snap point nearest to an offset, or the nearest whole second. */
export function snapOffset(offsetMs: number, snapPoints: readonly number[], withinMs: number): number {
  let best = Math.round(offsetMs / 1000) * 1000
  let bestDistance = Math.min(Math.abs(best - offsetMs), 500)
  for (const mark of snapPoints) {
    const distance = Math.abs(mark - offsetMs)
    if (distance <= withinMs && distance <= bestDistance) [best, bestDistance] = [mark, distance]
  }
  return Math.max(0, best)
}

/** Returns the entries between two offsets by binary search; a script may have thousands. */
export function entriesBetween(
  entries: readonly ScriptEntry[],
  fromMs: number,
  untilMs: number,
): readonly ScriptEntry[] {
  return entries.slice(firstIndexFrom(entries, fromMs), firstIndexFrom(entries, untilMs + 1))
}

function firstIndexFrom(entries: readonly ScriptEntry[], ms: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.offsetMs ?? 0) < ms) low = middle + 1
    else high = middle
  }
  return low
}
