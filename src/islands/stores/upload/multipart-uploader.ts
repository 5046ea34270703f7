import AwsS3 from '@uppy/aws-s3'
import Uppy, { type UppyFile } from '@uppy/core'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { api } from '../api.ts'
import { retryUntilAccepted, type WaitReason } from '../retry.ts'
import { sendPart } from './upload-part.ts'

export interface UploaderEvents {
  onProgress: (id: string, bytes: number) => void
  onWait: (id: string, reason: WaitReason) => void
  /** All bytes have been sent; the server assembles the file. */
  onAllSent: (id: string) => void
  onFinished: (id: string, file: FinishedUpload) => void
  onFailed: (id: string, error: unknown) => void
}

export type FinishedUpload = Awaited<ReturnType<typeof api.storage.finishUpload>>

export interface Uploader {
  /** Sends the missing parts of an upload that the server has accepted. */
  start: (id: string, file: File, uploadId: string) => void
  pause: (id: string) => void
  resume: (id: string) => void
  /** Removes the file here; the server keeps the parts that have arrived. */
  remove: (id: string) => void
}

interface Meta extends Record<string, unknown> {
  /** The id of the file; Uppy builds its own id from this and the name. */
  relativePath: string
  uploadId: string
}
type Body = Record<string, never>
type UppyUpload = UppyFile<Meta, Body>

const MAX_CONCURRENT_PARTS = 3
const quietCall = { context: { isQuiet: true } }

/** Creates Uppy with its multipart uploader: parts of 8 MB, three requests at a time over all files. */
export function createUploader(events: UploaderEvents): Uploader {
  const uppy = new Uppy<Meta, Body>({
    id: 'uploads',
    logger: { debug: ignoreError, warn: ignoreError, error: ignoreError },
  })
  const uppyIds = new Map<string, string>()
  const idOf = (file: UppyUpload | undefined): string => file?.meta.relativePath ?? ''
  const retryContext = (file: UppyUpload, signal: AbortSignal | undefined) => ({
    signal,
    onWait: (reason: WaitReason) => events.onWait(idOf(file), reason),
  })

  uppy.use(AwsS3<Meta, Body>, {
    limit: MAX_CONCURRENT_PARTS,
    // Each API call retries itself; retries by Uppy would hide the reason of the wait.
    retryDelays: [],
    shouldUseMultipart: true,
    getChunkSize: () => UPLOAD_PART_BYTES,
    createMultipartUpload: async (file) => ({ uploadId: file.meta.uploadId, key: file.meta.uploadId }),
    listParts: async (file, { uploadId = '', signal }) => {
      const parts = await retryUntilAccepted(
        () => api.storage.listParts({ uploadId }, quietCall),
        retryContext(file, signal),
      )
      return parts.map(({ number, size, etag }) => ({ PartNumber: number, Size: size, ETag: etag }))
    },
    // A placeholder: `sendPart` signs the URL of each attempt, so that it has not expired.
    signPart: (file, { partNumber }) => ({ method: 'PUT', url: `${idOf(file)}#${partNumber}` }),
    uploadPartBytes: async ({ signature, body, onProgress, onComplete, signal }) => {
      const [id = '', number = ''] = signature.url.split('#')
      const file = uppy.getFile(uppyIds.get(id) ?? '')
      if (!(body instanceof Blob)) throw new Error('a part must be a Blob')
      const part = {
        uploadId: file.meta.uploadId,
        number: Number(number),
        body,
        onProgress,
        ...retryContext(file, signal),
      }
      const etag = await sendPart(part)
      onProgress({ loaded: body.size, lengthComputable: true })
      onComplete(etag)
      return { ETag: etag }
    },
    completeMultipartUpload: async (file, { uploadId = '', signal }) => {
      events.onAllSent(idOf(file))
      const finishedUpload = await retryUntilAccepted(
        () => api.storage.finishUpload({ uploadId }, quietCall),
        retryContext(file, signal),
      )
      finished.set(idOf(file), finishedUpload)
      return {}
    },
    abortMultipartUpload: async () => undefined,
  })

  const finished = new Map<string, FinishedUpload>()
  uppy.on('upload-progress', (file, { bytesUploaded }) => events.onProgress(idOf(file), bytesUploaded || 0))
  uppy.on('upload-success', (file) => {
    const id = idOf(file)
    const finishedUpload = finished.get(id)
    finished.delete(id)
    remove(id)
    if (finishedUpload) events.onFinished(id, finishedUpload)
  })
  uppy.on('upload-error', (file, error) => {
    const id = idOf(file)
    remove(id)
    events.onFailed(id, error)
  })

  function start(id: string, data: File, uploadId: string): void {
    const key = uppy.addFile({ name: data.name, type: data.type, data, meta: { relativePath: id, uploadId } })
    uppyIds.set(id, key)
    // With a known upload id Uppy lists its parts first, so an upload of an earlier page continues.
    const resumeState = { isPaused: false, s3Multipart: { key: uploadId, uploadId } }
    uppy.setFileState(key, resumeState)
    uppy.upload().catch(ignoreError)
  }

  function setPaused(id: string, isPaused: boolean): void {
    const file = uppy.getFile(uppyIds.get(id) ?? '')
    if (file && Boolean(file.isPaused) !== isPaused) uppy.pauseResume(file.id)
  }

  function remove(id: string): void {
    const key = uppyIds.get(id)
    uppyIds.delete(id)
    if (key && uppy.getFile(key)) uppy.removeFile(key)
  }

  return { start, pause: (id) => setPaused(id, true), resume: (id) => setPaused(id, false), remove }
}

function ignoreError(): void {}
