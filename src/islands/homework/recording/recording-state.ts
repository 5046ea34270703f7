import type { ReadableAtom } from 'nanostores'
import type { WaitReason } from '#islands/stores/upload/upload-retry.ts'
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
  /** Bytes that the school has. */
  sent: number
  /** What the upload waits for. */
  waitingFor: WaitReason | null
  /** Why the school takes no more of it, in words; it goes on being recorded here. */
  uploadError: string | null
  /** The recording outlives the page. */
  isStored: boolean
  /** It was stopped by the limit. */
  isAtLimit: boolean
  /** It was left behind by an earlier page. */
  isRestored: boolean
  file: File | null
  /** Of a recording that an earlier page began to upload. */
  uploadId: string | null
}

/** A recording that its author has chosen to hand in. */
export interface Recorded {
  recordingId: string
  file: File
  /** The upload that has begun already. */
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
  /** Takes an upload out of the answer. */
  removeUpload: (uploadId: string) => Promise<unknown>
}

export interface AnswerRecording {
  $state: ReadableAtom<RecordingState>
  /** Offers what an earlier page has left behind. */
  restore: () => Promise<void>
  open: (source: RecordingSource) => Promise<void>
  switchCamera: () => Promise<void>
  start: () => void
  pause: () => void
  resume: () => void
  stop: () => void
  /** Throws the recording away, or what was about to be recorded. */
  discard: () => Promise<void>
  /** Hands the recording over; it is kept on the device until `forgetRecording`. */
  use: () => Promise<Recorded | null>
  /** The page is left: what was recorded is kept and offered again. */
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
