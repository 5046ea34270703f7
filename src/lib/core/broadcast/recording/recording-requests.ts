import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { parseJson } from '#lib/core/shared/text/json.ts'
import { config } from '../../config/config.ts'

const StoredRequest = z.object({ room: z.string(), directory: z.string() })
export type RecordingRequest = z.infer<typeof StoredRequest> & { stream: null }

const requestsFolder = (): string => path.join(config.dataDir, 'broadcast', 'wanted')
const requestFile = (room: string): string => path.join(requestsFolder(), `${room}.json`)

/** Default directory of the recording of a room. */
export const recordingDirectory = (room: string): string => path.join(config.dataDir, 'broadcast', 'recording', room)

/** Recordings that were started and not stopped, also by a process that has ended since. */
export async function listRecordingRequests(): Promise<RecordingRequest[]> {
  const names = await readdir(requestsFolder()).catch(() => [])
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFile(path.join(requestsFolder(), name), 'utf8').catch(() => '')),
  )
  return texts.flatMap((text) => {
    const parsed = StoredRequest.safeParse(parseJson(text))
    return parsed.success ? [{ ...parsed.data, stream: null }] : []
  })
}

/** Writes to a temporary file and renames it, so that readers never see a partial file. */
export async function saveRecordingRequest(room: string, directory: string): Promise<void> {
  await mkdir(requestsFolder(), { recursive: true, mode: 0o700 })
  // Concurrent writes for the same room need different temporary names.
  const temporaryFile = `${requestFile(room)}.${randomUUID()}`
  try {
    await writeFile(temporaryFile, JSON.stringify({ room, directory }), { flush: true })
    await rename(temporaryFile, requestFile(room))
  } catch (error) {
    await rm(temporaryFile, { force: true })
    throw error
  }
}

export const deleteRecordingRequest = (room: string): Promise<void> => rm(requestFile(room), { force: true })

// A damaged file must not prevent other recordings.
