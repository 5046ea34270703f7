import { open } from 'node:fs/promises'

const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
/** The EBML header before the segment takes about forty bytes. */
const HEAD_BYTES = 4096

/**
 * Whether a Matroska or WebM file ends before the segment whose size its header declares (RFC 8794, section 6; RFC
 * 9559). False where the header declares no size, as in a recording that was never closed.
 */
export async function isSegmentCut(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const end = segmentEnd(buffer.subarray(0, bytesRead))
    return end !== null && (await file.stat()).size < end
  } finally {
    await file.close()
  }
}

function segmentEnd(head: Buffer): number | null {
  if (head.length < 5 || head.readUInt32BE(0) !== EBML) return null
  const header = readSize(head, 4)
  if (!header || header.value === null) return null
  const at = header.end + header.value
  if (at + 5 > head.length || head.readUInt32BE(at) !== SEGMENT) return null
  const segment = readSize(head, at + 4)
  return segment && segment.value !== null ? segment.end + segment.value : null
}

/** A variable-size integer of one to eight bytes; all bits set means unknown size. */
function readSize(head: Buffer, at: number): { value: number | null; end: number } | null {
  const first = head[at] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > head.length) return null
  let value = BigInt(first & (0xff >> length))
  for (const byte of head.subarray(at + 1, at + length)) value = value * 256n + BigInt(byte)
  const unknown = value === 2n ** BigInt(7 * length) - 1n
  return { value: unknown ? null : Number(value), end: at + length }
}
