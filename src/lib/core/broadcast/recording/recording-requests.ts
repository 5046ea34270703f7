import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { config } from '../../config/config.ts'

const Wanted = z.object({ room: z.string(), directory: z.string() })
export type WantedRecording = z.infer<typeof Wanted> & { stream: null }

const folder = (): string => path.join(config.dataDir, 'broadcast', 'wanted')
const fileOf = (room: string): string => path.join(folder(), `${room}.json`)

/** Where the recording of a room lies unless told otherwise. */
export const recordingPlace = (room: string): string => path.join(config.dataDir, 'broadcast', 'recording', room)

/** Rooms whose recording was begun and not ended, whoever died since. */
export async function listWanted(): Promise<WantedRecording[]> {
  const names = await readdir(folder()).catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFile(path.join(folder(), name), 'utf8').catch(() => '')),
  )
  return found.flatMap((text) => {
    const parsed = Wanted.safeParse(parsedJson(text))
    return parsed.success ? [{ ...parsed.data, stream: null }] : []
  })
}

/** Written aside and renamed: a process that starts meanwhile reads it whole or not at all. */
export async function keepWanted(room: string, directory: string): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 })
  // One process may write the same room twice at once: each write has a name of its own.
  const aside = `${fileOf(room)}.${randomUUID()}`
  try {
    await writeFile(aside, JSON.stringify({ room, directory }), { flush: true })
    await rename(aside, fileOf(room))
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

export const dropWanted = (room: string): Promise<void> => rm(fileOf(room), { force: true })

// What a failing disk has left is no reason to record nothing else.
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
