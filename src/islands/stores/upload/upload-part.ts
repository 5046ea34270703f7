import { api } from '../api.ts'
import { CallError } from '../call-error.ts'
import { persevere, type Want } from './upload-patience.ts'

export interface Part {
  uploadId: string
  number: number
  body: Blob
  signal?: AbortSignal | undefined
  onProgress: (event: { loaded: number; lengthComputable: boolean }) => void
  waits: (want: Want) => void
}

/** A connection that says nothing for so long is dead, whatever the browser believes. */
const SILENCE_MILLISECONDS = 60_000
const MOST_REFUSALS = 6

/**
 * Sends one part and gives its ETag. Each attempt gets an address of its own, so an expired one does no harm. Throws what
 * the school refuses, and the part's refusal when it comes back again and again.
 */
export function sendPart(part: Part): Promise<string> {
  const { uploadId, number } = part
  let refusals = 0
  return persevere(async () => {
    const { url } = await api.storage.signPart({ uploadId, number }, { context: { quiet: true } })
    const { status, etag } = await put(url, part)
    if (etag) return etag
    part.onProgress({ loaded: 0, lengthComputable: true })
    await mustRead(part.body)
    // Nothing was reached, or the server is in trouble: that is waited for. Anything else may be an old address.
    if (status !== 0 && status < 500) refusals += 1
    throw new CallError('part_refused', refusals < MOST_REFUSALS ? 0 : status, '')
  }, part)
}

/** A file that was changed or removed meanwhile looks like a network that is gone. */
async function mustRead(body: Blob): Promise<void> {
  const readable = await body
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
  if (!readable) throw new CallError('unreadable', 422, '')
}

function put(url: string, { body, signal, onProgress }: Part): Promise<{ status: number; etag: string | null }> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    let silence = setTimeout(stop, SILENCE_MILLISECONDS)
    request.open('PUT', url)
    request.upload.onprogress = (event) => {
      clearTimeout(silence)
      silence = setTimeout(stop, SILENCE_MILLISECONDS)
      onProgress(event)
    }
    request.onloadend = () => {
      clearTimeout(silence)
      signal?.removeEventListener('abort', stop)
      const well = request.status >= 200 && request.status < 300
      resolve({ status: request.status, etag: well ? request.getResponseHeader('etag') : null })
    }
    signal?.addEventListener('abort', stop)
    request.send(body)
  })
}
