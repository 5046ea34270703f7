import type { VideoFormat } from '../frames/depacketizer.ts'

/*
 * Matroska (RFC 9559) as a live writer needs it: sizes of the segment and of its clusters are unknown, so that what has
 * been written is whole at any moment, whatever happens next.
 */

export const VIDEO_TRACK = 1
export const AUDIO_TRACK = 2
/** Ms that a block's time may be from its cluster's, with room to spare. */
const REACH = 30_000

export interface Tracks {
  video: VideoFormat | null
  audio: boolean
}

/** All that stands before the first cluster. Times are in ms. */
export function matroskaHead({ video, audio }: Tracks): Buffer {
  const tracks = [...(video ? [videoTrack(video)] : []), ...(audio ? [audioTrack()] : [])]
  return Buffer.concat([
    element(
      0x1a45dfa3,
      number(0x4286, 1),
      number(0x42f7, 1),
      number(0x42f2, 4),
      number(0x42f3, 8),
      text(0x4282, 'matroska'),
      number(0x4287, 4),
      number(0x4285, 2),
    ),
    unknown(0x18538067),
    element(0x1549a966, number(0x2ad7b1, 1_000_000), text(0x4d80, 'Kafedra'), text(0x5741, 'Kafedra')),
    element(0x1654ae6b, ...tracks),
  ])
}

/** Makes blocks with clusters around them. `at` in ms from the beginning, not below 0. */
export function createClusters() {
  let base: number | null = null
  return (track: number, at: number, key: boolean, data: Buffer): Buffer[] => {
    const time = Math.round(at)
    const opens = base === null || (track === VIDEO_TRACK && key) || Math.abs(time - base) > REACH
    if (opens) base = time
    const head = Buffer.alloc(4)
    head[0] = 0x80 | track
    head.writeInt16BE(time - (base ?? 0), 1)
    head[3] = key ? 0x80 : 0
    const block = [id(0xa3), size(head.length + data.length), head, data]
    return opens ? [unknown(0x1f43b675), number(0xe7, time), ...block] : block
  }
}

function videoTrack({ codec, width, height, decoderConfiguration }: VideoFormat): Buffer {
  const name = codec === 'VP8' ? 'V_VP8' : 'V_MPEG4/ISO/AVC'
  const about = decoderConfiguration ? [element(0x63a2, decoderConfiguration)] : []
  const frame = element(0xe0, number(0xb0, width), number(0xba, height))
  return element(0xae, ...trackHead(VIDEO_TRACK, 1, name), ...about, frame)
}

// OpusHead (RFC 7845, 5.1): two channels, nothing to skip, since a recording may begin anywhere in a stream.
const OPUS = Buffer.from([...Buffer.from('OpusHead'), 1, 2, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])

function audioTrack(): Buffer {
  const rate = Buffer.alloc(8)
  rate.writeDoubleBE(48_000)
  const frame = element(0xe1, element(0xb5, rate), number(0x9f, 2))
  return element(0xae, ...trackHead(AUDIO_TRACK, 2, 'A_OPUS'), element(0x63a2, OPUS), frame)
}

const trackHead = (track: number, type: number, codec: string): Buffer[] => [
  number(0xd7, track),
  number(0x73c5, track),
  number(0x83, type),
  number(0x9c, 0),
  text(0x86, codec),
]

function element(name: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([id(name), size(body.length), body])
}

const text = (name: number, value: string): Buffer => element(name, Buffer.from(value))

function number(name: number, value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; left > 0 || bytes.length === 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return element(name, Buffer.from(bytes))
}

const unknown = (name: number): Buffer => Buffer.concat([id(name), Buffer.of(1, 255, 255, 255, 255, 255, 255, 255)])

function id(name: number): Buffer {
  const hex = name.toString(16)
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
}

function size(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(0x10000000 + length)
  return bytes
}
