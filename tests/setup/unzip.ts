import { crc32 } from 'node:zlib'

const END_RECORD = 0x06054b50
const ENTRY_RECORD = 0x02014b50

/**
 * Reads the texts in a ZIP of uncompressed entries by path, from its central directory (APPNOTE 4.3). Throws when a name
 * is not marked as UTF-8 or a checksum is wrong.
 */
export function unzipTexts(zip: Buffer): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipFiles(zip)).map(([name, bytes]) => [name, bytes.toString()]))
}

/** Like `unzipTexts`, but returns bytes. */
export function unzipFiles(zip: Buffer): Record<string, Buffer> {
  let end = zip.length - 22
  while (zip.readUInt32LE(end) !== END_RECORD) end -= 1
  const files: Record<string, Buffer> = {}
  let offset = zip.readUInt32LE(end + 16)
  for (let remaining = zip.readUInt16LE(end + 10); remaining > 0; remaining -= 1) {
    if (zip.readUInt32LE(offset) !== ENTRY_RECORD) throw new Error(`no entry at ${offset}`)
    if ((zip.readUInt16LE(offset + 8) & 0x800) === 0) throw new Error('a name is not marked as UTF-8')
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(offset + field))
    const name = zip.toString('utf8', offset + 46, offset + 46 + (nameLength ?? 0))
    const start = zip.readUInt32LE(offset + 42)
    const dataStart = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const bytes = zip.subarray(dataStart, dataStart + zip.readUInt32LE(offset + 20))
    if (crc32(bytes) !== zip.readUInt32LE(offset + 16)) throw new Error(`${name} is damaged`)
    files[name] = bytes
    offset += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return files
}
