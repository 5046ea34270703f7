import { createHash, randomBytes } from 'node:crypto'
import { formatUuid } from '../shared/uuid.ts'

/** A new UUID version 7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then random; sorts by creation time. */
export function newId(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return formatUuid(bytes.toString('hex'))
}

/** The UUID version 8 (RFC 9562 section 5.8) of a text, so that a repeated run creates the same row. */
export function derivedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return formatUuid(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}
