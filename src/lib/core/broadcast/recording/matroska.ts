import type { VideoFormat } from '../frames/depacketizer.ts'

/*
 * Matroska (RFC 9559) for live writing: segment and clusters have unknown sizes, so that the file is valid at any
 * moment.
 */

export const VIDEO_TRACK = 1
export const AUDIO_TRACK = 2
/** Maximum offset of a block from its cluster, below the 16-bit limit. */
const MAX_BLOCK_OFFSET_MS = 30_000

export interface Tracks {
  video: VideoFormat | null
  audio: boolean
}

/** The bytes before the first cluster. Times in the file are in ms. */
export function createHeader({ video, audio }: Tracks): Buffer {
  const tracks = [...(video ? [createVideoTrack(video)] : []), ...(audio ? [createAudioTrack()] : [])]
  return Buffer.concat([
    element(
      0x1a45dfa3,
      numberElement(0x4286, 1),
      numberElement(0x42f7, 1),
      numberElement(0x42f2, 4),
      numberElement(0x42f3, 8),
      textElement(0x4282, 'matroska'),
      numberElement(0x4287, 4),
      numberElement(0x4285, 2),
    ),
    unknownSizeElement(0x18538067),
    element(
      0x1549a966,
      numberElement(0x2ad7b1, 1_000_000),
      textElement(0x4d80, 'Kafedra'),
      textElement(0x5741, 'Kafedra'),
    ),
    element(0x1654ae6b, ...tracks),
  ])
}

/**
 * Returns a function that encodes frames as SimpleBlocks and starts clusters. `timeMs` from the start of the file, at
 * least 0.
 */
export function createClusterWriter() {
  let clusterTime: number | null = null
  return (track: number, timeMs: number, isKey: boolean, data: Buffer): Buffer[] => {
    const time = Math.round(timeMs)
    const startsCluster =
      clusterTime === null || (track === VIDEO_TRACK && isKey) || Math.abs(time - clusterTime) > MAX_BLOCK_OFFSET_MS
    if (startsCluster) clusterTime = time
    const header = Buffer.alloc(4)
    header[0] = 0x80 | track
    header.writeInt16BE(time - (clusterTime ?? 0), 1)
    header[3] = isKey ? 0x80 : 0
    const simpleBlock = [encodeId(0xa3), encodeSize(header.length + data.length), header, data]
    return startsCluster ? [unknownSizeElement(0x1f43b675), numberElement(0xe7, time), ...simpleBlock] : simpleBlock
  }
}

function createVideoTrack({ codec, width, height, decoderConfiguration }: VideoFormat): Buffer {
  const name = codec === 'VP8' ? 'V_VP8' : 'V_MPEG4/ISO/AVC'
  const codecPrivate = decoderConfiguration ? [element(0x63a2, decoderConfiguration)] : []
  const dimensions = element(0xe0, numberElement(0xb0, width), numberElement(0xba, height))
  return element(0xae, ...trackFields(VIDEO_TRACK, 1, name), ...codecPrivate, dimensions)
}

// OpusHead (RFC 7845, 5.1): two channels, no pre-skip, since a recording may start anywhere in a stream.
const OPUS_HEAD = Buffer.from([...Buffer.from('OpusHead'), 1, 2, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])

function createAudioTrack(): Buffer {
  const rate = Buffer.alloc(8)
  rate.writeDoubleBE(48_000)
  const frame = element(0xe1, element(0xb5, rate), numberElement(0x9f, 2))
  return element(0xae, ...trackFields(AUDIO_TRACK, 2, 'A_OPUS'), element(0x63a2, OPUS_HEAD), frame)
}

const trackFields = (track: number, type: number, codec: string): Buffer[] => [
  numberElement(0xd7, track),
  numberElement(0x73c5, track),
  numberElement(0x83, type),
  numberElement(0x9c, 0),
  textElement(0x86, codec),
]

function element(elementId: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([encodeId(elementId), encodeSize(body.length), body])
}

const textElement = (elementId: number, value: string): Buffer => element(elementId, Buffer.from(value))

function numberElement(name: number, value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; left > 0 || bytes.length === 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return element(name, Buffer.from(bytes))
}

const unknownSizeElement = (name: number): Buffer =>
  Buffer.concat([encodeId(name), Buffer.of(1, 255, 255, 255, 255, 255, 255, 255)])

function encodeId(name: number): Buffer {
  const hex = name.toString(16)
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
}

function encodeSize(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(0x10000000 + length)
  return bytes
}
