/*
 * The new text of an email reply, without the quoted email below it, the signature and the line that mail programs add. All
 * expressions are applied to single lines and are linear.
 */

/** Lines after which only the quoted email follows. */
const SEPARATORS = [
  /^-{2,}\s?(?:original message|forwarded message|початкове повідомлення|переслане повідомлення)/i,
  /^_{10,}$/,
  // The delimiter of a signature (RFC 3676).
  /^-- ?$/,
]
const ATTRIBUTION_END = /(?:wrote|writes|пише|написала?|написав\(ла\)|написав\/ла)\s?:$/i
const FIRST_HEADER = /^\*?(?:from|від):\*? /i
const FURTHER_HEADER = /^\*?(?:sent|date|to|subject|надіслано|дата|кому|тема):\*? /i
const MOBILE_LINE = /^(?:sent from my |get outlook for |надіслано з |відправлено з )/i
const QUOTED = /^>/

/** The text that the sender has written; empty when there is none. */
export function newTextOf(text: string): string {
  const lines = text
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => line.trimEnd())
  const end = lines.findIndex((_, index) => isQuoteStart(lines, index))
  const written = end < 0 ? lines : lines.slice(0, end)
  while (written.length > 0 && isRemovable(written.at(-1) ?? '')) written.pop()
  return written.join('\n').trim()
}

/** Quoted lines between own ones stay, because they give the context of an answer. */
const isRemovable = (line: string): boolean => line.trim() === '' || QUOTED.test(line) || MOBILE_LINE.test(line)

function isQuoteStart(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (SEPARATORS.some((separator) => separator.test(line))) return true
  if (FIRST_HEADER.test(line)) return lines.slice(index + 1, index + 4).some((next) => FURTHER_HEADER.test(next))
  return isAttribution(lines, index)
}

/** `On Tue, Nov 24, 2026 at 20:00 School <…> wrote:`, in one line or broken into two or three. */
function isAttribution(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (line === '' || QUOTED.test(line)) return false
  for (let end = index; end < Math.min(index + 3, lines.length); end += 1) {
    const last = lines[end] ?? ''
    if (last === '') return false
    if (!ATTRIBUTION_END.test(last)) continue
    const attribution = lines.slice(index, end + 1).join(' ')
    const next = lines.slice(end + 1, end + 3).find((following) => following !== '')
    // A sentence that only ends like an attribution has neither an address nor a quote after it.
    return (/[<@]/.test(attribution) && /\d/.test(attribution)) || (next !== undefined && QUOTED.test(next))
  }
  return false
}
