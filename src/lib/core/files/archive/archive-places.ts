import { copyFile } from 'node:fs/promises'
import { openArchive } from './archive.ts'
import type { Archive, ArchivePlace } from './archive-guard.ts'

export interface Places {
  /** Writes the file of a place to a path of ours; false when it is not there any more. */
  extract(place: ArchivePlace, to: string): Promise<boolean>
  close(): void
}

/** Files of an archive that another process has read. The archive is opened at the first file that lies in it. */
export function openPlaces(archive: string, scratch: string): Places {
  let opened: Promise<Archive> | undefined
  return {
    async extract(place, to) {
      if ('path' in place) return copyFile(place.path, to).then(() => true)
      opened ??= openArchive(archive, scratch)
      return (await opened).extract(place.entry, to)
    },
    close() {
      void opened?.then(
        (one) => one.close(),
        () => undefined,
      )
    },
  }
}
