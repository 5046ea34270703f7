export interface Block {
  track: number
  /** Ms from the start of the file. */
  timeMs: number
  isKey: boolean
  data: Buffer
}

const CONTAINER_IDS = new Set([0x18538067, 0x1f43b675])
const TIMECODE_ID = 0xe7
const SIMPLE_BLOCK_ID = 0xa3

/** Reads the blocks of a file written by matroska.ts, up to where it was truncated. */
export function* readBlocks(bytes: Buffer): Generator<Block> {
  let clusterTime = 0
  for (let offset = 0; offset < bytes.length; ) {
    const elementId = readId(bytes, offset)
    const size = elementId && readSize(bytes, offset + elementId.length)
    if (!elementId || !size) return
    const start = offset + elementId.length + size.length
    offset = start
    if (CONTAINER_IDS.has(elementId.value)) continue
    offset += size.value
    if (offset > bytes.length) return
    if (elementId.value === TIMECODE_ID) clusterTime = bytes.readUIntBE(start, size.value)
    if (elementId.value === SIMPLE_BLOCK_ID && size.value > 4)
      yield parseBlock(bytes.subarray(start, offset), clusterTime)
  }
}

function parseBlock(bytes: Buffer, cluster: number): Block {
  const [first = 0] = bytes
  const isKey = ((bytes[3] ?? 0) & 0x80) !== 0
  return { track: first & 0x7f, timeMs: cluster + bytes.readInt16BE(1), isKey, data: bytes.subarray(4) }
}

interface VarInt {
  value: number
  length: number
}

function readId(bytes: Buffer, offset: number): VarInt | null {
  const length = Math.clz32(bytes[offset] ?? 0) - 23
  if (length > 4 || offset + length > bytes.length) return null
  return { value: bytes.readUIntBE(offset, length), length }
}

function readSize(bytes: Buffer, offset: number): VarInt | null {
  const first = bytes[offset] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8 || offset + length > bytes.length) return null
  if (length > 6) return { value: 0, length }
  return { value: bytes.readUIntBE(offset, length) - 2 ** (7 * length), length }
}
