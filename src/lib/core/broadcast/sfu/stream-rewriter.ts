import { RTP_HEADER_BYTES, sequenceDistance, sequenceOf, timestampOf } from './rtp.ts'

/*
 * Rewrites RTP headers for one subscriber, so that sequence numbers and timestamps continue without a gap when another
 * publisher takes over the stream, and the player sees one source. Pure: the caller passes the time.
 */

export interface RewriterState {
  readonly ssrc: number
  readonly payloadType: number
  readonly clockRate: number
  /** Added to the publisher's sequence numbers and timestamps. */
  offset: { sequence: number; timestamp: number }
  /** The sent packet with the highest sequence number. `sentAt` in ms since 1970. */
  newest: { sequence: number; timestamp: number; sentAt: number } | null
  /** The next packet is the first one of a publisher: the offsets are to be computed again. */
  needsRebase: boolean
  packets: number
  octets: number
}

export function createRewriter(ssrc: number, payloadType: number, clockRate: number): RewriterState {
  const offset = { sequence: 0, timestamp: 0 }
  return { ssrc, payloadType, clockRate, offset, newest: null, needsRebase: true, packets: 0, octets: 0 }
}

/** Header fields that rewriting needs; read once per packet for all subscribers. */
export interface PacketHeader {
  sequence: number
  timestamp: number
  markerBit: number
  length: number
}

export const readPacketHeader = (packet: Buffer): PacketHeader => ({
  sequence: sequenceOf(packet),
  timestamp: timestampOf(packet),
  markerBit: (packet[1] ?? 0) & 0x80,
  length: packet.length,
})

/**
 * Overwrites the header in `copy`, a copy of the publisher's packet, with the values for this subscriber. After a change
 * of publisher the sequence number continues by one and the timestamp by the time that has passed.
 */
export function rewriteHeader(rewriter: RewriterState, header: PacketHeader, copy: Buffer, now: number): void {
  if (rewriter.needsRebase) rebase(rewriter, header, now)
  const sequence = (header.sequence + rewriter.offset.sequence) & 0xffff
  const timestamp = (header.timestamp + rewriter.offset.timestamp) >>> 0
  copy[1] = header.markerBit | rewriter.payloadType
  copy[2] = sequence >>> 8
  copy[3] = sequence
  writeUint32(copy, 4, timestamp)
  writeUint32(copy, 8, rewriter.ssrc)
  rewriter.packets += 1
  rewriter.octets += header.length - RTP_HEADER_BYTES
  // A retransmitted packet does not replace the newest one.
  const { newest } = rewriter
  if (newest === null) rewriter.newest = { sequence, timestamp, sentAt: now }
  else if (sequenceDistance(sequence, newest.sequence) > 0) {
    newest.sequence = sequence
    newest.timestamp = timestamp
    newest.sentAt = now
  }
}

/** The publisher's sequence number of a packet, by the sequence number that the subscriber received. */
export const originalSequence = (rewriter: RewriterState, sequence: number): number =>
  (sequence - rewriter.offset.sequence) & 0xffff

function rebase(rewriter: RewriterState, header: PacketHeader, now: number): void {
  rewriter.needsRebase = false
  if (rewriter.newest === null) return
  const elapsedTicks = Math.max(1, Math.round(((now - rewriter.newest.sentAt) * rewriter.clockRate) / 1000))
  rewriter.offset.sequence = (rewriter.newest.sequence + 1 - header.sequence) & 0xffff
  rewriter.offset.timestamp = (rewriter.newest.timestamp + elapsedTicks - header.timestamp) >>> 0
}

// Faster than Buffer.writeUInt32BE, which checks bounds: this runs twenty thousand times a second.
function writeUint32(bytes: Buffer, offset: number, word: number): void {
  bytes[offset] = word >>> 24
  bytes[offset + 1] = word >>> 16
  bytes[offset + 2] = word >>> 8
  bytes[offset + 3] = word
}
