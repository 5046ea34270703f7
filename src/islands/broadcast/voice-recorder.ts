import { AUDIO_BITS_PER_SECOND, AUDIO_TYPES, startRecorder } from './recorder.ts'

/** Maximum duration of a voice comment. */
export const MAX_VOICE_SECONDS = 300

export interface VoiceRecording {
  stop: () => void
  done: Promise<Blob>
}

/** Records the microphone until it is stopped or the maximum is reached. Rejects without access to a microphone. */
export async function recordVoice(onTick: (seconds: number) => void): Promise<VoiceRecording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true },
  })
  const chunks: Blob[] = []
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const recorder = startRecorder(stream, {
    types: AUDIO_TYPES,
    audioBitsPerSecond: AUDIO_BITS_PER_SECOND,
    onChunk: (chunk) => chunks.push(chunk),
    onTick: (seconds) => {
      onTick(seconds)
      if (seconds >= MAX_VOICE_SECONDS) recorder.stop()
    },
    onEnd: resolve,
  })
  const done = ended.then(() => {
    for (const track of stream.getTracks()) track.stop()
    return new Blob(chunks, { type: recorder.type })
  })
  return { stop: recorder.stop, done }
}

/** File name of a recording: WebM and Ogg contain the same audio, and `.opus` marks it as audio. */
export function voiceFileName(type: string): string {
  if (type.includes('mp4')) return 'voice.m4a'
  return 'voice.opus'
}
