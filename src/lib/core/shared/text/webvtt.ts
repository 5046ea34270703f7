import { HOUR_MS, HOUR_SECONDS, MINUTE_MS } from '../time.ts'
import { cleanCueText } from './cue-text.ts'

/** One caption: times in seconds, text with the markup of WebVTT, `settings` such as `align:start line:0`. */
export interface Cue {
  start: number
  end: number
  text: string
  settings?: string
}

const STAMP = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?$/

/** Formats seconds as `00:01:02.500`. */
export function formatTimestamp(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds * 1000))
  const part = (value: number, width: number) => String(value).padStart(width, '0')
  const [hours, minutes, rest] = [Math.floor(whole / HOUR_MS), Math.floor(whole / MINUTE_MS) % 60, whole % MINUTE_MS]
  return `${part(hours, 2)}:${part(minutes, 2)}:${part(Math.floor(rest / 1000), 2)}.${part(rest % 1000, 3)}`
}

/** Parses `1:02.5`, `00:01:02,500` and similar forms to seconds; null for any other text, including negative times. */
export function parseTimestamp(stamp: string): number | null {
  const [, hours = '0', minutes = '', seconds = '', fraction = ''] = STAMP.exec(stamp.trim()) ?? []
  if (minutes === '' || Number(minutes) > 59 || Number(seconds) > 59) return null
  return (
    Number(hours) * HOUR_SECONDS +
    Number(minutes) * 60 +
    Number(seconds) +
    Number(fraction.padEnd(3, '0').slice(0, 3)) / 1000
  )
}

/** Formats cues as a WebVTT file, sorted by start, without cues that have no text. */
export function formatWebvtt(cues: readonly Cue[]): string {
  const blocks = [...cues]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, text, settings }) => {
      const words = cleanCueText(text)
      return words && `${formatTimestamp(start)} --> ${formatTimestamp(end)}${settings ? ` ${settings}` : ''}\n${words}`
    })
  return `${['WEBVTT', ...blocks.filter((block) => block !== '')].join('\n\n')}\n`
}
