import type { Chapter } from './schema.ts'

/** `12:30`, or `1:02:30`, to seconds; null where it is no such time. */
export function secondsFrom(typed: string): number | null {
  const parts = /^(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)$/.exec(typed.trim())
  if (!parts) return null
  const [, h = '0', m = '0', s = '0'] = parts
  return Number(h) * 3600 + Number(m) * 60 + Number(s)
}

/** Seconds to `12:30` or `1:02:30`. */
export function clock(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)]
  const two = (value: number) => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** Lines of a text that hold anything. */
export const linesOf = (typed: string): string[] =>
  typed
    .split(/\r?\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** Lines «Назва — опис» to pairs; a line without a dash is a title alone. */
export const pairsOf = (typed: string): { title: string; text: string }[] =>
  linesOf(typed).map((one) => {
    const [title = '', ...rest] = one.split(/\s+[—–-]\s+/)
    return { title, text: rest.join(' — ') }
  })

export const pairLines = (pairs: readonly { title: string; text: string }[]): string =>
  pairs.map(({ title, text }) => (text ? `${title} — ${text.replace(/\s*\n\s*/g, ' ')}` : title)).join('\n')

/** Lines «12:30 Назва» to chapters in order; lines without a time are passed over. */
export const chaptersOf = (typed: string): Chapter[] =>
  linesOf(typed)
    .flatMap((one) => {
      const [time = '', ...words] = one.split(/\s+/)
      const at = secondsFrom(time)
      return at === null || words.length === 0 ? [] : [{ at, title: words.join(' ').replace(/^[—–-]\s*/, '') }]
    })
    .sort((a, b) => a.at - b.at)

export const chapterLines = (chapters: readonly Chapter[]): string =>
  chapters.map(({ at, title }) => `${clock(at)} ${title}`).join('\n')
