import { atom } from 'nanostores'
import type { FileKind, VideoState } from '#lib/core/shared/stored-file.ts'
import { deviceStorage } from '../safe-storage.ts'

/**
 * Where a file is on its way: `checking` before the first byte, `duplicate` when the storage has one like it and the person
 * chooses, `offline` and `signedOut` wait and go on by themselves, `lost` waits for the file to be picked again after a
 * reload, `processing` is the school's own work on a video.
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

/** Why it failed: a refusal's code and the server's message; without a message the one of the code is shown. */
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
  /** 0 while it is not known. */
  bytesPerSecond: number
  /** The upload's and, when it is finished, the file's id; null before the server has accepted it. */
  fileId: string | null
  kind: FileKind | null
  /** The processing state of a video, and its progress in percent. */
  stage: VideoState | null
  progress: number
  /** In the queue, from 1; null while it is not known or does not wait. */
  queuePosition: number | null
  /** It waits until the server's disk has space. */
  waitsForDisk: boolean
  /** Of a video whose end is missing; null for any other. */
  playableSeconds: number | null
  /** False where the server has no encoder: videos are played as they are. */
  encoder: boolean
  /** The file in the storage that has the same bytes. */
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
