import { api } from '../api.ts'
import { CallError } from '../call-error.ts'
import { retryUntilAccepted, type WaitReason } from '../retry.ts'
import { sendRequest } from './send-request.ts'

export interface UploadPart {
  uploadId: string
  number: number
  body: Blob
  signal?: AbortSignal | undefined
  onProgress: (event: { loaded: number; lengthComputable: boolean }) => void
  onWait: (reason: WaitReason) => void
}

const MAX_REFUSALS = 6
/** A quota of the file system is not known before the server writes. */
const DISK_FULL_STATUS = 507

/**
 * Sends one part and returns its ETag. Each attempt gets a new signed URL, because the last one may have expired. Throws
 * refusals of the server, and `part_refused` when the object store refuses the part repeatedly.
 */
export function sendPart(part: UploadPart): Promise<string> {
  const { uploadId, number } = part
  let refusals = 0
  return retryUntilAccepted(async () => {
    const { url } = await api.storage.signPart({ uploadId, number }, { context: { isQuiet: true } })
    const { status, etag, message } = await putPart(url, part)
    if (etag) return etag
    if (status === DISK_FULL_STATUS) throw new CallError('disk_full', status, message)
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

async function putPart(
  url: string,
  { body, signal, onProgress }: UploadPart,
): Promise<{ status: number; etag: string | null; message: string }> {
  const request = await sendRequest({ method: 'PUT', url, body, signal, onProgress })
  const isOk = request.status >= 200 && request.status < 300
  const message = request.status === DISK_FULL_STATUS ? messageIn(request.responseText) : ''
  return { status: request.status, etag: isOk ? request.getResponseHeader('etag') : null, message }
}

// A bucket has another form of errors.
function messageIn(body: string): string {
  try {
    return String(JSON.parse(body).message ?? '')
  } catch {
    return ''
  }
}
