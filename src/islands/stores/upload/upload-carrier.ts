import AwsS3 from '@uppy/aws-s3'
import Uppy, { type UppyFile } from '@uppy/core'
import { PART_BYTES } from '#lib/core/shared/part.ts'
import { api } from '../api.ts'
import { sendPart } from './upload-part.ts'
import { persevere, type Want } from './upload-patience.ts'

export interface Told {
  sent: (id: string, bytes: number) => void
  waits: (id: string, want: Want) => void
  /** All bytes are there; the file is being put together. */
  whole: (id: string) => void
  finished: (id: string, file: Finished) => void
  failed: (id: string, error: unknown) => void
}

export type Finished = Awaited<ReturnType<typeof api.storage.finishUpload>>

export interface Carrier {
  /** Sends what has not arrived yet of an upload that the school has agreed to. */
  carry: (id: string, file: File, uploadId: string) => void
  pause: (id: string) => void
  resume: (id: string) => void
  /** Forgets the file; the school keeps what has arrived. */
  drop: (id: string) => void
}

interface Meta extends Record<string, unknown> {
  /** Our own id; Uppy makes its own from this and the name. */
  relativePath: string
  uploadId: string
}
type Body = Record<string, never>
type Carried = UppyFile<Meta, Body>

const AT_ONCE = 3
const quiet = { context: { quiet: true } }

/** Uppy with its multipart uploader: parts of 8 MB, three on the way over all files. */
export function createCarrier(told: Told): Carrier {
  const uppy = new Uppy<Meta, Body>({ id: 'uploads', logger: { debug: ignore, warn: ignore, error: ignore } })
  const carried = new Map<string, string>()
  const idOf = (file: Carried | undefined): string => file?.meta.relativePath ?? ''
  const patience = (file: Carried, signal: AbortSignal | undefined) => ({
    signal,
    waits: (want: Want) => told.waits(idOf(file), want),
  })

  uppy.use(AwsS3<Meta, Body>, {
    limit: AT_ONCE,
    // Each of our own calls is patient by itself; a second layer would only hide why it waits.
    retryDelays: [],
    shouldUseMultipart: true,
    getChunkSize: () => PART_BYTES,
    createMultipartUpload: async (file) => ({ uploadId: file.meta.uploadId, key: file.meta.uploadId }),
    listParts: async (file, { uploadId = '', signal }) => {
      const parts = await persevere(() => api.storage.listParts({ uploadId }, quiet), patience(file, signal))
      return parts.map(({ number, size, etag }) => ({ PartNumber: number, Size: size, ETag: etag }))
    },
    // The address is asked for when the part's turn comes: it is young then, and anew after a failure.
    signPart: (file, { partNumber }) => ({ method: 'PUT', url: `${idOf(file)}#${partNumber}` }),
    uploadPartBytes: async ({ signature, body, onProgress, onComplete, signal }) => {
      const [id = '', number = ''] = signature.url.split('#')
      const file = uppy.getFile(carried.get(id) ?? '')
      if (!(body instanceof Blob)) throw new Error('a part is a piece of the file')
      const part = { uploadId: file.meta.uploadId, number: Number(number), body, onProgress, ...patience(file, signal) }
      const etag = await sendPart(part)
      onProgress({ loaded: body.size, lengthComputable: true })
      onComplete(etag)
      return { ETag: etag }
    },
    completeMultipartUpload: async (file, { uploadId = '', signal }) => {
      told.whole(idOf(file))
      const made = await persevere(() => api.storage.finishUpload({ uploadId }, quiet), patience(file, signal))
      finished.set(idOf(file), made)
      return {}
    },
    abortMultipartUpload: async () => undefined,
  })

  const finished = new Map<string, Finished>()
  uppy.on('upload-progress', (file, { bytesUploaded }) => told.sent(idOf(file), bytesUploaded || 0))
  uppy.on('upload-success', (file) => {
    const id = idOf(file)
    const made = finished.get(id)
    finished.delete(id)
    drop(id)
    if (made) told.finished(id, made)
  })
  uppy.on('upload-error', (file, error) => {
    const id = idOf(file)
    drop(id)
    told.failed(id, error)
  })

  function carry(id: string, data: File, uploadId: string): void {
    const key = uppy.addFile({ name: data.name, type: data.type, data, meta: { relativePath: id, uploadId } })
    carried.set(id, key)
    // Known parts are asked for first: an upload of an earlier page goes on where it stopped.
    const known = { isPaused: false, s3Multipart: { key: uploadId, uploadId } }
    uppy.setFileState(key, known)
    uppy.upload().catch(ignore)
  }

  function turn(id: string, paused: boolean): void {
    const file = uppy.getFile(carried.get(id) ?? '')
    if (file && Boolean(file.isPaused) !== paused) uppy.pauseResume(file.id)
  }

  function drop(id: string): void {
    const key = carried.get(id)
    carried.delete(id)
    if (key && uppy.getFile(key)) uppy.removeFile(key)
  }

  return { carry, pause: (id) => turn(id, true), resume: (id) => turn(id, false), drop }
}

function ignore(): void {}
