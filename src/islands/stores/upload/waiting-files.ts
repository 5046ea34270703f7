import { DAY_MS } from '#lib/core/shared/time.ts'
import { openDatabase } from '../safe-database.ts'
import { findLockedUploads, lockUpload, releaseUpload } from './upload-lock.ts'

/** A file that was chosen for a place of the product and has not arrived at the server completely. */
export interface WaitingFile {
  /** The id of its upload. */
  id: string
  place: string
  file: File
}

interface StoredFile {
  place: string
  name: string
  content: Blob
  storedAt: number
}

/** Larger files are not copied to the storage of the browser: after the tab was closed they have to be chosen again. */
const MAX_STORED_BYTES = 200 * 1024 * 1024
const STORED_MS = 30 * DAY_MS

const database = openDatabase<StoredFile>('kafedra-files', 'waiting')

/**
 * Stores a chosen file on this device until it has arrived, so that it survives a tab that is closed without a network.
 * `place` begins with the membership's id.
 */
export async function storeWaitingFile(id: string, place: string, file: File): Promise<void> {
  if (file.size > MAX_STORED_BYTES) return
  lockUpload(id)
  await database.put(id, { place, name: file.name, content: file, storedAt: Date.now() })
}

/** Deletes the copy of a file that has arrived, or that the user has removed. */
export async function removeWaitingFile(id: string): Promise<void> {
  releaseUpload(id)
  await database.remove(id)
}

/** The files of closed tabs whose place begins with `prefix`. Copies older than thirty days are deleted. */
export async function listWaitingFiles(prefix: string): Promise<WaitingFile[]> {
  const isLocked = await findLockedUploads()
  const waiting: WaitingFile[] = []
  for (const [id, { place, name, content, storedAt }] of await database.entries()) {
    if (isLocked(id)) continue
    if (storedAt < Date.now() - STORED_MS) await database.remove(id)
    else if (place.startsWith(prefix))
      waiting.push({ id, place, file: new File([content], name, { type: content.type }) })
  }
  return waiting
}
