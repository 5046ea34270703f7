import { describeEntry } from '#lib/autowebinar/flaw-rules.ts'
import type { EntryContent, ScriptEntry } from '#lib/autowebinar/schema.ts'
import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { foldForSearch } from '#lib/core/shared/text/search-text.ts'
import type { Strings, Translate } from '#lib/core/shared/text/strings.ts'
import type { ChatSettings } from '#lib/workshop/session/event-schema.ts'

export interface ScriptProps {
  workshopId: string
  version: number
  lines: ScriptEntry[]
  /** Milliseconds. */
  lengthMs: number
  filmOffsetMs: number
  film: { hls: string | null; sources: { src: string; type: string }[]; poster: string | null } | null
  mutedTracks: Track[]
  slides: { fileId: string; address: string } | null
  gone: string[]
  chat: ChatSettings
  mayChange: boolean
  strings: Strings
  locale: Locale
}

/** What a line is about, as a person says it. */
export function sayAbout(line: EntryContent, t: Translate): string {
  if (line.type === 'presentation.change') return t(`autowebinar:mode.${line.payload.mode}`)
  if (line.type === 'slide.change') return t('autowebinar:script.slide', { page: line.payload.page })
  return describeEntry(line)
}

/** Lines in which a piece of text stands, in words or in the author's name; all of them for no text. */
export function searched(lines: readonly ScriptEntry[], text: string, t: Translate): readonly ScriptEntry[] {
  const wanted = foldForSearch(text.trim())
  if (wanted === '') return lines
  const has = (words: string | undefined) => words !== undefined && foldForSearch(words).includes(wanted)
  return lines.filter((line) => has(sayAbout(line, t)) || ('author' in line.payload && has(line.payload.author?.name)))
}

/** `1:02:03` of a moment in milliseconds; tenths where they say something. */
export function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const tail = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  const tenths = Math.floor((ms % 1000) / 100)
  return `${hours > 0 ? `${hours}:` : ''}${tail}${tenths > 0 ? `.${tenths}` : ''}`
}

/** The same the other way; null for what is no time. */
export function readClock(text: string): number | null {
  const match = /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/.exec(text.trim())
  if (!match) return null
  const [, hours = '0', minutes = '0', seconds = '0', part = ''] = match
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(part.padEnd(3, '0'))
}

/** How long the room waits between two marks of the ruler at so many pixels a second. */
export function rulerStep(pixelsPerSecond: number): number {
  return [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 3600].find((seconds) => seconds * pixelsPerSecond >= 70) ?? 7200
}

/** The moment nearest to where something is let go: another line's, the film's place, or a whole second. */
export function snapTo(ms: number, marks: readonly number[], withinMs: number): number {
  let best = Math.round(ms / 1000) * 1000
  let away = Math.min(Math.abs(best - ms), 500)
  for (const mark of marks) {
    const distance = Math.abs(mark - ms)
    if (distance <= withinMs && distance <= away) [best, away] = [mark, distance]
  }
  return Math.max(0, best)
}

/** What stands between two moments of lines in their order, by halving: a script may have thousands. */
export function within(lines: readonly ScriptEntry[], fromMs: number, untilMs: number): readonly ScriptEntry[] {
  return lines.slice(firstFrom(lines, fromMs), firstFrom(lines, untilMs + 1))
}

function firstFrom(lines: readonly ScriptEntry[], ms: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.offsetMs ?? 0) < ms) low = middle + 1
    else high = middle
  }
  return low
}
