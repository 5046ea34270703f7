import { atom } from 'nanostores'
import type { FileKind, VideoState } from '#lib/core/shared/stored-file.ts'
import { deviceStorage } from '../safe-storage.ts'

/**
 * The step of an upload: `checking` before the first byte, `duplicate` when the storage contains an equal file and the
 * user has to choose, `offline` and `signedOut` continue automatically, `lost` needs the file to be selected again
 * after a reload, `processing` is the encoding of a video.
 */
export type UploadStep =
  | 'checking'
  | 'duplicate'
  | 'waiting'
  | 'uploading'
  | 'paused'
  | 'offline'
  | 'signedOut'
  | 'finishing'
  | 'processing'
  | 'done'
  | 'failed'
  | 'lost'

/** The cause of a failure: a refusal's code and the server's message; without a message, that of the code is shown. */
interface UploadFailure {
  code: string
  message: string
}

export interface Upload {
  id: string
  name: string
  size: number
  step: UploadStep
  /** Bytes that have been sent. */
  sentBytes: number
  /** 0 while unknown. */
  bytesPerSecond: number
  /** The id of the upload and, when it is finished, of the file; null before the server has accepted it. */
  fileId: string | null
  kind: FileKind | null
  /** The processing state of a video, and its progress in percent. */
  stage: VideoState | null
  progress: number
  /** Position in the queue, from 1; null while unknown or not queued. */
  queuePosition: number | null
  /** Waits until the server's disk has space. */
  waitsForDisk: boolean
  /** For a video whose end is missing; null for any other. */
  playableSeconds: number | null
  /** False when the server has no encoder: originals are played. */
  encoder: boolean
  /** The file in the storage with the same bytes. */
  duplicate: { id: string; name: string } | null
  failure: UploadFailure | null
}

/** The uploads of this tab, oldest first. They continue over client-side navigation. */
export const $uploads = atom<readonly Upload[]>([])

export const createUpload = (file: Pick<File, 'name' | 'size'>): Upload => ({
  id: crypto.randomUUID(),
  name: file.name,
  size: file.size,
  step: 'checking',
  sentBytes: 0,
  bytesPerSecond: 0,
  fileId: null,
  kind: null,
  stage: null,
  progress: 0,
  queuePosition: null,
  encoder: true,
  duplicate: null,
  failure: null,
  waitsForDisk: false,
  playableSeconds: null,
})

export const findUpload = (id: string): Upload | undefined => $uploads.get().find((upload) => upload.id === id)

export function addUploads(added: readonly Upload[]): void {
  $uploads.set([...$uploads.get(), ...added])
}

/** Updates an upload. */
export function changeUpload(id: string, change: Partial<Upload>): void {
  $uploads.set($uploads.get().map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
}

export function removeUpload(id: string): void {
  $uploads.set($uploads.get().filter((upload) => upload.id !== id))
}

const SENDING_STEPS: readonly UploadStep[] = ['checking', 'waiting', 'uploading', 'offline', 'signedOut', 'finishing']

/** Whether leaving the page would interrupt an upload. */
export const isSending = (uploads: readonly Upload[]): boolean =>
  uploads.some(({ step }) => SENDING_STEPS.includes(step))

const HAS_UNFINISHED_KEY = 'uploads'

/** Stores whether the next page should request the unfinished uploads; most users have none. */
export function saveHasUnfinished(unfinished: boolean): void {
  if (unfinished) deviceStorage.setItem(HAS_UNFINISHED_KEY, '1')
  else deviceStorage.removeItem(HAS_UNFINISHED_KEY)
}

export const hasUnfinished = (): boolean => deviceStorage.getItem(HAS_UNFINISHED_KEY) !== null
