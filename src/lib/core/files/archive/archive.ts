import { open } from 'node:fs/promises'
import { type Archive, archiveRefusal } from './archive-guard.ts'
import { openTar } from './archive-tar.ts'
import { openZip } from './archive-zip.ts'

/**
 * Opens a ZIP or a gzipped tar. Refuses with unprocessable and `fields.file`: archive_unknown for anything else,
 * archive_damaged, archive_path for names that leave the folder, archive_link for links, archive_locked for passwords,
 * archive_bomb for an unpacked size far above the packed size, archive_many for too many files.
 */
export async function openArchive(path: string, scratch: string): Promise<Archive> {
  const handle = await open(path)
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    const { size } = await handle.stat()
    const start = buffer.toString('latin1')
    if (start === 'PK\x03\x04' || start === 'PK\x05\x06') return await openZip(path, size)
    if (start.startsWith('\x1f\x8b')) return await openTar(path, size, scratch)
  } finally {
    await handle.close()
  }
  throw archiveRefusal('archive_unknown')
}
