import { openDatabase } from '#islands/stores/safe-database.ts'
import { findLockedUploads } from '#islands/stores/upload/upload-lock.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { RecordingSource } from './capture.ts'

/** A recording stored on this device until its upload has finished. */
export interface StoredRecording {
  id: string
  /** The author's membership. */
  owner: string
  taskId: string
  attempt: number
  source: RecordingSource
  /** File name. */
  name: string
  type: string
  /** Milliseconds. */
  startedAt: number
  /** The started upload; null before the first part. */
  uploadId: string | null
}

const RETENTION_MS = 14 * DAY_MS

const recordings = openDatabase<StoredRecording>('kafedra-recordings', 'recordings')
const chunks = openDatabase<Blob>('kafedra-recording-chunks', 'chunks')

/** Resolves to whether the recording survives closing the page. */
export const saveRecording = (recording: StoredRecording): Promise<boolean> => recordings.put(recording.id, recording)

export const saveChunk = (id: string, index: number, chunk: Blob): Promise<boolean> =>
  chunks.put(chunkKey(id, index), chunk)

/** All chunks of a recording, in order. */
export async function readChunks(id: string): Promise<Blob[]> {
  const blobs: Blob[] = []
  for (let chunk = await chunks.get(chunkKey(id, 0)); chunk; chunk = await chunks.get(chunkKey(id, blobs.length))) {
    blobs.push(chunk)
  }
  return blobs
}

export async function removeRecording(id: string): Promise<void> {
  const { length } = await readChunks(id)
  await recordings.remove(id)
  for (let index = 0; index < length; index += 1) await chunks.remove(chunkKey(id, index))
}

/** Recordings of a task that no tab uses, the newest first. Those older than two weeks are removed. */
export async function listLeftRecordings(owner: string, taskId: string): Promise<StoredRecording[]> {
  const all = (await recordings.entries()).map(([, recording]) => recording)
  if (all.length === 0) return []
  const isHeld = await findLockedUploads()
  const unlocked = all.filter(({ id }) => !isHeld(id))
  const isOld = ({ startedAt }: StoredRecording) => startedAt < Date.now() - RETENTION_MS
  for (const { id } of unlocked.filter(isOld)) await removeRecording(id)
  return unlocked
    .filter((recording) => recording.owner === owner && recording.taskId === taskId && !isOld(recording))
    .sort((a, b) => b.startedAt - a.startedAt)
}

const chunkKey = (id: string, index: number): string => `${id} ${index}`
