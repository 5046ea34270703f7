/*
 * RTP (RFC 3550) and the RTCP messages of the SFU: generic NACK, PLI and FIR (RFC 4585, 5104), REMB
 * (draft-alvestrand-rmcat-remb), sender and receiver reports. Pure functions on bytes.
 */

/** Whether a packet of the shared port is RTCP (RFC 5761, 4). */
export const isRtcp = (packet: Buffer): boolean => {
  const type = packet[1] ?? 0
  return type >= 192 && type <= 223
}

export const RTP_HEADER_BYTES = 12
export const sequenceOf = (packet: Buffer): number => packet.readUInt16BE(2)
export const timestampOf = (packet: Buffer): number => packet.readUInt32BE(4)
export const ssrcOf = (packet: Buffer): number => packet.readUInt32BE(8)

/** `later` minus `earlier` in the arithmetic of 16-bit sequence numbers: -32768 to 32767. */
export const sequenceDistance = (later: number, earlier: number): number =>
  ((later - earlier + 0x8000) & 0xffff) - 0x8000

/** The packet without its header extension, whose ids are valid for one connection only; the same buffer when it has none. */
export function removeHeaderExtension(packet: Buffer): Buffer {
  const first = packet[0] ?? 0
  if ((first & 0x10) === 0) return packet
  const extensionStart = RTP_HEADER_BYTES + (first & 15) * 4
  if (packet.length < extensionStart + 4) return packet
  const extensionEnd = extensionStart + 4 + packet.readUInt16BE(extensionStart + 2) * 4
  if (packet.length < extensionEnd) return packet
  const shortened = Buffer.allocUnsafe(packet.length - (extensionEnd - extensionStart))
  packet.copy(shortened, 0, 0, extensionStart)
  packet.copy(shortened, extensionStart, extensionEnd)
  shortened[0] = first & ~0x10
  return shortened
}

/** One packet of a compound RTCP packet (RFC 3550, 6.1). */
export interface RtcpPacket {
  type: number
  /** Report count or feedback message type (FMT), depending on `type`. */
  format: number
  body: Buffer
}

const TYPE_SENDER_REPORT = 200
const TYPE_TRANSPORT_FEEDBACK = 205
const TYPE_PAYLOAD_FEEDBACK = 206

/** Splits a compound RTCP packet. A truncated packet at its end is dropped. */
export function readRtcpPackets(compound: Buffer): RtcpPacket[] {
  const packets: RtcpPacket[] = []
  for (let start = 0; start + 4 <= compound.length; ) {
    const end = start + (compound.readUInt16BE(start + 2) + 1) * 4
    if (end > compound.length) break
    const body = compound.subarray(start, end)
    packets.push({ type: compound[start + 1] ?? 0, format: (compound[start] ?? 0) & 31, body })
    start = end
  }
  return packets
}

/** Sequence numbers that a generic NACK requests (RFC 4585, 6.2.1); empty for any other packet. */
export function nackedSequences({ type, format, body }: RtcpPacket): number[] {
  if (type !== TYPE_TRANSPORT_FEEDBACK || format !== 1) return []
  const sequences: number[] = []
  for (let offset = 12; offset + 4 <= body.length; offset += 4) {
    const packetId = body.readUInt16BE(offset)
    const lostBitmask = body.readUInt16BE(offset + 2)
    sequences.push(packetId)
    for (let bit = 0; bit < 16; bit++) if ((lostBitmask >> bit) & 1) sequences.push((packetId + bit + 1) & 0xffff)
  }
  return sequences
}

/** Whether a receiver requests a keyframe: PLI (RFC 4585, 6.3.1) or FIR (RFC 5104, 4.3.1). */
export const isKeyframeRequest = ({ type, format }: RtcpPacket): boolean =>
  type === TYPE_PAYLOAD_FEEDBACK && (format === 1 || format === 4)

/** A generic NACK for these sequence numbers, which must ascend (modulo 2^16). */
export function createNack(senderSsrc: number, mediaSsrc: number, sequences: readonly number[]): Buffer {
  const pairs: [first: number, others: number][] = []
  for (const sequence of sequences) {
    const last = pairs.at(-1)
    const distance = last ? sequenceDistance(sequence, last[0]) : 0
    if (last && distance > 0 && distance <= 16) last[1] |= 1 << (distance - 1)
    else pairs.push([sequence, 0])
  }
  const packet = createFeedback(TYPE_TRANSPORT_FEEDBACK, 1, senderSsrc, mediaSsrc, pairs.length * 4)
  pairs.forEach(([packetId, lostBitmask], index) => {
    packet.writeUInt16BE(packetId, 12 + index * 4)
    packet.writeUInt16BE(lostBitmask, 14 + index * 4)
  })
  return packet
}

/** A picture loss indication (RFC 4585, 6.3.1): requests a keyframe. */
export const createPli = (senderSsrc: number, mediaSsrc: number): Buffer =>
  createFeedback(TYPE_PAYLOAD_FEEDBACK, 1, senderSsrc, mediaSsrc, 0)

