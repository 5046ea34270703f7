import { type FileHandle, mkdir, open } from 'node:fs/promises'
import path from 'node:path'

/** Ms that bytes may wait before they are written: what a killed process loses. */
const WRITE_EVERY = 250
/** Ms between flushes to the disk: what a machine without power loses. */
const FLUSH_EVERY = 4000
/** Bytes that wait for a slow disk at most. */
const MOST_WAITING = 48 * 1024 ** 2

export interface Appending {
  /** False when the disk is too slow for it, and it was dropped. */
  write(chunks: readonly Buffer[]): boolean
  /** Writes and flushes the rest. */
  close(): Promise<void>
}

/** A file that only grows. `failed` hears of the first write that did not succeed; nothing is written after it. */
export function appendTo(file: string, failed: (error: Error) => void): Appending {
  let waiting: Buffer[] = []
  let bytes = 0
  let handle: FileHandle | null = null
  let broken = false
  let work: Promise<void> = mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    .then(async () => {
      handle = await open(file, 'a', 0o600)
    })
    .catch(fail)
  let flushed = Date.now()
  const timer = setInterval(() => void put(), WRITE_EVERY)

  function fail(error: unknown): void {
    if (broken) return
    broken = true
    clearInterval(timer)
    failed(error instanceof Error ? error : new Error(String(error)))
  }

  function put(): Promise<void> {
    work = work
      .then(async () => {
        if (broken || waiting.length === 0) return
        const taken = Buffer.concat(waiting)
        waiting = []
        bytes = 0
        await handle?.appendFile(taken)
        if (Date.now() - flushed < FLUSH_EVERY) return
        flushed = Date.now()
        await handle?.datasync()
      })
      .catch(fail)
    return work
  }

  return {
    write(chunks) {
      if (broken || bytes > MOST_WAITING) return false
      for (const chunk of chunks) bytes += chunk.length
      waiting.push(...chunks)
      return true
    },
    async close() {
      clearInterval(timer)
      await put()
      if (!broken) await handle?.datasync().catch(fail)
      await handle?.close()
    },
  }
}
