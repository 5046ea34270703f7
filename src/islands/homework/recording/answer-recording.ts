import { atom } from 'nanostores'
import {
  type AnswerRecorder,
  AUDIO_BITS_PER_SECOND,
  AUDIO_TYPES,
  startRecorder,
  VIDEO_BITS_PER_SECOND,
  VIDEO_TYPES,
} from '#islands/broadcast/recorder.ts'
import { lockUpload, releaseUpload } from '#islands/stores/upload/upload-lock.ts'
import { type CapturedMedia, captureMedia, countCameras, type RecordingSource, toCaptureFailure } from './capture.ts'
import { createPartUploader, type PartUploader } from './part-uploader.ts'
import { isAtLimit } from './recording-limit.ts'
import {
  type AnswerRecording,
  IDLE,
  type Recorded,
  type RecordingOptions,
  type RecordingState,
} from './recording-state.ts'
import {
  listLeftRecordings,
  readChunks,
  removeRecording,
  type StoredRecording,
  saveChunk,
  saveRecording,
} from './recording-store.ts'

/** Records one answer: capture, chunks stored on this device, and their upload during the recording. */
export function createAnswerRecording(options: RecordingOptions): AnswerRecording {
  const $state = atom<RecordingState>(IDLE)
  const change = (changes: Partial<RecordingState>) => $state.set({ ...$state.get(), ...changes })
  let captured: CapturedMedia | null = null
  let recorder: AnswerRecorder | null = null
  let uploader: PartUploader | null = null
  let recording: StoredRecording | null = null
  let chunks: Blob[] = []
  let storing: Promise<unknown> = Promise.resolve()
  /** Incremented on each start and reset, to ignore late results of the browser. */
  let generation = 0

  function closeCapture(): void {
    captured?.close()
    captured = null
    change({ stream: null })
  }

  function reset(): void {
    generation += 1
    closeCapture()
    recorder = null
    uploader = null
    recording = null
    chunks = []
    $state.set({ ...IDLE, facing: $state.get().facing })
  }

  async function open(source: RecordingSource): Promise<void> {
    const { facing } = $state.get()
    reset()
    const startedGeneration = generation
    change({ step: 'asking', source })
    try {
      const media = await captureMedia(source, facing)
      if (startedGeneration !== generation) return media.close()
      captured = media
      const cameras = source === 'camera' ? await countCameras() : 0
      if (startedGeneration !== generation) return
      change({ step: 'ready', stream: media.stream, hasSound: media.hasSound, cameras })
      // The browser has its own button to stop sharing.
      media.stream.getVideoTracks()[0]?.addEventListener('ended', () => startedGeneration === generation && endShare())
      if (source === 'voice') start()
    } catch (error) {
      if (startedGeneration === generation) change({ step: 'refused', failure: toCaptureFailure(error, source) })
    }
  }

  function endShare(): void {
    if ($state.get().step === 'ready') reset()
    else stop()
  }

  async function switchCamera(): Promise<void> {
    if ($state.get().step !== 'ready') return
    change({ facing: $state.get().facing === 'user' ? 'environment' : 'user' })
    // A phone opens the second camera only after the first one is closed.
    await open('camera')
  }

  function start(): void {
    const { step, source } = $state.get()
    if (step !== 'ready' || !captured) return
    const sound = source === 'voice'
    // Ignores late events of an earlier recorder.
    const startedGeneration = generation
    recorder = startRecorder(captured.stream, {
      types: sound ? AUDIO_TYPES : VIDEO_TYPES,
      ...(sound ? {} : { videoBitsPerSecond: VIDEO_BITS_PER_SECOND }),
      audioBitsPerSecond: AUDIO_BITS_PER_SECOND,
      onChunk: (chunk) => startedGeneration === generation && addChunk(chunk),
      onTick: (seconds) => {
        if (startedGeneration !== generation) return
        change({ seconds })
        stopAtLimit()
      },
      onEnd: () => startedGeneration === generation && void finish(),
    })
    const { owner, taskId, attempt } = options
    const { type } = recorder
    const name = `${options.createName(source)}.${extensionOf(type, sound)}`
    const stored: StoredRecording = {
      id: crypto.randomUUID(),
      owner,
      taskId,
      attempt,
      source,
      name,
      type,
      startedAt: Date.now(),
      uploadId: null,
    }
    recording = stored
    lockUpload(stored.id)
    storing = saveRecording(stored)
    uploader = createPartUploader(name, options.calls, {
      onStart: (uploadId) => {
        lockUpload(uploadId)
        stored.uploadId = uploadId
        void saveRecording(stored)
      },
      onProgress: (sent) => change({ sent, waitingFor: null }),
      onWait: (reason) => change({ waitingFor: reason }),
      onFail: (error) => change({ uploadError: options.messageOf(error) }),
    })
    change({ step: 'recording' })
  }

  // A chunk is stored on the device before its upload, so that a reloaded page never has less than the server.
  function addChunk(chunk: Blob): void {
    const [owner, index, to] = [recording, chunks.length, uploader]
    if (!owner) return
    chunks.push(chunk)
    change({ bytes: $state.get().bytes + chunk.size })
    storing = storing.then(async () => {
      const stored = await saveChunk(owner.id, index, chunk)
      if (!stored && recording === owner) change({ isStored: false })
      to?.append(chunk)
    })
    stopAtLimit()
  }

  function stopAtLimit(): void {
    const { step, source, seconds, bytes } = $state.get()
    if (step !== 'recording' || !isAtLimit({ source, seconds, bytes, maxBytes: options.maxBytes })) return
    change({ isAtLimit: true })
    stop()
  }

  function pause(): void {
    if ($state.get().step !== 'recording') return
    recorder?.pause()
    change({ step: 'paused' })
  }

  function resume(): void {
    if ($state.get().step !== 'paused') return
    recorder?.resume()
    change({ step: 'recording' })
  }

  function stop(): void {
    const { step } = $state.get()
    if (step !== 'recording' && step !== 'paused') return
    change({ step: 'saving' })
    recorder?.stop()
  }

  async function finish(): Promise<void> {
    const startedGeneration = generation
    closeCapture()
    await storing
    if (startedGeneration !== generation || !recording) return
    // Stopped before the first frame.
    if (chunks.length === 0) return void discard()
    change({ step: 'review', file: new File(chunks, recording.name, { type: recording.type }) })
  }

  async function discard(): Promise<void> {
    const [ended, sending, running, stored] = [recording, uploader, recorder, storing]
    reset()
    running?.stop()
    if (!ended) return
    await sending?.stop()
    await stored
    await forgetRecording(ended.id)
    if (!ended.uploadId) return
    releaseUpload(ended.uploadId)
    await options.removeUpload(ended.uploadId).catch(() => undefined)
  }

  async function use(): Promise<Recorded | null> {
    const { file } = $state.get()
    const [ended, sending] = [recording, uploader]
    if (!file || !ended) return null
    change({ step: 'saving' })
    await sending?.stop()
    reset()
    return { recordingId: ended.id, file, uploadId: ended.uploadId }
  }

  async function restore(): Promise<void> {
    const startedGeneration = generation
    const [left] = await listLeftRecordings(options.owner, options.taskId)
    if (!left || startedGeneration !== generation || $state.get().step !== 'idle') return
    lockUpload(left.id)
    const storedChunks = await readChunks(left.id)
    if (startedGeneration !== generation || $state.get().step !== 'idle') return releaseUpload(left.id)
    if (storedChunks.length === 0) return forgetRecording(left.id)
    chunks = storedChunks
    // The upload of another attempt is not continued.
    recording = left.attempt === options.attempt ? left : { ...left, uploadId: null }
    if (recording.uploadId) lockUpload(recording.uploadId)
    const file = new File(storedChunks, left.name, { type: left.type })
    change({ step: 'review', source: left.source, file, bytes: file.size, isRestored: true })
    change({ uploadId: recording.uploadId })
  }

  function leave(): void {
    const [ended, sending, running] = [recording, uploader, recorder]
    reset()
    running?.stop()
    if (!ended) return
    void Promise.all([sending?.stop(), storing]).then(() => {
      releaseUpload(ended.id)
      if (ended.uploadId) releaseUpload(ended.uploadId)
    })
  }

  return { $state, restore, open, switchCamera, start, pause, resume, stop, discard, use, leave }
}

/** Deletes a recording from this device, after its upload or when it is discarded. */
export async function forgetRecording(recordingId: string): Promise<void> {
  await removeRecording(recordingId)
  releaseUpload(recordingId)
}

/** Audio in WebM gets `.opus`, which marks it as audio. */
function extensionOf(type: string, sound: boolean): string {
  if (type.includes('mp4')) return sound ? 'm4a' : 'mp4'
  return sound ? 'opus' : 'webm'
}
