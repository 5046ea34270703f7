/*
 * RTP (RFC 3550) and the RTCP that the media plane speaks: generic NACK, PLI and FIR (RFC 4585, 5104), REMB
 * (draft-alvestrand-rmcat-remb), sender and receiver reports. Pure: bytes in, bytes out.
 */

/** Whether a packet of the shared port is RTCP (RFC 5761, 4). */
export const isRtcp = (packet: Buffer): boolean => {
  const type = packet[1] ?? 0
  return type >= 192 && type <= 223
}

export const SHORTEST = 12
export const sequenceOf = (packet: Buffer): number => packet.readUInt16BE(2)
export const timeOf = (packet: Buffer): number => packet.readUInt32BE(4)
export const sourceOf = (packet: Buffer): number => packet.readUInt32BE(8)

/** How far `later` is ahead of `earlier` on the circle of sequence numbers: -32768 to 32767. */
export const ahead = (later: number, earlier: number): number => ((later - earlier + 0x8000) & 0xffff) - 0x8000

/** The packet without its header extension, which belongs to the line it came by; itself where it has none. */
export function withoutExtension(packet: Buffer): Buffer {
  const first = packet[0] ?? 0
  if ((first & 0x10) === 0) return packet
  const at = SHORTEST + (first & 15) * 4
  if (packet.length < at + 4) return packet
  const end = at + 4 + packet.readUInt16BE(at + 2) * 4
  if (packet.length < end) return packet
  const bare = Buffer.allocUnsafe(packet.length - (end - at))
  packet.copy(bare, 0, 0, at)
  packet.copy(bare, at, end)
  bare[0] = first & ~0x10
  return bare
}

/** One packet of a compound one. */
export interface Control {
  type: number
  /** Count or feedback format, by type. */
  format: number
  body: Buffer
}

export const SENDER_REPORT = 200
export const FEEDBACK = 205
export const PAYLOAD_FEEDBACK = 206

/** The packets that a compound RTCP packet holds; what is cut short is left out. */
export function controlsOf(compound: Buffer): Control[] {
  const found: Control[] = []
  for (let at = 0; at + 4 <= compound.length; ) {
    const end = at + (compound.readUInt16BE(at + 2) + 1) * 4
    if (end > compound.length) break
    const body = compound.subarray(at, end)
    found.push({ type: compound[at + 1] ?? 0, format: (compound[at] ?? 0) & 31, body })
    at = end
  }
  return found
}

/** Sequence numbers that a generic NACK asks for; none of anything else. */
export function askedAgain({ type, format, body }: Control): number[] {
  if (type !== FEEDBACK || format !== 1) return []
  const numbers: number[] = []
  for (let at = 12; at + 4 <= body.length; at += 4) {
    const first = body.readUInt16BE(at)
    const others = body.readUInt16BE(at + 2)
    numbers.push(first)
    for (let bit = 0; bit < 16; bit++) if ((others >> bit) & 1) numbers.push((first + bit + 1) & 0xffff)
  }
  return numbers
}

/** Whether a receiver wants a whole picture: PLI, or FIR. */
export const wantsKeyframe = ({ type, format }: Control): boolean =>
  type === PAYLOAD_FEEDBACK && (format === 1 || format === 4)

/** A generic NACK for these numbers, which must ascend (on their circle). */
export function nack(from: number, about: number, numbers: readonly number[]): Buffer {
  const pairs: [first: number, others: number][] = []
  for (const number of numbers) {
    const last = pairs.at(-1)
    const distance = last ? ahead(number, last[0]) : 0
    if (last && distance > 0 && distance <= 16) last[1] |= 1 << (distance - 1)
    else pairs.push([number, 0])
  }
  const packet = feedback(FEEDBACK, 1, from, about, pairs.length * 4)
  pairs.forEach(([first, others], at) => {
    packet.writeUInt16BE(first, 12 + at * 4)
    packet.writeUInt16BE(others, 14 + at * 4)
  })
  return packet
}

export const pictureLoss = (from: number, about: number): Buffer => feedback(PAYLOAD_FEEDBACK, 1, from, about, 0)

