import { ahead, SHORTEST, sequenceOf, timeOf } from './rtp.ts'

/*
 * The line of packets to one viewer: whoever publishes, its numbers and times go on without a break, so that a player
 * sees one source. Pure but for the clock that is given along.
 */

export interface Line {
  readonly source: number
  readonly payload: number
  readonly clockRate: number
  /** What is added to the publisher's numbers and times. */
  shift: { sequence: number; time: number }
  /** The newest of what was sent, and when. */
  last: { sequence: number; time: number; at: number } | null
  /** The next packet is the first of another publisher. */
  begins: boolean
  packets: number
  octets: number
}

export function newLine(source: number, payload: number, clockRate: number): Line {
  const shift = { sequence: 0, time: 0 }
  return { source, payload, clockRate, shift, last: null, begins: true, packets: 0, octets: 0 }
}

/** What a viewer's line needs of a packet; read once for all viewers. */
export interface Seen {
  sequence: number
  time: number
  mark: number
  length: number
}

export const seenOf = (packet: Buffer): Seen => ({
  sequence: sequenceOf(packet),
  time: timeOf(packet),
  mark: (packet[1] ?? 0) & 0x80,
  length: packet.length,
})

/**
 * Writes the publisher's packet as the viewer shall see it over the head of `copy`, which holds the same packet. After
 * a change of publisher the times go on by as much as has passed on the clock, and the numbers by one.
 */
export function readdress(line: Line, seen: Seen, copy: Buffer, now: number): void {
  if (line.begins) take(line, seen, now)
  const sequence = (seen.sequence + line.shift.sequence) & 0xffff
  const time = (seen.time + line.shift.time) >>> 0
  copy[1] = seen.mark | line.payload
  copy[2] = sequence >>> 8
  copy[3] = sequence
  writeWord(copy, 4, time)
  writeWord(copy, 8, line.source)
  line.packets += 1
  line.octets += seen.length - SHORTEST
  // A packet that comes late, because it was lost before, is not where the line ends.
  const { last } = line
  if (last === null) line.last = { sequence, time, at: now }
  else if (ahead(sequence, last.sequence) > 0) {
    last.sequence = sequence
    last.time = time
    last.at = now
  }
}

/** The publisher's number of a packet that the viewer knows by this one. */
export const original = (line: Line, sequence: number): number => (sequence - line.shift.sequence) & 0xffff

function take(line: Line, seen: Seen, now: number): void {
  line.begins = false
  if (line.last === null) return
  const passed = Math.max(1, Math.round(((now - line.last.at) * line.clockRate) / 1000))
  line.shift.sequence = (line.last.sequence + 1 - seen.sequence) & 0xffff
  line.shift.time = (line.last.time + passed - seen.time) >>> 0
}

// Buffer's own writing checks its bounds, twenty thousand times a second.
function writeWord(bytes: Buffer, at: number, word: number): void {
  bytes[at] = word >>> 24
  bytes[at + 1] = word >>> 16
  bytes[at + 2] = word >>> 8
  bytes[at + 3] = word
}
