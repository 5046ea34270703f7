import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { HEAD_BYTES } from '#lib/core/shared/stored-file.ts'
import { api } from '../api.ts'
import { CallError } from '../call-error.ts'
import { retryUntilAccepted, type WaitReason } from '../retry.ts'
import type { AddedFile } from './added-file.ts'
import { createUploader, type FinishedUpload, type Uploader } from './multipart-uploader.ts'
import { refreshProcessing, subscribeToUploads, unsubscribeWhenDone } from './upload-events.ts'
import {
  $uploads,
  addUploads,
  changeUpload,
  createUpload,
  findUpload,
  removeUpload,
  saveHasUnfinished,
} from './upload-list.ts'
import { findLockedUploads, lockUpload, releaseUpload } from './upload-lock.ts'
import { forgetSpeed, recordProgress } from './upload-speed.ts'
import { removeWaitingFile } from './waiting-files.ts'

/** The data of an upload that the tray does not show. */
interface Job extends AddedFile {
  sample: string
  abort: AbortController
  /** The upload belongs to another module than the storage. */
  isOutsideStorage: boolean
}

type Unfinished = Awaited<ReturnType<typeof api.storage.listUploads>>[number]

const quietCall = { context: { isQuiet: true } }
const jobs = new Map<string, Job>()
let unfinished: Unfinished[] = []
let unfinishedLoaded: Promise<void> | undefined
let queue: Promise<unknown> = Promise.resolve()

/** Starts uploads. Files are read one after another, because a dropped folder may have thousands. */
export function startUploads(ids: readonly string[], added: readonly AddedFile[]): void {
  for (const [index, file] of added.entries()) enqueue(ids[index] ?? '', file)
}

export function pauseUpload(id: string): void {
  changeUpload(id, { step: 'paused', bytesPerSecond: 0 })
  forgetSpeed(id)
  uploader.pause(id)
}

export function resumeUpload(id: string): void {
  changeUpload(id, { step: 'waiting' })
  uploader.resume(id)
}

export async function cancelUpload(id: string): Promise<void> {
  const upload = findUpload(id)
  releaseJob(id)
  removeUpload(id)
  void removeWaitingFile(id)
  if (upload?.fileId && upload.step !== 'processing' && upload.step !== 'done') {
    const uploadId = upload.fileId
    await retryUntilAccepted(() => api.storage.abortUpload({ uploadId }, quietCall), { onWait: () => undefined }).catch(
      () => undefined,
    )
    unfinished = unfinished.filter((upload) => upload.id !== uploadId)
  }
  updateSubscriptions()
}

export async function retryUpload(id: string): Promise<void> {
  const upload = findUpload(id)
  if (upload?.fileId && upload.stage === 'failed') return retryVideo(id, upload.fileId)
  const job = jobs.get(id)
  if (!job) return
  changeUpload(id, { step: 'checking', failure: null, stage: null, progress: 0 })
  unfinishedLoaded = undefined
  enqueue(id, job)
}

async function retryVideo(id: string, fileId: string): Promise<void> {
  changeUpload(id, { step: 'processing', stage: 'queued', progress: 0, failure: null })
  subscribeToUploads()
  try {
    await api.storage.retryVideo({ fileId }, quietCall)
    await refreshProcessing(id)
  } catch (error) {
    const { code, message } = CallError.from(error)
    changeUpload(id, { step: 'failed', stage: 'failed', failure: { code, message: message } })
  }
}

export function chooseDuplicate(id: string): void {
  const duplicate = findUpload(id)?.duplicate
  releaseJob(id)
  if (duplicate) changeUpload(id, { step: 'done', fileId: duplicate.id })
  updateSubscriptions()
}

export async function uploadAnyway(id: string): Promise<void> {
  changeUpload(id, { step: 'checking' })
  await start(id).catch((error: unknown) => showUploadFailure(id, error))
}

export async function resumeWithFile(id: string, file: File): Promise<void> {
  const known = unfinished.find((upload) => upload.id === findUpload(id)?.fileId)
  const sample = await sampleOf(file).catch(() => '')
  if (known && known.sample === sample) {
    const isOutsideStorage = known.area !== 'storage'
    return sendParts(id, { ...newJob({ file }), sample, isOutsideStorage }, known.id)
  }
  changeUpload(id, { failure: { code: 'other', message: '' } })
  const separate = createUpload(file)
  addUploads([separate])
  enqueue(separate.id, { file })
}

/** Loads the user's unfinished uploads and shows those that no tab sends. */
export async function findUnfinished(): Promise<void> {
  unfinished = await retryUntilAccepted(() => api.storage.listUploads(undefined, quietCall), {
    onWait: () => undefined,
  })
  const isLocked = await findLockedUploads()
  const shown = new Set($uploads.get().map(({ fileId }) => fileId))
  const lost = unfinished.filter(({ id }) => !isLocked(id) && !shown.has(id))
  addUploads(
    lost.map(({ id, name, size, uploadedBytes: arrived }) => ({
      ...createUpload({ name, size }),
      fileId: id,
      sentBytes: arrived,
      step: 'lost',
    })),
  )
  updateSubscriptions()
}

function enqueue(id: string, added: AddedFile): void {
  jobs.set(id, newJob(added))
  queue = queue.then(() => prepare(id)).catch((error: unknown) => showUploadFailure(id, error))
}

const newJob = ({ file, parentId = null, path = [], startUpload: startOwnUpload }: AddedFile): Job => ({
  file,
  parentId,
  path,
  sample: '',
  abort: new AbortController(),
  isOutsideStorage: startOwnUpload !== undefined,
  ...(startOwnUpload ? { startUpload: startOwnUpload } : {}),
})

