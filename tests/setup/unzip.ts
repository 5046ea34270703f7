import { crc32 } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50

/**
 * The texts in a ZIP of stored entries, by their paths, read from its central directory as unpackers do (APPNOTE 4.3).
 * Throws when a name is not marked as UTF-8 or a sum does not agree.
 */
export function textsOf(zip: Buffer): Record<string, string> {
  return Object.fromEntries(Object.entries(bytesOf(zip)).map(([name, bytes]) => [name, bytes.toString()]))
}

/** The same as bytes. */
export function bytesOf(zip: Buffer): Record<string, Buffer> {
  let end = zip.length - 22
  while (zip.readUInt32LE(end) !== END) end -= 1
  const found: Record<string, Buffer> = {}
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error(`no entry at ${at}`)
    if ((zip.readUInt16LE(at + 8) & 0x800) === 0) throw new Error('a name is not marked as UTF-8')
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset))
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0))
    const start = zip.readUInt32LE(at + 42)
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const bytes = zip.subarray(from, from + zip.readUInt32LE(at + 20))
    if (crc32(bytes) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`)
    found[name] = bytes
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return found
}
