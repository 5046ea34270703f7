import type { WaitReason } from '#islands/stores/upload/upload-retry.ts'
import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { HEAD_BYTES } from '#lib/core/shared/stored-file.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'

/** What the school is told of a file before its first byte. */
export interface Beginning {
  name: string
  size: number
  head: string
  sample: string
}

export interface Patience {
  signal: AbortSignal
  waits: (want: WaitReason) => void
}

/** Calls that wait for the network and for the person as long as it takes, and throw what the school refuses. */
export interface SenderCalls {
  begin: (beginning: Beginning, patience: Patience) => Promise<{ uploadId: string }>
  grow: (uploadId: string, size: number, patience: Patience) => Promise<unknown>
  send: (part: { uploadId: string; number: number; body: Blob }, patience: Patience) => Promise<unknown>
}

export interface SenderEvents {
  begun: (uploadId: string) => void
  /** Bytes that have arrived in all. */
  sent: (bytes: number) => void
  waits: (want: WaitReason) => void
  /** Nothing more is sent; the recording goes on without. */
  failed: (error: unknown) => void
}

export interface Sender {
  append: (chunk: Blob) => void
  /** Sends nothing more; resolves when nothing is on its way. */
  stop: () => Promise<void>
}

/** Sends a recording while it grows: each part as soon as it is full. The rest is for whoever finishes the upload. */
export function createSender(name: string, calls: SenderCalls, events: SenderEvents): Sender {
  const stopping = new AbortController()
  const patience = { signal: stopping.signal, waits: events.waits }
  const chunks: Blob[] = []
  let total = 0
  let parts = 0
  let uploadId: string | null = null
  let failed = false
  let sending: Promise<void> | null = null

  const isFull = () => total >= (parts + 1) * UPLOAD_PART_BYTES

  async function sendFull(): Promise<void> {
    while (isFull() && !stopping.signal.aborted) {
      const [start, end] = [parts * UPLOAD_PART_BYTES, (parts + 1) * UPLOAD_PART_BYTES]
      const body = new Blob(chunks).slice(start, end)
      if (uploadId === null) {
        ;({ uploadId } = await calls.begin(await beginningOf(name, body), patience))
        events.begun(uploadId)
      } else {
        await calls.grow(uploadId, end, patience)
      }
      await calls.send({ uploadId, number: parts + 1, body }, patience)
      parts += 1
      events.sent(parts * UPLOAD_PART_BYTES)
    }
  }

  function append(chunk: Blob): void {
    chunks.push(chunk)
    total += chunk.size
    if (sending || failed || stopping.signal.aborted || !isFull()) return
    sending = sendFull()
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return
        failed = true
        events.failed(error)
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

async function beginningOf(name: string, body: Blob): Promise<Beginning> {
  const head = new Uint8Array(await body.slice(0, HEAD_BYTES).arrayBuffer())
  return { name, size: body.size, head: btoa(String.fromCharCode(...head)), sample: await sampleOf(body) }
}