/** Tells a sender how many bits a second its receiver takes (REMB): 18 bits of mantissa, 6 of exponent. */
export function estimate(from: number, about: number, bitsPerSecond: number): Buffer {
  const packet = feedback(PAYLOAD_FEEDBACK, 15, from, 0, 12)
  const exponent = Math.max(0, Math.ceil(Math.log2((bitsPerSecond + 1) / 0x40000)))
  const mantissa = Math.floor(bitsPerSecond / 2 ** exponent)
  packet.write('REMB', 12, 'latin1')
  packet.writeUInt32BE(((1 << 24) | (exponent << 18) | mantissa) >>> 0, 16)
  packet.writeUInt32BE(about, 20)
  return packet
}

/** What a sender report says: when (NTP, 64 bits, in ms since 1970) which RTP time was. */
export interface Clock {
  milliseconds: number
  time: number
  /** Middle 32 bits of the NTP time, for the receiver's answer. */
  middle: number
}

/** The clock of a sender report; null for anything else. */
export function clockOf({ type, body }: Control): Clock | null {
  if (type !== SENDER_REPORT || body.length < 28) return null
  const [seconds, fraction] = [body.readUInt32BE(8), body.readUInt32BE(12)]
  const milliseconds = (seconds - SINCE_1900) * 1000 + (fraction * 1000) / 2 ** 32
  return { milliseconds, time: body.readUInt32BE(16), middle: body.readUInt32BE(10) }
}

export interface Sent {
  packets: number
  octets: number
}

/** A sender report: at this moment (ms since 1970) the RTP time is such, so that sound and picture can be matched. */
export function senderReport(from: number, milliseconds: number, time: number, { packets, octets }: Sent): Buffer {
  const packet = Buffer.alloc(28)
  head(packet, 0, SENDER_REPORT, from)
  const seconds = Math.floor(milliseconds / 1000)
  packet.writeUInt32BE((seconds + SINCE_1900) >>> 0, 8)
  packet.writeUInt32BE(Math.floor(((milliseconds / 1000) % 1) * 2 ** 32) >>> 0, 12)
  packet.writeUInt32BE(time >>> 0, 16)
  packet.writeUInt32BE(packets >>> 0, 20)
  packet.writeUInt32BE(octets >>> 0, 24)
  return packet
}

export interface Received {
  /** Lost of those expected since the last report, 0 to 1. */
  fraction: number
  lost: number
  /** Highest sequence number with its turns of the circle above it. */
  highest: number
  /** In units of the RTP clock. */
  jitter: number
  /** Of the last sender report; 0 before the first. */
  middle: number
  /** Milliseconds since it came. */
  since: number
}

/** A receiver report with one block. */
export function receiverReport(from: number, about: number, received: Received): Buffer {
  const packet = Buffer.alloc(32)
  head(packet, 1, 201, from)
  packet.writeUInt32BE(about, 8)
  packet[12] = Math.min(255, Math.floor(received.fraction * 256))
  packet.writeIntBE(Math.max(-0x800000, Math.min(0x7fffff, received.lost)), 13, 3)
  packet.writeUInt32BE(received.highest >>> 0, 16)
  packet.writeUInt32BE(Math.floor(received.jitter) >>> 0, 20)
  packet.writeUInt32BE(received.middle, 24)
  packet.writeUInt32BE(received.middle === 0 ? 0 : Math.floor((received.since * 65_536) / 1000) >>> 0, 28)
  return packet
}

/** Seconds from 1900, where NTP begins, to 1970. */
const SINCE_1900 = 2_208_988_800

function feedback(type: number, format: number, from: number, about: number, more: number): Buffer {
  const packet = Buffer.alloc(12 + more)
  head(packet, format, type, from)
  packet.writeUInt32BE(about, 8)
  return packet
}

function head(packet: Buffer, format: number, type: number, from: number): void {
  packet[0] = 0x80 | format
  packet[1] = type
  packet.writeUInt16BE(packet.length / 4 - 1, 2)
  packet.writeUInt32BE(from, 4)
}
