/** Recording formats, the most widely playable first. */
export const AUDIO_TYPES = ['audio/mp4', 'audio/webm;codecs=opus', 'audio/webm', 'audio/ogg;codecs=opus'] as const
export const VIDEO_TYPES = [
  'video/mp4;codecs=avc1.42E01E,mp4a.40.2',
  'video/mp4;codecs=avc1.42E01E,opus',
  // VP8 needs less CPU than VP9.
  'video/webm;codecs=vp8,opus',
  'video/webm',
  'video/mp4',
] as const

export const AUDIO_BITS_PER_SECOND = 48_000
/** Enough for 720p of a talking person or of slides. */
export const VIDEO_BITS_PER_SECOND = 2_500_000

export interface RecorderOptions {
  types: readonly string[]
  videoBitsPerSecond?: number
  audioBitsPerSecond: number
  /** About every second, and once at the end. */
  onChunk: (chunk: Blob) => void
  /** Recorded seconds without pauses; four times a second. */
  onTick: (seconds: number) => void
  /** After the last chunk. */
  onEnd: () => void
}

export interface AnswerRecorder {
  /** The MIME type of the recording. */
  type: string
  pause: () => void
  resume: () => void
  /** A second call changes nothing. */
  stop: () => void
}

const CHUNK_MS = 1000
const TICK_MS = 250

export const canRecordInBrowser = (): boolean =>
  typeof MediaRecorder !== 'undefined' && typeof navigator !== 'undefined' && Boolean(navigator.mediaDevices)

/** Records a stream in chunks until it is stopped or all tracks have ended. The stream stays open. */
export function startRecorder(stream: MediaStream, options: RecorderOptions): AnswerRecorder {
  const { types, videoBitsPerSecond, audioBitsPerSecond, onChunk, onTick, onEnd } = options
  const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, {
    ...(mimeType ? { mimeType } : {}),
    ...(videoBitsPerSecond ? { videoBitsPerSecond } : {}),
    audioBitsPerSecond,
  })
  let recordedMs = 0
  let resumedAt: number | null = Date.now()
  const seconds = () => (recordedMs + (resumedAt === null ? 0 : Date.now() - resumedAt)) / 1000
  const stopClock = () => {
    recordedMs = seconds() * 1000
    resumedAt = null
  }
  const timer = setInterval(() => resumedAt !== null && onTick(seconds()), TICK_MS)
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size > 0) onChunk(data)
  })
  recorder.addEventListener('stop', () => {
    clearInterval(timer)
    onEnd()
  })
  recorder.start(CHUNK_MS)
  return {
    type: recorder.mimeType || mimeType || '',
    pause() {
      if (recorder.state !== 'recording') return
      recorder.pause()
      stopClock()
    },
    resume() {
      if (recorder.state !== 'paused') return
      recorder.resume()
      resumedAt = Date.now()
    },
    stop() {
      if (recorder.state === 'inactive') return
      stopClock()
      recorder.stop()
    },
  }
}
