import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { readIndex } from './segment-index.ts'

/** Deletes all segments of a recording. Idempotent. */
export const deleteRecording = (directory: string): Promise<void> => rm(directory, { recursive: true, force: true })

/**
 * Deletes the segments of a recording that began before an instant; those that are recorded at the moment continue. The
 * index keeps their lines, because the recorder appends to it. Idempotent.
 */
export async function deleteSegmentsBefore(directory: string, before: Date): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const segments = await readIndex(path.join(directory, name))
    for (const segment of segments.filter(({ at }) => at < before.getTime())) await rm(segment.path, { force: true })
  }
}
