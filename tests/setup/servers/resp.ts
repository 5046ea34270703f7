/* Redis' wire protocol, https://redis.io/docs/latest/develop/reference/protocol-spec/: the parts needed by a server. */

/**
 * Complete commands at the beginning of the received bytes (arrays of bulk strings, or one plain line), and the rest.
 */
export function readCommands(arrived: Buffer): { commands: string[][]; rest: Buffer } {
  const commands: string[][] = []
  let rest = arrived
  for (;;) {
    const read = readCommand(rest)
    if (!read) return { commands, rest }
    if (read.words.length > 0) commands.push(read.words)
    rest = rest.subarray(read.end)
  }
}

export const simple = (text: string): string => `+${text}\r\n`
export const error = (text: string): string => `-${text}\r\n`
export const integer = (value: number): string => `:${value}\r\n`
export const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
export const array = (items: string[]): string => `*${items.length}\r\n${items.join('')}`

/** A message sent by the server without a request: a push type in RESP 3, an array in RESP 2. */
export const pushed = (protocol: 2 | 3, items: string[]): string =>
  protocol === 3 ? `>${items.length}\r\n${items.join('')}` : array(items)

function readCommand(buffer: Buffer): { words: string[]; end: number } | null {
  const head = readLine(buffer, 0)
  if (!head) return null
  if (!head.line.startsWith('*')) return { words: head.line.split(' ').filter(Boolean), end: head.end }
  const words: string[] = []
  let at = head.end
  for (let left = Number(head.line.slice(1)); left > 0; left--) {
    const size = readLine(buffer, at)
    if (!size) return null
    const end = size.end + Number(size.line.slice(1))
    if (buffer.length < end + 2) return null
    words.push(buffer.toString('utf8', size.end, end))
    at = end + 2
  }
  return { words, end: at }
}

function readLine(buffer: Buffer, from: number): { line: string; end: number } | null {
  const end = buffer.indexOf('\r\n', from)
  return end < 0 ? null : { line: buffer.toString('utf8', from, end), end: end + 2 }
}