async function prepare(id: string): Promise<void> {
  const job = jobs.get(id)
  if (!job) return
  const { file } = job
  const sample = await sampleOf(file).catch(() => null)
  if (sample === null) throw new CallError('unreadable', 422, '')
  job.sample = sample
  if (job.startUpload) return start(id)
  unfinishedLoaded ??= findUnfinished()
  await unfinishedLoaded
  const known = unfinished.find(
    (upload) => upload.area === 'storage' && upload.sample === sample && upload.size === file.size,
  )
  if (known && !(await findLockedUploads())(known.id) && jobs.get(id) === job) {
    removeOthers(id, known.id)
    return sendParts(id, job, known.id)
  }
  const duplicate =
    file.size > 0 ? await withRetry(id, () => api.storage.findDuplicate({ sample, size: file.size }, quietCall)) : null
  if (duplicate) changeUpload(id, { step: 'duplicate', duplicate: { id: duplicate.id, name: duplicate.name } })
  else await start(id)
}

function removeOthers(id: string, uploadId: string): void {
  for (const upload of $uploads.get()) if (upload.id !== id && upload.fileId === uploadId) removeUpload(upload.id)
}

async function start(id: string): Promise<void> {
  const job = jobs.get(id)
  if (!job) return
  const { file, sample } = job
  const parentId = await ensureFolder(id, job)
  const head = base64(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const input = { parentId, name: file.name, size: file.size, head, sample }
  const { startUpload: startOwnUpload } = job
  const { uploadId } = await withRetry(id, () =>
    startOwnUpload
      ? startOwnUpload({ name: file.name, size: file.size, head, sample })
      : api.storage.startUpload(input, quietCall),
  )
  // The same file had an unfinished upload of an earlier page.
  removeOthers(id, uploadId)
  // The upload may have been canceled during the request.
  if (jobs.get(id) === job) sendParts(id, job, uploadId)
  else await api.storage.abortUpload({ uploadId }, quietCall)
}

const folders = new Map<string, Promise<string | null>>()

/** The folder of a file of a dropped folder; each folder is created once. */
function ensureFolder(id: string, { parentId = null, path = [] }: Job): Promise<string | null> {
  if (path.length === 0) return Promise.resolve(parentId)
  const name = JSON.stringify([parentId, path])
  const known = folders.get(name)
  if (known) return known
  const folderId = withRetry(id, () => api.storage.ensureFolders({ parentId, names: path }, quietCall)).then(
    ({ folderId }) => folderId,
  )
  folders.set(name, folderId)
  folderId.catch(() => folders.delete(name))
  return folderId
}

function sendParts(id: string, job: Job, uploadId: string): void {
  jobs.set(id, job)
  lockUpload(uploadId)
  if (!job.isOutsideStorage) subscribeToUploads()
  changeUpload(id, { step: 'waiting', fileId: uploadId, failure: null })
  uploader.start(id, job.file, uploadId)
}

const uploader: Uploader = createUploader({
  onProgress: recordProgress,
  onWait: showWait,
  onAllSent: (id) => changeUpload(id, { step: 'finishing', sentBytes: findUpload(id)?.size ?? 0, bytesPerSecond: 0 }),
  onFinished: finished,
  onFailed: showUploadFailure,
})

function showWait(id: string, reason: WaitReason): void {
  forgetSpeed(id)
  if (findUpload(id)?.step !== 'paused') changeUpload(id, { step: reason, bytesPerSecond: 0 })
}

function finished(id: string, { id: fileId, kind, name }: FinishedUpload): void {
  const isProcessed = !jobs.get(id)?.isOutsideStorage && (kind === 'video' || kind === 'audio')
  releaseJob(id)
  void removeWaitingFile(id)
  unfinished = unfinished.filter((upload) => upload.id !== fileId)
  // Processing may have started, or even ended, before this response.
  const stageBefore = findUpload(id)?.stage
  changeUpload(id, { kind, name, sentBytes: findUpload(id)?.size ?? 0, bytesPerSecond: 0 })
  if (!stageBefore) changeUpload(id, isProcessed ? { step: 'processing', stage: 'queued' } : { step: 'done' })
  if (isProcessed) void refreshProcessing(id)
  updateSubscriptions()
}

function showUploadFailure(id: string, error: unknown): void {
  const { code, message, fields } = CallError.from(error)
  const uploadId = findUpload(id)?.fileId
  if (uploadId) releaseUpload(uploadId)
  uploader.remove(id)
  forgetSpeed(id)
  changeUpload(id, { step: 'failed', bytesPerSecond: 0, failure: { code, message: fields.file?.[0] ?? message } })
  updateSubscriptions()
}

/** Releases an upload that sends nothing more. */
function releaseJob(id: string): void {
  const uploadId = findUpload(id)?.fileId
  jobs.get(id)?.abort.abort()
  jobs.delete(id)
  if (uploadId) releaseUpload(uploadId)
  forgetSpeed(id)
  uploader.remove(id)
}

function updateSubscriptions(): void {
  saveHasUnfinished(unfinished.length > 0 || jobs.size > 0)
  unsubscribeWhenDone()
}

const withRetry = <T>(id: string, attempt: () => Promise<T>): Promise<T> =>
  retryUntilAccepted(attempt, { signal: jobs.get(id)?.abort.signal, onWait: (reason) => showWait(id, reason) })

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
