import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { HEAD_BYTES } from '#lib/core/shared/storing.ts'
import { api } from '../api.ts'
import { CallError } from '../call-error.ts'
import type { AddedFile } from './added-file.ts'
import { type Carrier, createCarrier, type Finished } from './upload-carrier.ts'
import { heldUploads, hold, release } from './upload-hold.ts'
import { $uploads, addUploads, changeUpload, dropUpload, findUpload, remember, uploadOf } from './upload-list.ts'
import { listen, review, unlisten } from './upload-news.ts'
import { persevere, type Want } from './upload-patience.ts'
import { forgetSpeed, noteSent } from './upload-speed.ts'

/** What is known of an upload beside what the tray shows. */
interface Job extends AddedFile {
  sample: string
  stop: AbortController
  /** For another room than the storage. */
  errand: boolean
}

type Unfinished = Awaited<ReturnType<typeof api.storage.listUploads>>[number]

const quiet = { context: { quiet: true } }
const jobs = new Map<string, Job>()
let unfinished: Unfinished[] = []
let looked: Promise<void> | undefined
let line: Promise<unknown> = Promise.resolve()

/** Files are looked at one after another: two thousand of a dropped folder must not be read at once. */
export function begin(ids: readonly string[], added: readonly AddedFile[]): void {
  for (const [index, one] of added.entries()) enqueue(ids[index] ?? '', one)
}

export function pause(id: string): void {
  changeUpload(id, { step: 'paused', speed: 0 })
  forgetSpeed(id)
  carrier.pause(id)
}

export function resume(id: string): void {
  changeUpload(id, { step: 'waiting' })
  carrier.resume(id)
}

export async function cancel(id: string): Promise<void> {
  const upload = findUpload(id)
  forget(id)
  dropUpload(id)
  if (upload?.fileId && upload.step !== 'processing' && upload.step !== 'done') {
    const uploadId = upload.fileId
    await persevere(() => api.storage.abortUpload({ uploadId }, quiet), { waits: () => undefined }).catch(
      () => undefined,
    )
    unfinished = unfinished.filter((one) => one.id !== uploadId)
  }
  settle()
}

export async function retry(id: string): Promise<void> {
  const upload = findUpload(id)
  if (upload?.fileId && upload.stage === 'failed') return retryFilm(id, upload.fileId)
  const job = jobs.get(id)
  if (!job) return
  changeUpload(id, { step: 'checking', trouble: null, stage: null, progress: 0 })
  looked = undefined
  enqueue(id, job)
}

async function retryFilm(id: string, fileId: string): Promise<void> {
  changeUpload(id, { step: 'processing', stage: 'queued', progress: 0, trouble: null })
  listen()
  try {
    await api.storage.retryVideo({ fileId }, quiet)
    await review(id)
  } catch (error) {
    const { code, message } = CallError.from(error)
    changeUpload(id, { step: 'failed', stage: 'failed', trouble: { code, words: message } })
  }
}

export function takeTwin(id: string): void {
  const twin = findUpload(id)?.twin
  forget(id)
  if (twin) changeUpload(id, { step: 'done', fileId: twin.id })
  settle()
}

export async function uploadAnyway(id: string): Promise<void> {
  changeUpload(id, { step: 'checking' })
  await start(id).catch((error: unknown) => fail(id, error))
}

export async function pickAgain(id: string, file: File): Promise<void> {
  const known = unfinished.find((one) => one.id === findUpload(id)?.fileId)
  const sample = await sampleOf(file).catch(() => '')
  if (known && known.sample === sample) {
    const errand = known.area !== 'storage'
    return carry(id, { ...newJob({ file }), sample, errand }, known.id)
  }
  changeUpload(id, { trouble: { code: 'other', words: '' } })
  const beside = uploadOf(file)
  addUploads([beside])
  enqueue(beside.id, { file })
}

/** Asks the school for the person's unfinished uploads and shows those that no tab sends. */
export async function look(): Promise<void> {
  unfinished = await persevere(() => api.storage.listUploads(undefined, quiet), { waits: () => undefined })
  const held = await heldUploads()
  const shown = new Set($uploads.get().map(({ fileId }) => fileId))
  const lost = unfinished.filter(({ id }) => !held(id) && !shown.has(id))
  addUploads(
    lost.map(({ id, name, size, arrived }) => ({
      ...uploadOf({ name, size }),
      fileId: id,
      sent: arrived,
      step: 'lost',
    })),
  )
  settle()
}

function enqueue(id: string, added: AddedFile): void {
  jobs.set(id, newJob(added))
  line = line.then(() => prepare(id)).catch((error: unknown) => fail(id, error))
}

const newJob = ({ file, parentId = null, path = [], begin }: AddedFile): Job => ({
  file,
  parentId,
  path,
  sample: '',
  stop: new AbortController(),
  errand: begin !== undefined,
  ...(begin ? { begin } : {}),
})

