import type { ReadableAtom } from 'nanostores'
import type { WaitReason } from '#islands/stores/upload/upload-retry.ts'
import type { CaptureFailure, Facing, RecordSource } from './capture.ts'
import type { SenderCalls } from './part-uploader.ts'

/** `asking` waits for the person's permission, `ready` shows the picture before the start, `review` plays it back. */
export type RecordStep = 'idle' | 'refused' | 'asking' | 'ready' | 'recording' | 'paused' | 'saving' | 'review'

export interface RecordState {
  step: RecordStep
  source: RecordSource
  /** Why nothing can be recorded. */
  failure: CaptureFailure | null
  stream: MediaStream | null
  hasSound: boolean
  facing: Facing
  cameras: number
  seconds: number
  bytes: number
  /** Bytes that the school has. */
  sent: number
  /** What the upload waits for. */
  want: WaitReason | null
  /** Why the school takes no more of it, in words; it goes on being recorded here. */
  trouble: string | null
  /** The recording outlives the page. */
  kept: boolean
  /** It was stopped by the limit. */
  full: boolean
  /** It was left behind by an earlier page. */
  restored: boolean
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

export interface RecordParts {
  owner: string
  taskId: string
  attempt: number
  /** Bytes. */
  maxBytes: number
  /** The name of the file, without its extension. */
  nameOf: (source: RecordSource) => string
  wordsOf: (error: unknown) => string
  calls: SenderCalls
  /** Takes an upload out of the answer. */
  remove: (uploadId: string) => Promise<unknown>
}

export interface RecordAnswer {
  $state: ReadableAtom<RecordState>
  /** Offers what an earlier page has left behind. */
  restore: () => Promise<void>
  open: (source: RecordSource) => Promise<void>
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

export const IDLE: RecordState = {
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
  want: null,
  trouble: null,
  kept: true,
  full: false,
  restored: false,
  file: null,
  uploadId: null,
}
