import { crc32 } from 'node:zlib'

const END_RECORD = 0x06054b50
const ENTRY_RECORD = 0x02014b50

/**
 * The texts in a ZIP of stored entries, by their paths, read from its central directory as unpackers do (APPNOTE 4.3).
 * Throws when a name is not marked as UTF-8 or a sum does not agree.
 */
export function unzipTexts(zip: Buffer): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipFiles(zip)).map(([name, bytes]) => [name, bytes.toString()]))
}

/** The same as bytes. */
export function unzipFiles(zip: Buffer): Record<string, Buffer> {
  let end = zip.length - 22
  while (zip.readUInt32LE(end) !== END_RECORD) end -= 1
  const files: Record<string, Buffer> = {}
  let offset = zip.readUInt32LE(end + 16)
  for (let remaining = zip.readUInt16LE(end + 10); remaining > 0; remaining -= 1) {
    if (zip.readUInt32LE(offset) !== ENTRY_RECORD) throw new Error(`no entry at ${offset}`)
    if ((zip.readUInt16LE(offset + 8) & 0x800) === 0) throw new Error('a name is not marked as UTF-8')
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(offset + offset))
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
