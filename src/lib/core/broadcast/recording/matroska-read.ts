export interface Block {
  track: number
  /** Ms from the file's beginning. */
  at: number
  key: boolean
  data: Buffer
}

const INSIDE = new Set([0x18538067, 0x1f43b675])
const TIME = 0xe7
const SIMPLE_BLOCK = 0xa3

/** Blocks of a file as matroska.ts writes it, up to where a crash cut it off. */
export function* blocksOf(bytes: Buffer): Generator<Block> {
  let cluster = 0
  for (let at = 0; at < bytes.length; ) {
    const name = readId(bytes, at)
    const size = name && readSize(bytes, at + name.length)
    if (!name || !size) return
    const start = at + name.length + size.length
    at = start
    if (INSIDE.has(name.value)) continue
    at += size.value
    if (at > bytes.length) return
    if (name.value === TIME) cluster = bytes.readUIntBE(start, size.value)
    if (name.value === SIMPLE_BLOCK && size.value > 4) yield blockOf(bytes.subarray(start, at), cluster)
  }
}

function blockOf(bytes: Buffer, cluster: number): Block {
  const [first = 0] = bytes
  const key = ((bytes[3] ?? 0) & 0x80) !== 0
  return { track: first & 0x7f, at: cluster + bytes.readInt16BE(1), key, data: bytes.subarray(4) }
}

interface Read {
  value: number
  length: number
}

function readId(bytes: Buffer, at: number): Read | null {
  const length = Math.clz32(bytes[at] ?? 0) - 23
  if (length > 4 || at + length > bytes.length) return null
  return { value: bytes.readUIntBE(at, length), length }
}

function readSize(bytes: Buffer, at: number): Read | null {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > bytes.length) return null
  if (length > 6) return { value: 0, length }
  return { value: bytes.readUIntBE(at, length) - 2 ** (7 * length), length }
}
