import { atom } from 'nanostores'
import type { FileKind, VideoState } from '#lib/core/shared/storing.ts'
import { deviceStorage } from '../safe-storage.ts'

/**
 * Where a file is on its way: `checking` before the first byte, `twin` when the storage has one like it and the person
 * chooses, `offline` and `signedOut` wait and go on by themselves, `lost` waits for the file to be picked again after a
 * reload, `processing` is the school's own work on a video.
 */
export type UploadStep =
  | 'checking'
  | 'twin'
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

/** Why it failed: a refusal's code, and the school's words for it; without words the code's own are said. */
export interface Trouble {
  code: string
  words: string
}

export interface Upload {
  id: string
  name: string
  size: number
  step: UploadStep
  /** Bytes that have arrived. */
  sent: number
  /** Bytes a second; 0 while it is not known. */
  speed: number
  /** The upload's and, when it is finished, the file's id; null before the school has agreed. */
  fileId: string | null
  kind: FileKind | null
  /** What the school makes of a video, and how far that is in percent. */
  stage: VideoState | null
  progress: number
  /** In the queue, from 1; null while it is not known or does not wait. */
  place: number | null
  /** It is not processed before there is space on the school's disk. */
  waitsForDisk: boolean
  /** Seconds that can be played of a video whose end is missing; null of any other. */
  readable: number | null
  /** False: nothing is made of films here, they play as they are. */
  encoder: boolean
  /** The file in the storage that has the same bytes. */
  twin: { id: string; name: string } | null
  trouble: Trouble | null
}

/** Files on their way, oldest first. They go on while pages of the cabinet take each other's place. */
export const $uploads = atom<readonly Upload[]>([])

export const uploadOf = (file: Pick<File, 'name' | 'size'>): Upload => ({
  id: crypto.randomUUID(),
  name: file.name,
  size: file.size,
  step: 'checking',
  sent: 0,
  speed: 0,
  fileId: null,
  kind: null,
  stage: null,
  progress: 0,
  place: null,
  encoder: true,
  twin: null,
  trouble: null,
  waitsForDisk: false,
  readable: null,
})

export const findUpload = (id: string): Upload | undefined => $uploads.get().find((one) => one.id === id)

export function addUploads(fresh: readonly Upload[]): void {
  $uploads.set([...$uploads.get(), ...fresh])
}

/** Notes what happened to an upload. */
export function changeUpload(id: string, change: Partial<Upload>): void {
  $uploads.set($uploads.get().map((one) => (one.id === id ? { ...one, ...change } : one)))
}

export function dropUpload(id: string): void {
  $uploads.set($uploads.get().filter((one) => one.id !== id))
}

const UNDER_WAY: readonly UploadStep[] = ['checking', 'waiting', 'uploading', 'offline', 'signedOut', 'finishing']

/** Whether leaving the page would interrupt something. */
export const isUnderWay = (uploads: readonly Upload[]): boolean => uploads.some(({ step }) => UNDER_WAY.includes(step))

const SHELF = 'uploads'

/** Whether the next page should ask for unfinished uploads: most people have none, and then nothing is asked. */
export function remember(unfinished: boolean): void {
  if (unfinished) deviceStorage.setItem(SHELF, '1')
  else deviceStorage.removeItem(SHELF)
}

export const remembers = (): boolean => deviceStorage.getItem(SHELF) !== null
