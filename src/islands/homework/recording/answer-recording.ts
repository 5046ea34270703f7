import { atom } from 'nanostores'
import { lockUpload, releaseUpload } from '#islands/stores/upload/upload-lock.ts'
import { type Captured, capture, captureFailure, countCameras, type RecordSource } from './capture.ts'
import { createSender, type Sender } from './part-uploader.ts'
import { AUDIO_BITS, AUDIO_TYPES, type Recorder, startRecorder, VIDEO_BITS, VIDEO_TYPES } from './recorder.ts'
import { isUsedUp } from './recording-limit.ts'
import { IDLE, type RecordAnswer, type Recorded, type RecordParts, type RecordState } from './recording-state.ts'
import {
  type KeptRecording,
  keepChunk,
  keepRecording,
  leftRecordings,
  readChunks,
  removeRecording,
} from './recording-store.ts'

/** One answer that is recorded: the device, the chunks that this device keeps, and their upload while they come. */
export function createRecordAnswer(parts: RecordParts): RecordAnswer {
  const $state = atom<RecordState>(IDLE)
  const change = (some: Partial<RecordState>) => $state.set({ ...$state.get(), ...some })
  let captured: Captured | null = null
  let recorder: Recorder | null = null
  let sender: Sender | null = null
  let recording: KeptRecording | null = null
  let chunks: Blob[] = []
  let keeping: Promise<unknown> = Promise.resolve()
  /** Counts what was begun, so that a late answer of the browser is not taken for a new one. */
  let turn = 0

  function close(): void {
    captured?.close()
    captured = null
    change({ stream: null })
  }

  function reset(): void {
    turn += 1
    close()
    recorder = null
    sender = null
    recording = null
    chunks = []
    $state.set({ ...IDLE, facing: $state.get().facing })
  }

  async function open(source: RecordSource): Promise<void> {
    const { facing } = $state.get()
    reset()
    const mine = turn
    change({ step: 'asking', source })
    try {
      const found = await capture(source, facing)
      if (mine !== turn) return found.close()
      captured = found
      const cameras = source === 'camera' ? await countCameras() : 0
      if (mine !== turn) return
      change({ step: 'ready', stream: found.stream, hasSound: found.hasSound, cameras })
      // The browser's own button ends the sharing of a screen.
      found.stream.getVideoTracks()[0]?.addEventListener('ended', () => mine === turn && endShare())
      if (source === 'voice') start()
    } catch (error) {
      if (mine === turn) change({ step: 'refused', failure: captureFailure(error, source) })
    }
  }

  function endShare(): void {
    if ($state.get().step === 'ready') reset()
    else stop()
  }

  async function switchCamera(): Promise<void> {
    if ($state.get().step !== 'ready') return
    change({ facing: $state.get().facing === 'user' ? 'environment' : 'user' })
    // A phone opens its second camera only when the first one is closed.
    await open('camera')
  }

  function start(): void {
    const { step, source } = $state.get()
    if (step !== 'ready' || !captured) return
    const sound = source === 'voice'
    // What an earlier recorder still says is not of this recording.
    const mine = turn
    recorder = startRecorder(captured.stream, {
      types: sound ? AUDIO_TYPES : VIDEO_TYPES,
      ...(sound ? {} : { videoBitsPerSecond: VIDEO_BITS }),
      audioBitsPerSecond: AUDIO_BITS,
      onChunk: (chunk) => mine === turn && take(chunk),
      onTick: (seconds) => {
        if (mine !== turn) return
        change({ seconds })
        stopAtLimit()
      },
      onEnd: () => mine === turn && void finish(),
    })
    const { owner, taskId, attempt } = parts
    const { type } = recorder
    const name = `${parts.nameOf(source)}.${extensionOf(type, sound)}`
    const kept: KeptRecording = {
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
    recording = kept
    lockUpload(kept.id)
    keeping = keepRecording(kept)
    sender = createSender(name, parts.calls, {
      begun: (uploadId) => {
        lockUpload(uploadId)
        kept.uploadId = uploadId
        void keepRecording(kept)
      },
      sent: (sent) => change({ sent, want: null }),
      waits: (want) => change({ want }),
      failed: (error) => change({ trouble: parts.wordsOf(error) }),
    })
    change({ step: 'recording' })
  }

  // The device has a chunk before the school: an upload must never be ahead of what a reloaded page finds.
  function take(chunk: Blob): void {
    const [kept, index, to] = [recording, chunks.length, sender]
    if (!kept) return
    chunks.push(chunk)
    change({ bytes: $state.get().bytes + chunk.size })
    keeping = keeping.then(async () => {
      const stored = await keepChunk(kept.id, index, chunk)
      if (!stored && recording === kept) change({ kept: false })
      to?.append(chunk)
    })
    stopAtLimit()
  }

  function stopAtLimit(): void {
    const { step, source, seconds, bytes } = $state.get()
    if (step !== 'recording' || !isUsedUp({ source, seconds, bytes, maxBytes: parts.maxBytes })) return
    change({ full: true })
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
    const mine = turn
    close()
    await keeping
    if (mine !== turn || !recording) return
    // Stopped before the first picture came.
    if (chunks.length === 0) return void discard()
    change({ step: 'review', file: new File(chunks, recording.name, { type: recording.type }) })
  }

  async function discard(): Promise<void> {
    const [kept, sending, running, stored] = [recording, sender, recorder, keeping]
    reset()
    running?.stop()
    if (!kept) return
    await sending?.stop()
    await stored
    await forgetRecording(kept.id)
    if (!kept.uploadId) return
    releaseUpload(kept.uploadId)
    await parts.remove(kept.uploadId).catch(() => undefined)
  }

  async function use(): Promise<Recorded | null> {
    const { file } = $state.get()
    const [kept, sending] = [recording, sender]
    if (!file || !kept) return null
    change({ step: 'saving' })
    await sending?.stop()
    reset()
    return { recordingId: kept.id, file, uploadId: kept.uploadId }
  }

  async function restore(): Promise<void> {
    const mine = turn
    const [left] = await leftRecordings(parts.owner, parts.taskId)
    if (!left || mine !== turn || $state.get().step !== 'idle') return
    lockUpload(left.id)
    const found = await readChunks(left.id)
    if (mine !== turn || $state.get().step !== 'idle') return releaseUpload(left.id)
    if (found.length === 0) return forgetRecording(left.id)
    chunks = found
    // An upload of an attempt that is over is not to be gone on with.
    recording = left.attempt === parts.attempt ? left : { ...left, uploadId: null }
    if (recording.uploadId) lockUpload(recording.uploadId)
    const file = new File(found, left.name, { type: left.type })
    change({ step: 'review', source: left.source, file, bytes: file.size, restored: true })
    change({ uploadId: recording.uploadId })
  }

  function leave(): void {
    const [kept, sending, running] = [recording, sender, recorder]
    reset()
    running?.stop()
    if (!kept) return
    void Promise.all([sending?.stop(), keeping]).then(() => {
      releaseUpload(kept.id)
      if (kept.uploadId) releaseUpload(kept.uploadId)
    })
  }

  return { $state, restore, open, switchCamera, start, pause, resume, stop, discard, use, leave }
}

/** Removes a recording from this device, once the school has it or nobody wants it. */
export async function forgetRecording(recordingId: string): Promise<void> {
  await removeRecording(recordingId)
  releaseUpload(recordingId)
}

/** Sound in WebM is called `.opus`, which says that it has no picture. */
function extensionOf(type: string, sound: boolean): string {
  if (type.includes('mp4')) return sound ? 'm4a' : 'mp4'
  return sound ? 'opus' : 'webm'
}
