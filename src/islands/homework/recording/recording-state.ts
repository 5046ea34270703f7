import type { ReadableAtom } from 'nanostores'
import type { WaitReason } from '#islands/stores/retry.ts'
import type { CameraFacing, CaptureFailure, RecordingSource } from './capture.ts'
import type { PartUploaderCalls } from './part-uploader.ts'

/** `asking` waits for the person's permission, `ready` shows the picture before the start, `review` plays it back. */
export type RecordingStep = 'idle' | 'refused' | 'asking' | 'ready' | 'recording' | 'paused' | 'saving' | 'review'

export interface RecordingState {
  step: RecordingStep
  source: RecordingSource
  /** Why nothing can be recorded. */
  failure: CaptureFailure | null
  stream: MediaStream | null
  hasSound: boolean
  facing: CameraFacing
  cameras: number
  seconds: number
  bytes: number
  /** Uploaded bytes. */
  sent: number
  /** Why the upload waits. */
  waitingFor: WaitReason | null
  /** Why the upload failed, as text; the recording continues locally. */
  uploadError: string | null
  /** The recording survives closing the page. */
  isStored: boolean
  /** Stopped by the limit. */
  isAtLimit: boolean
  /** Restored from an earlier page. */
  isRestored: boolean
  file: File | null
  /** Upload that an earlier page has started. */
  uploadId: string | null
}

/** A finished recording that is added to the answer as a file. */
export interface Recorded {
  recordingId: string
  file: File
  /** The started upload. */
  uploadId: string | null
}

export interface RecordingOptions {
  owner: string
  taskId: string
  attempt: number
  /** Bytes. */
  maxBytes: number
  /** The name of the file, without its extension. */
  createName: (source: RecordingSource) => string
  messageOf: (error: unknown) => string
  calls: PartUploaderCalls
  /** Removes an upload from the answer. */
  removeUpload: (uploadId: string) => Promise<unknown>
}

export interface AnswerRecording {
  $state: ReadableAtom<RecordingState>
  /** Restores a recording of an earlier page. */
  restore: () => Promise<void>
  open: (source: RecordingSource) => Promise<void>
  switchCamera: () => Promise<void>
  start: () => void
  pause: () => void
  resume: () => void
  stop: () => void
  /** Discards the recording or the preview. */
  discard: () => Promise<void>
  /** Returns the recording; it stays on the device until `forgetRecording`. */
  use: () => Promise<Recorded | null>
  /** Called when the page is left: the recording is kept and offered again. */
  leave: () => void
}

export const IDLE: RecordingState = {
  step: 'idle',
  source: 'camera',
  failure: null,
  stream: null,
  hasSound: true,
  facing: 'user',
  cameras: 0,
  seconds: 0,
  bytes: 0,
  sent: 0,
  waitingFor: null,
  uploadError: null,
  isStored: true,
  isAtLimit: false,
  isRestored: false,
  file: null,
  uploadId: null,
}
