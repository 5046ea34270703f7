import { copyFile } from 'node:fs/promises'
import { openArchive } from './archive.ts'
import type { Archive, ArchiveLocation } from './archive-guard.ts'

export interface ArchiveFiles {
  /** Writes the file at a location to a local path; false when it no longer exists. */
  extract(place: ArchiveLocation, to: string): Promise<boolean>
  close(): void
}

/**
 * Reads files of an archive that another process has checked. The archive is opened when the first file in it is read.
 */
export function openArchiveFiles(archive: string, scratch: string): ArchiveFiles {
  let opened: Promise<Archive> | undefined
  return {
    async extract(place, to) {
      if ('path' in place) return copyFile(place.path, to).then(() => true)
      opened ??= openArchive(archive, scratch)
      return (await opened).extract(place.entry, to)
    },
    close() {
      void opened?.then(
        (archiveHandle) => archiveHandle.close(),
        () => undefined,
      )
    },
  }
}
