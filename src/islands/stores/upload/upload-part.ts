import { api } from '../api.ts'
import { CallError } from '../call-error.ts'
import { retryUntilAccepted, type WaitReason } from '../retry.ts'

export interface UploadPart {
  uploadId: string
  number: number
  body: Blob
  signal?: AbortSignal | undefined
  onProgress: (event: { loaded: number; lengthComputable: boolean }) => void
  onWait: (want: WaitReason) => void
}

/** A connection without progress for this time counts as lost. */
const PROGRESS_TIMEOUT_MS = 60_000
const MAX_REFUSALS = 6

/**
 * Sends one part and returns its ETag. Each attempt gets a new signed URL, because the last one may have expired. Throws
 * refusals of the server, and `part_refused` when the object store refuses the part repeatedly.
 */
export function sendPart(part: UploadPart): Promise<string> {
  const { uploadId, number } = part
  let refusals = 0
  return retryUntilAccepted(async () => {
    const { url } = await api.storage.signPart({ uploadId, number }, { context: { isQuiet: true } })
    const { status, etag } = await putPart(url, part)
    if (etag) return etag
    part.onProgress({ loaded: 0, lengthComputable: true })
    await requireReadable(part.body)
    // Without a connection or with a server fault it is retried without limit; another status may be an expired URL.
    if (status !== 0 && status < 500) refusals += 1
    throw new CallError('part_refused', refusals < MAX_REFUSALS ? 0 : status, '')
  }, part)
}

/** Refuses a file that was changed or removed meanwhile: its upload fails like a lost network. */
async function requireReadable(body: Blob): Promise<void> {
  const isReadable = await body
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
  if (!isReadable) throw new CallError('unreadable', 422, '')
}

function putPart(
  url: string,
  { body, signal, onProgress }: UploadPart,
): Promise<{ status: number; etag: string | null }> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    let progressTimer = setTimeout(abort, PROGRESS_TIMEOUT_MS)
    request.open('PUT', url)
    request.upload.onprogress = (event) => {
      clearTimeout(progressTimer)
      progressTimer = setTimeout(abort, PROGRESS_TIMEOUT_MS)
      onProgress(event)
    }
    request.onloadend = () => {
      clearTimeout(progressTimer)
      signal?.removeEventListener('abort', abort)
      const isOk = request.status >= 200 && request.status < 300
      resolve({ status: request.status, etag: isOk ? request.getResponseHeader('etag') : null })
    }
    signal?.addEventListener('abort', abort)
    request.send(body)
  })
}
