/*
 * Text in the format `flowed` (RFC 3676). postal-mime joins quoted lines with own ones below them, so that it must not see the
 * format.
 */

/** `shrinks`: the blank at the end of a line that continues is no part of the text (DelSp). */
export interface FlowedFormat {
  shrinks: boolean
}

const FORMAT = /(;[ \t\r\n]{0,20}format[ \t]{0,5}=[ \t]{0,5}"?)flowed/gi
const latin1 = (raw: Uint8Array): string => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1')

/** The format of the text of an email; null when its lines are as they were written. */
export function findFlowedFormat(raw: Uint8Array): FlowedFormat | null {
  const text = latin1(raw)
  if (text.search(FORMAT) < 0) return null
  return { shrinks: /;[ \t\r\n]{0,20}delsp[ \t]{0,5}=[ \t]{0,5}"?yes/i.test(text) }
}

/** The email with another name of the format, of the same length, so that signatures of other parts stay valid. */
export function withFixedFormat(raw: Uint8Array): Uint8Array {
  const text = latin1(raw)
  return text.search(FORMAT) < 0 ? raw : Buffer.from(text.replace(FORMAT, '$1xfixed'), 'latin1')
}

/** Joins own lines that end with a blank; quoted lines and the delimiter of a signature stay. */
export function joinFlowedLines(text: string, { shrinks }: FlowedFormat): string {
  const joined: string[] = []
  let continues = false
  for (const line of text.replaceAll('\r', '').split('\n')) {
    const isQuoted = line.startsWith('>')
    const own = isQuoted || !line.startsWith(' ') ? line : line.slice(1)
    const last = joined.at(-1)
    const isDelimiter = own === '-- '
    if (continues && !isQuoted && !isDelimiter && last !== undefined) joined[joined.length - 1] = last + own
    else joined.push(own)
    continues = !isQuoted && !isDelimiter && own.endsWith(' ')
    if (continues && shrinks) joined[joined.length - 1] = (joined.at(-1) ?? '').slice(0, -1)
  }
  return joined.join('\n')
}
