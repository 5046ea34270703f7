import { type FileHandle, mkdir, open } from 'node:fs/promises'
import path from 'node:path'

/** Interval of writes: the loss when the process is killed. */
const WRITE_INTERVAL_MS = 250
/** Interval of flushes to disk: the loss on a power failure. */
const FLUSH_INTERVAL_MS = 4000
/** Buffer limit for a slow disk. */
const MAX_BUFFERED_BYTES = 48 * 1024 ** 2

export interface AppendFile {
  /** Returns false when the buffer is full or a write has failed; the chunks are dropped. */
  append(chunks: readonly Buffer[]): boolean
  /** Writes and flushes the rest. */
  close(): Promise<void>
}

/** Opens a file for appending. `onError` gets the first write error; nothing is written after it. */
export function openAppendFile(file: string, onError: (error: Error) => void): AppendFile {
  let buffered: Buffer[] = []
  let bufferedBytes = 0
  let handle: FileHandle | null = null
  let hasFailed = false
  let pending: Promise<void> = mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    .then(async () => {
      handle = await open(file, 'a', 0o600)
    })
    .catch(handleError)
  let flushedAt = Date.now()
  const timer = setInterval(() => void writeBuffered(), WRITE_INTERVAL_MS)

  function handleError(error: unknown): void {
    if (hasFailed) return
    hasFailed = true
    clearInterval(timer)
    onError(error instanceof Error ? error : new Error(String(error)))
  }

  function writeBuffered(): Promise<void> {
    pending = pending
      .then(async () => {
        if (hasFailed || buffered.length === 0) return
        const chunk = Buffer.concat(buffered)
        buffered = []
        bufferedBytes = 0
        await handle?.appendFile(chunk)
        if (Date.now() - flushedAt < FLUSH_INTERVAL_MS) return
        flushedAt = Date.now()
        await handle?.datasync()
      })
      .catch(handleError)
    return pending
  }

  return {
    append(chunks) {
      if (hasFailed || bufferedBytes > MAX_BUFFERED_BYTES) return false
      for (const chunk of chunks) bufferedBytes += chunk.length
      buffered.push(...chunks)
      return true
    },
    async close() {
      clearInterval(timer)
      await writeBuffered()
      if (!hasFailed) await handle?.datasync().catch(handleError)
      await handle?.close()
    },
  }
}
