import { buildDecoderConfiguration, createParameterSetCache, readPictureSize } from '../sfu/h264.ts'
import type { RtpPacket } from './jitter-buffer.ts'

export interface VideoFrame {
  /** RTP timestamp. */
  timestamp: number
  /** Arrival time of its last packet, in ms. */
  arrivedAt: number
  isKey: boolean
  /** In Matroska format: a VP8 frame, or H.264 NAL units with length prefixes. */
  data: Buffer
  /** Keyframes only. */
  format?: VideoFormat
}

export interface VideoFormat {
  codec: 'VP8' | 'H264'
  width: number
  height: number
  /** AVCDecoderConfigurationRecord of H.264. */
  decoderConfiguration?: Buffer
}

/** Whether a decoder can continue without being reconfigured. */
export const isSameFormat = (first: VideoFormat | null, other: VideoFormat | null): boolean =>
  first?.codec === other?.codec &&
  first?.width === other?.width &&
  first?.height === other?.height &&
  (first?.decoderConfiguration ?? EMPTY).equals(other?.decoderConfiguration ?? EMPTY)

const EMPTY = Buffer.alloc(0)

interface FrameAssembler {
  /** Adds a payload to the current frame; false when it cannot belong to it. */
  add(payload: Buffer): boolean
  /** Returns the frame and resets; null when it is incomplete. */
  takeFrame(): Pick<VideoFrame, 'isKey' | 'data' | 'format'> | null
}

/**
 * Assembles frames from ordered packets of a track: VP8 by RFC 7741, H.264 by RFC 6184 (single NAL units, STAP-A,
 * FU-A). After a loss it calls `onLoss` and drops frames until the next keyframe.
 */
export function createDepacketizer(codec: 'VP8' | 'H264', onFrame: (picture: VideoFrame) => void, onLoss: () => void) {
  const assembler = codec === 'VP8' ? createVp8Assembler() : createH264Assembler()
  let isAwaitingKeyframe = true
  let timestamp: number | null = null
  return (packet: RtpPacket, afterLoss: boolean): void => {
    if (afterLoss) {
      assembler.takeFrame()
      isAwaitingKeyframe = true
      onLoss()
    }
    if (timestamp !== packet.timestamp) assembler.takeFrame()
    timestamp = packet.timestamp
    if (!assembler.add(packet.payload)) {
      isAwaitingKeyframe = true
      onLoss()
    }
    if (!packet.marker) return
    const frame = assembler.takeFrame()
    timestamp = null
    if (!frame) return
    if (frame.isKey) isAwaitingKeyframe = false
    if (!isAwaitingKeyframe) onFrame({ ...frame, timestamp: packet.timestamp, arrivedAt: packet.arrivedAt })
  }
}

function createVp8Assembler(): FrameAssembler {
  let parts: Buffer[] = []
  return {
    add(payload) {
      const [first = 0] = payload
      let offset = 1
      if (first & 0x80) {
        const flags = payload[offset++] ?? 0
        if (flags & 0x80) offset += (payload[offset] ?? 0) & 0x80 ? 2 : 1
        if (flags & 0x40) offset += 1
        if (flags & 0x30) offset += 1
      }
      const isFrameStart = (first & 0x17) === 0x10
      if (!isFrameStart && parts.length === 0) return false
      if (offset < payload.length) parts.push(payload.subarray(offset))
      return true
    },
    takeFrame() {
      const data = Buffer.concat(parts)
      parts = []
      if (data.length < 10) return data.length > 3 ? { isKey: false, data } : null
      const isKey = ((data[0] ?? 1) & 1) === 0
      if (!isKey) return { isKey, data }
      const [width, height] = [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff]
      return { isKey, data, format: { codec: 'VP8', width, height } }
    },
  }
}

const IDR = 5
const STAP_A = 24
const FU_A = 28

function createH264Assembler(): FrameAssembler {
  let units: Buffer[] = []
  let fragments: Buffer[] = []
  const parameterSets = createParameterSetCache()
  const addUnit = (unit: Buffer): void => {
    parameterSets.store(unit)
    units.push(unit)
  }
  return {
    add(payload) {
      const [first = 0, second = 0] = payload
      const type = first & 31
      if (type > 0 && type < STAP_A) addUnit(payload)
      else if (type === STAP_A) for (const unit of splitStapA(payload)) addUnit(unit)
      else if (type === FU_A) {
        if (second & 0x80) fragments = [Buffer.of((first & 0xe0) | (second & 31))]
        else if (fragments.length === 0) return false
        fragments.push(payload.subarray(2))
        if (second & 0x40) addUnit(Buffer.concat(fragments.splice(0)))
      } else return false
      return true
    },
    takeFrame() {
      const frameUnits = units
      units = []
      fragments = []
      const slices = frameUnits.filter((unit) => nalUnitType(unit) >= 1 && nalUnitType(unit) <= IDR)
      if (slices.length === 0) return null
      const data = Buffer.concat(frameUnits.flatMap((unit) => [encodeLength(unit), unit]))
      const { sps: sequence, pps: picture } = parameterSets
      const isKey = slices.some((unit) => nalUnitType(unit) === IDR) && sequence() !== null && picture() !== null
      if (!isKey) return { isKey, data }
      const [sps, pps] = [sequence() ?? Buffer.alloc(0), picture() ?? Buffer.alloc(0)]
      return {
        isKey,
        data,
        format: { codec: 'H264', ...readPictureSize(sps), decoderConfiguration: buildDecoderConfiguration(sps, pps) },
      }
    },
  }
}

const nalUnitType = (unit: Buffer): number => (unit[0] ?? 0) & 31

function encodeLength(unit: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(unit.length)
  return length
}

function* splitStapA(payload: Buffer): Generator<Buffer> {
  for (let offset = 1; offset + 2 < payload.length; ) {
    const length = payload.readUInt16BE(offset)
    yield payload.subarray(offset + 2, offset + 2 + length)
    offset += 2 + length
  }
}