async function prepare(id: string): Promise<void> {
  const job = jobs.get(id)
  if (!job) return
  const { file } = job
  const sample = await sampleOf(file).catch(() => null)
  if (sample === null) throw new CallError('unreadable', 422, '')
  job.sample = sample
  if (job.begin) return start(id)
  looked ??= look()
  await looked
  const known = unfinished.find((one) => one.area === 'storage' && one.sample === sample && one.size === file.size)
  if (known && !(await heldUploads())(known.id) && jobs.get(id) === job) {
    for (const one of $uploads.get()) if (one.id !== id && one.fileId === known.id) dropUpload(one.id)
    return carry(id, job, known.id)
  }
  const twin = file.size > 0 ? await ask(id, () => api.storage.findDuplicate({ sample, size: file.size }, quiet)) : null
  if (twin) changeUpload(id, { step: 'twin', twin: { id: twin.id, name: twin.name } })
  else await start(id)
}

async function start(id: string): Promise<void> {
  const job = jobs.get(id)
  if (!job) return
  const { file, sample } = job
  const parentId = await folderOf(id, job)
  const head = base64(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const asked = { parentId, name: file.name, size: file.size, head, sample }
  const { begin } = job
  const { uploadId } = await ask(id, () =>
    begin ? begin({ name: file.name, size: file.size, head, sample }) : api.storage.startUpload(asked, quiet),
  )
  // The same file was on its way already, and was lost by an earlier page.
  for (const one of $uploads.get()) if (one.id !== id && one.fileId === uploadId) dropUpload(one.id)
  // Somebody changed their mind while the school was asked.
  if (jobs.get(id) === job) carry(id, job, uploadId)
  else await api.storage.abortUpload({ uploadId }, quiet)
}

const folders = new Map<string, Promise<string | null>>()

/** The folder of a dropped folder's file; each is asked for once. */
function folderOf(id: string, { parentId = null, path = [] }: Job): Promise<string | null> {
  if (path.length === 0) return Promise.resolve(parentId)
  const name = JSON.stringify([parentId, path])
  const known = folders.get(name)
  if (known) return known
  const asked = ask(id, () => api.storage.ensureFolders({ parentId, names: path }, quiet)).then(
    ({ folderId }) => folderId,
  )
  folders.set(name, asked)
  asked.catch(() => folders.delete(name))
  return asked
}

function carry(id: string, job: Job, uploadId: string): void {
  jobs.set(id, job)
  hold(uploadId)
  if (!job.errand) listen()
  changeUpload(id, { step: 'waiting', fileId: uploadId, trouble: null })
  carrier.carry(id, job.file, uploadId)
}

const carrier: Carrier = createCarrier({
  sent: noteSent,
  waits: (id, want) => waitFor(id, want),
  whole: (id) => changeUpload(id, { step: 'finishing', sent: findUpload(id)?.size ?? 0, speed: 0 }),
  finished,
  failed: fail,
})

function waitFor(id: string, want: Want): void {
  forgetSpeed(id)
  if (findUpload(id)?.step !== 'paused') changeUpload(id, { step: want, speed: 0 })
}

function finished(id: string, { id: fileId, kind, name }: Finished): void {
  const made = !jobs.get(id)?.errand && (kind === 'video' || kind === 'audio')
  forget(id)
  unfinished = unfinished.filter((one) => one.id !== fileId)
  // The school may have begun, or even ended, before its answer was here.
  const begun = findUpload(id)?.stage
  changeUpload(id, { kind, name, sent: findUpload(id)?.size ?? 0, speed: 0 })
  if (!begun) changeUpload(id, made ? { step: 'processing', stage: 'queued' } : { step: 'done' })
  if (made) void review(id)
  settle()
}

function fail(id: string, error: unknown): void {
  const { code, message, fields } = CallError.from(error)
  const uploadId = findUpload(id)?.fileId
  if (uploadId) release(uploadId)
  carrier.drop(id)
  forgetSpeed(id)
  changeUpload(id, { step: 'failed', speed: 0, trouble: { code, words: fields.file?.[0] ?? message } })
  settle()
}

/** Nothing more is to be sent. */
function forget(id: string): void {
  const uploadId = findUpload(id)?.fileId
  jobs.get(id)?.stop.abort()
  jobs.delete(id)
  if (uploadId) release(uploadId)
  forgetSpeed(id)
  carrier.drop(id)
}

function settle(): void {
  remember(unfinished.length > 0 || jobs.size > 0)
  unlisten()
}

const ask = <T>(id: string, attempt: () => Promise<T>): Promise<T> =>
  persevere(attempt, { signal: jobs.get(id)?.stop.signal, waits: (want) => waitFor(id, want) })

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
