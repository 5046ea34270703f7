import { isRtcp, sequenceDistance } from '../sfu/rtp.ts'

/** An RTP packet (RFC 3550) without header extensions and padding. */
export interface RtpPacket {
  /** 16 bits. */
  sequence: number
  /** 32 bits, in units of the codec's clock rate. */
  timestamp: number
  marker: boolean
  payload: Buffer
  /** Arrival time, in ms since 1970. */
  arrivedAt: number
}

/** Parses an RTP packet; null for RTCP on the same port (RFC 5761) and for truncated packets. */
export function parseRtpPacket(bytes: Buffer, arrivedAt: number): RtpPacket | null {
  if (bytes.length < 12 || isRtcp(bytes)) return null
  const [first = 0, second = 0] = bytes
  let start = 12 + (first & 15) * 4
  if (first & 0x10) {
    if (bytes.length < start + 4) return null
    start += 4 + bytes.readUInt16BE(start + 2) * 4
  }
  const end = bytes.length - (first & 0x20 ? (bytes.at(-1) ?? 0) : 0)
  if (start >= end) return null
  const payload = bytes.subarray(start, end)
  const header = { sequence: bytes.readUInt16BE(2), timestamp: bytes.readUInt32BE(4), marker: (second & 0x80) !== 0 }
  return { ...header, payload, arrivedAt }
}

/** Time to wait for a missing packet: longer than all NACK retries. */
const MAX_WAIT_MS = 400
const MAX_BUFFERED_PACKETS = 2048
/** A larger jump of the sequence number means that the sender restarted. */
const RESTART_DISTANCE = 4096

/**
 * Jitter buffer: passes packets of one track to `onPacket` in order, each once. `afterLoss`: packets before it are
 * lost.
 */
export function createJitterBuffer(onPacket: (packet: RtpPacket, afterLoss: boolean) => void) {
  const buffered = new Map<number, RtpPacket>()
  let next: number | null = null

  function drain(): void {
    for (;;) {
      const packet = next === null ? undefined : buffered.get(next)
      if (!packet || next === null) return
      buffered.delete(next)
      next = (next + 1) & 0xffff
      onPacket(packet, false)
    }
  }

  function skipMissing(): void {
    const expected = next ?? 0
    let nearest: RtpPacket | undefined
    for (const packet of buffered.values()) {
      if (!nearest || sequenceDistance(packet.sequence, expected) < sequenceDistance(nearest.sequence, expected))
        nearest = packet
    }
    if (!nearest) return
    buffered.delete(nearest.sequence)
    next = (nearest.sequence + 1) & 0xffff
    onPacket(nearest, true)
    drain()
  }

  return {
    push(packet: RtpPacket): void {
      next ??= packet.sequence
      const distance = sequenceDistance(packet.sequence, next)
      if (distance < 0 && distance > -RESTART_DISTANCE) return
      if (Math.abs(distance) >= RESTART_DISTANCE) {
        buffered.clear()
        next = (packet.sequence + 1) & 0xffff
        onPacket(packet, true)
        return
      }
      buffered.set(packet.sequence, packet)
      drain()
      const [oldest] = buffered.values()
      if (oldest && (packet.arrivedAt - oldest.arrivedAt > MAX_WAIT_MS || buffered.size > MAX_BUFFERED_PACKETS))
        skipMissing()
    },
  }
}
