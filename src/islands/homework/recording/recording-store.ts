import { openDatabase } from '#islands/stores/safe-database.ts'
import { findLockedUploads } from '#islands/stores/upload/upload-lock.ts'
import type { RecordSource } from './capture.ts'

/** A recording that this device keeps until the school has all of it. */
export interface KeptRecording {
  id: string
  /** The membership whose it is. */
  owner: string
  taskId: string
  attempt: number
  source: RecordSource
  /** Of the file. */
  name: string
  type: string
  /** Milliseconds. */
  startedAt: number
  /** The upload that has begun; null before its first part. */
  uploadId: string | null
}

const KEPT_MILLISECONDS = 14 * 24 * 3600_000

const recordings = openDatabase<KeptRecording>('kafedra-recordings', 'recordings')
const chunks = openDatabase<Blob>('kafedra-recording-chunks', 'chunks')

/** Resolves to whether the recording would outlive the page. */
export const keepRecording = (recording: KeptRecording): Promise<boolean> => recordings.put(recording.id, recording)

export const keepChunk = (id: string, index: number, chunk: Blob): Promise<boolean> =>
  chunks.put(keyOf(id, index), chunk)

/** All chunks of a recording, in their order. */
export async function readChunks(id: string): Promise<Blob[]> {
  const found: Blob[] = []
  for (let chunk = await chunks.get(keyOf(id, 0)); chunk; chunk = await chunks.get(keyOf(id, found.length))) {
    found.push(chunk)
  }
  return found
}

export async function removeRecording(id: string): Promise<void> {
  const { length } = await readChunks(id)
  await recordings.remove(id)
  for (let index = 0; index < length; index += 1) await chunks.remove(keyOf(id, index))
}

/** Recordings of a task that no tab works on, the newest first. Those that were forgotten for two weeks are removed. */
export async function leftRecordings(owner: string, taskId: string): Promise<KeptRecording[]> {
  const all = (await recordings.entries()).map(([, recording]) => recording)
  if (all.length === 0) return []
  const isHeld = await findLockedUploads()
  const left = all.filter(({ id }) => !isHeld(id))
  const isOld = ({ startedAt }: KeptRecording) => startedAt < Date.now() - KEPT_MILLISECONDS
  for (const { id } of left.filter(isOld)) await removeRecording(id)
  return left
    .filter((one) => one.owner === owner && one.taskId === taskId && !isOld(one))
    .sort((a, b) => b.startedAt - a.startedAt)
}

const keyOf = (id: string, index: number): string => `${id} ${index}`
