import { parameterSets, setupOf, sizeOf } from '../sfu/h264.ts'
import type { RtpPacket } from './packet-order.ts'

export interface Picture {
  /** RTP time. */
  time: number
  /** When its last packet came, in ms. */
  arrived: number
  key: boolean
  /** As Matroska keeps it: a VP8 frame, or NAL units each behind its length. */
  data: Buffer
  /** Of a key frame. */
  shape?: Shape
}

export interface Shape {
  codec: 'VP8' | 'H264'
  width: number
  height: number
  /** AVCDecoderConfigurationRecord of H.264. */
  setup?: Buffer
}

/** Whether one decoder can go on from one to the other as it was set up. */
export const isSameShape = (one: Shape | null, other: Shape | null): boolean =>
  one?.codec === other?.codec &&
  one?.width === other?.width &&
  one?.height === other?.height &&
  (one?.setup ?? NOTHING).equals(other?.setup ?? NOTHING)

const NOTHING = Buffer.alloc(0)

interface Pieces {
  /** Takes the packet's payload into the frame under way; false when it cannot belong to it. */
  add(payload: Buffer): boolean
  /** The frame, and a fresh start. Null when nothing whole is there. */
  finish(): Pick<Picture, 'key' | 'data' | 'shape'> | null
}

/**
 * Makes whole frames of a track's packets in order: VP8 by RFC 7741, H.264 by RFC 6184 (single units, STAP-A, FU-A).
 * After a loss it gives nothing until the next key frame, for which it calls `broken`.
 */
export function createFrames(codec: 'VP8' | 'H264', give: (picture: Picture) => void, broken: () => void) {
  const pieces = codec === 'VP8' ? vp8Pieces() : h264Pieces()
  let waits = true
  let time: number | null = null
  return (packet: RtpPacket, afterLoss: boolean): void => {
    if (afterLoss) {
      pieces.finish()
      waits = true
      broken()
    }
    if (time !== packet.time) pieces.finish()
    time = packet.time
    if (!pieces.add(packet.payload)) {
      waits = true
      broken()
    }
    if (!packet.marker) return
    const frame = pieces.finish()
    time = null
    if (!frame) return
    if (frame.key) waits = false
    if (!waits) give({ ...frame, time: packet.time, arrived: packet.at })
  }
}

function vp8Pieces(): Pieces {
  let parts: Buffer[] = []
  return {
    add(payload) {
      const [first = 0] = payload
      let at = 1
      if (first & 0x80) {
        const flags = payload[at++] ?? 0
        if (flags & 0x80) at += (payload[at] ?? 0) & 0x80 ? 2 : 1
        if (flags & 0x40) at += 1
        if (flags & 0x30) at += 1
      }
      const begins = (first & 0x17) === 0x10
      if (!begins && parts.length === 0) return false
      if (at < payload.length) parts.push(payload.subarray(at))
      return true
    },
    finish() {
      const data = Buffer.concat(parts)
      parts = []
      if (data.length < 10) return data.length > 3 ? { key: false, data } : null
      const key = ((data[0] ?? 1) & 1) === 0
      if (!key) return { key, data }
      const [width, height] = [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff]
      return { key, data, shape: { codec: 'VP8', width, height } }
    },
  }
}

const IDR = 5
const STAP_A = 24
const FU_A = 28

function h264Pieces(): Pieces {
  let units: Buffer[] = []
  let open: Buffer[] = []
  const sets = parameterSets()
  const keep = (unit: Buffer): void => {
    sets.learn(unit)
    units.push(unit)
  }
  return {
    add(payload) {
      const [first = 0, second = 0] = payload
      const type = first & 31
      if (type > 0 && type < STAP_A) keep(payload)
      else if (type === STAP_A) for (const unit of unitsOf(payload)) keep(unit)
      else if (type === FU_A) {
        if (second & 0x80) open = [Buffer.of((first & 0xe0) | (second & 31))]
        else if (open.length === 0) return false
        open.push(payload.subarray(2))
        if (second & 0x40) keep(Buffer.concat(open.splice(0)))
      } else return false
      return true
    },
    finish() {
      const taken = units
      units = []
      open = []
      const pictures = taken.filter((unit) => kindOf(unit) >= 1 && kindOf(unit) <= IDR)
      if (pictures.length === 0) return null
      const data = Buffer.concat(taken.flatMap((unit) => [lengthOf(unit), unit]))
      const { sequence, picture } = sets
      const key = pictures.some((unit) => kindOf(unit) === IDR) && sequence() !== null && picture() !== null
      if (!key) return { key, data }
      const [sps, pps] = [sequence() ?? Buffer.alloc(0), picture() ?? Buffer.alloc(0)]
      return { key, data, shape: { codec: 'H264', ...sizeOf(sps), setup: setupOf(sps, pps) } }
    },
  }
}

const kindOf = (unit: Buffer): number => (unit[0] ?? 0) & 31

function lengthOf(unit: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(unit.length)
  return length
}

function* unitsOf(payload: Buffer): Generator<Buffer> {
  for (let at = 1; at + 2 < payload.length; ) {
    const length = payload.readUInt16BE(at)
    yield payload.subarray(at + 2, at + 2 + length)
    at += 2 + length
  }
}
