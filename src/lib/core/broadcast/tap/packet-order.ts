import { ahead, isRtcp } from '../sfu/rtp.ts'

/** One RTP packet (RFC 3550) without its header extensions and padding. */
export interface RtpPacket {
  /** 16 bits. */
  sequence: number
  /** 32 bits, in units of the codec's clock. */
  time: number
  marker: boolean
  payload: Buffer
  /** When it came, in ms since 1970. */
  at: number
}

/** Null for what is no RTP: RTCP on the same port (RFC 5761), or something cut off. */
export function readRtp(bytes: Buffer, at: number): RtpPacket | null {
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
  const about = { sequence: bytes.readUInt16BE(2), time: bytes.readUInt32BE(4), marker: (second & 0x80) !== 0 }
  return { ...about, payload, at }
}

/** How long a missing packet is waited for, in ms: longer than all tries to have it sent again. */
const PATIENCE = 400
const MOST_WAITING = 2048
/** A step back or ahead so far is another sender under the same name, not a late packet. */
const FAR = 4096

/**
 * Puts packets of one track in order. `take` gets each once; `afterLoss` says that some before it will never come.
 */
export function createOrder(take: (packet: RtpPacket, afterLoss: boolean) => void) {
  const waiting = new Map<number, RtpPacket>()
  let next: number | null = null

  function drain(): void {
    for (;;) {
      const packet = next === null ? undefined : waiting.get(next)
      if (!packet || next === null) return
      waiting.delete(next)
      next = (next + 1) & 0xffff
      take(packet, false)
    }
  }

  function giveUp(): void {
    const from = next ?? 0
    let nearest: RtpPacket | undefined
    for (const packet of waiting.values()) {
      if (!nearest || ahead(packet.sequence, from) < ahead(nearest.sequence, from)) nearest = packet
    }
    if (!nearest) return
    waiting.delete(nearest.sequence)
    next = (nearest.sequence + 1) & 0xffff
    take(nearest, true)
    drain()
  }

  return {
    push(packet: RtpPacket): void {
      next ??= packet.sequence
      const step = ahead(packet.sequence, next)
      if (step < 0 && step > -FAR) return
      if (Math.abs(step) >= FAR) {
        waiting.clear()
        next = (packet.sequence + 1) & 0xffff
        take(packet, true)
        return
      }
      waiting.set(packet.sequence, packet)
      drain()
      const [oldest] = waiting.values()
      if (oldest && (packet.at - oldest.at > PATIENCE || waiting.size > MOST_WAITING)) giveUp()
    },
  }
}