/** The maximum bitrate that the receiver accepts (REMB): 6 bits of exponent, 18 bits of mantissa. */
export function createRemb(senderSsrc: number, mediaSsrc: number, bitsPerSecond: number): Buffer {
  const packet = createFeedback(TYPE_PAYLOAD_FEEDBACK, 15, senderSsrc, 0, 12)
  const exponent = Math.max(0, Math.ceil(Math.log2((bitsPerSecond + 1) / 0x40000)))
  const mantissa = Math.floor(bitsPerSecond / 2 ** exponent)
  packet.write('REMB', 12, 'latin1')
  packet.writeUInt32BE(((1 << 24) | (exponent << 18) | mantissa) >>> 0, 16)
  packet.writeUInt32BE(mediaSsrc, 20)
  return packet
}

/** The pair of wall clock and RTP timestamp of a sender report. `ntpMs` in ms since 1970. */
export interface SenderClock {
  ssrc: number
  ntpMs: number
  rtpTime: number
  /** Middle 32 bits of the NTP timestamp, which the receiver report repeats (LSR). */
  ntpMiddle: number
}

/** Reads a sender report; null for any other packet. */
export function readSenderReport({ type, body }: RtcpPacket): SenderClock | null {
  if (type !== TYPE_SENDER_REPORT || body.length < 28) return null
  const [seconds, fraction] = [body.readUInt32BE(8), body.readUInt32BE(12)]
  const ntpMs = (seconds - NTP_EPOCH_OFFSET_SECONDS) * 1000 + (fraction * 1000) / 2 ** 32
  return { ssrc: body.readUInt32BE(4), ntpMs, rtpTime: body.readUInt32BE(16), ntpMiddle: body.readUInt32BE(10) }
}

export interface SentCounts {
  packets: number
  octets: number
}

/** A sender report: maps wall clock (ms since 1970) to RTP time, so that receivers synchronize audio and video. */
export function createSenderReport(
  senderSsrc: number,
  ntpMs: number,
  rtpTime: number,
  { packets, octets }: SentCounts,
): Buffer {
  const packet = Buffer.alloc(28)
  writeHeader(packet, 0, TYPE_SENDER_REPORT, senderSsrc)
  const seconds = Math.floor(ntpMs / 1000)
  packet.writeUInt32BE((seconds + NTP_EPOCH_OFFSET_SECONDS) >>> 0, 8)
  packet.writeUInt32BE(Math.floor(((ntpMs / 1000) % 1) * 2 ** 32) >>> 0, 12)
  packet.writeUInt32BE(rtpTime >>> 0, 16)
  packet.writeUInt32BE(packets >>> 0, 20)
  packet.writeUInt32BE(octets >>> 0, 24)
  return packet
}

export interface ReportBlock {
  /** Share of the packets expected since the last report that were lost, 0 to 1. */
  fractionLost: number
  cumulativeLost: number
  /** Extended highest sequence number: the cycle count in the upper 16 bits. */
  highestSequence: number
  /** In units of the RTP clock. */
  jitter: number
  /** Middle 32 bits of the NTP timestamp of the last sender report (LSR); 0 before the first. */
  lastSenderReport: number
  /** Milliseconds since that report arrived (DLSR). */
  sinceSenderReportMs: number
}

/** A receiver report with one report block (RFC 3550, 6.4.2). */
export function createReceiverReport(senderSsrc: number, mediaSsrc: number, block: ReportBlock): Buffer {
  const packet = Buffer.alloc(32)
  writeHeader(packet, 1, 201, senderSsrc)
  packet.writeUInt32BE(mediaSsrc, 8)
  packet[12] = Math.min(255, Math.floor(block.fractionLost * 256))
  packet.writeIntBE(Math.max(-0x800000, Math.min(0x7fffff, block.cumulativeLost)), 13, 3)
  packet.writeUInt32BE(block.highestSequence >>> 0, 16)
  packet.writeUInt32BE(Math.floor(block.jitter) >>> 0, 20)
  packet.writeUInt32BE(block.lastSenderReport, 24)
  packet.writeUInt32BE(
    block.lastSenderReport === 0 ? 0 : Math.floor((block.sinceSenderReportMs * 65_536) / 1000) >>> 0,
    28,
  )
  return packet
}

/** Seconds from the NTP epoch, 1900, to 1970. */
const NTP_EPOCH_OFFSET_SECONDS = 2_208_988_800

function createFeedback(
  type: number,
  format: number,
  senderSsrc: number,
  mediaSsrc: number,
  payloadBytes: number,
): Buffer {
  const packet = Buffer.alloc(12 + payloadBytes)
  writeHeader(packet, format, type, senderSsrc)
  packet.writeUInt32BE(mediaSsrc, 8)
  return packet
}

function writeHeader(packet: Buffer, format: number, type: number, senderSsrc: number): void {
  packet[0] = 0x80 | format
  packet[1] = type
  packet.writeUInt16BE(packet.length / 4 - 1, 2)
  packet.writeUInt32BE(senderSsrc, 4)
}
