import { formatUuid } from '#lib/core/shared/uuid.ts'

/*
 * Ids of messages: UUID version 7 (RFC 9562), so that a device sends its queued messages in the order in which they were
 * written. Within a millisecond, and when the clock is set back, the time of the next id is one millisecond later.
 */

let lastMs = 0

export function createMessageId(now = Date.now()): string {
  lastMs = Math.max(now, lastMs + 1)
  const time = lastMs.toString(16).padStart(12, '0')
  const [first = 0, second = 0, third = 0] = crypto.getRandomValues(new Uint32Array(3))
  const random = `7${hex(first).slice(5)}${(8 + (second >>> 30)).toString(16)}${hex(second).slice(5)}`
  const node = hex(third) + hex(first ^ second).slice(0, 4)
  return formatUuid(time + random + node)
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0')
