import type { WaitReason } from '#islands/stores/retry.ts'
import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { HEAD_BYTES } from '#lib/core/shared/stored-file.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'

/** Description of a file at the start of its upload. */
export interface UploadStart {
  name: string
  size: number
  head: string
  sample: string
}

interface RetryOptions {
  signal: AbortSignal
  onWait: (reason: WaitReason) => void
}

/** Calls that retry while offline or signed out, and throw refusals. */
export interface PartUploaderCalls {
  startUpload: (beginning: UploadStart, retry: RetryOptions) => Promise<{ uploadId: string }>
  extendUpload: (uploadId: string, size: number, retry: RetryOptions) => Promise<unknown>
  sendPart: (part: { uploadId: string; number: number; body: Blob }, retry: RetryOptions) => Promise<unknown>
}

export interface PartUploaderEvents {
  onStart: (uploadId: string) => void
  /** Uploaded bytes in all. */
  onProgress: (bytes: number) => void
  onWait: (reason: WaitReason) => void
  /** The upload has failed; the recording continues. */
  onFail: (error: unknown) => void
}

export interface PartUploader {
  append: (chunk: Blob) => void
  /** Stops the upload; resolves when no request is running. */
  stop: () => Promise<void>
}

/**
 * Uploads a recording while it grows: each part as soon as it is full. The last part is uploaded when the recording is
 * used.
 */
export function createPartUploader(name: string, calls: PartUploaderCalls, events: PartUploaderEvents): PartUploader {
  const stopping = new AbortController()
  const retry = { signal: stopping.signal, onWait: events.onWait }
  const chunks: Blob[] = []
  let total = 0
  let parts = 0
  let uploadId: string | null = null
  let failed = false
  let sending: Promise<void> | null = null

  const hasFullPart = () => total >= (parts + 1) * UPLOAD_PART_BYTES

  async function sendFullParts(): Promise<void> {
    while (hasFullPart() && !stopping.signal.aborted) {
      const [start, end] = [parts * UPLOAD_PART_BYTES, (parts + 1) * UPLOAD_PART_BYTES]
      const body = new Blob(chunks).slice(start, end)
      if (uploadId === null) {
        ;({ uploadId } = await calls.startUpload(await describeFile(name, body), retry))
        events.onStart(uploadId)
      } else {
        await calls.extendUpload(uploadId, end, retry)
      }
      await calls.sendPart({ uploadId, number: parts + 1, body }, retry)
      parts += 1
      events.onProgress(parts * UPLOAD_PART_BYTES)
    }
  }

  function append(chunk: Blob): void {
    chunks.push(chunk)
    total += chunk.size
    if (sending || failed || stopping.signal.aborted || !hasFullPart()) return
    sending = sendFullParts()
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return
        failed = true
        events.onFail(error)
      })
      .finally(() => {
        sending = null
      })
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await sending
  }

  return { append, stop }
}

async function describeFile(name: string, body: Blob): Promise<UploadStart> {
  const head = new Uint8Array(await body.slice(0, HEAD_BYTES).arrayBuffer())
  return { name, size: body.size, head: btoa(String.fromCharCode(...head)), sample: await sampleOf(body) }
}
