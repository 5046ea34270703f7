/** The longest voice comment, in seconds. */
export const VOICE_SECONDS = 300

export interface Recording {
  stop: () => void
  done: Promise<Blob>
}

/** What this browser records, the most widely playable first. */
const TYPES = ['audio/mp4', 'audio/webm;codecs=opus', 'audio/webm', 'audio/ogg;codecs=opus']

export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && typeof navigator !== 'undefined' && Boolean(navigator.mediaDevices)

/** Records the microphone until it is stopped or too long. Rejects when the person or the browser gives no microphone. */
export async function record(tick: (seconds: number) => void): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true },
  })
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, { ...(mimeType ? { mimeType } : {}), audioBitsPerSecond: 48_000 })
  const parts: Blob[] = []
  const began = Date.now()
  const timer = setInterval(() => {
    const seconds = (Date.now() - began) / 1000
    tick(seconds)
    if (seconds >= VOICE_SECONDS) stop()
  }, 250)
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop()
  }
  const done = new Promise<Blob>((resolve) => {
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    recorder.addEventListener('stop', () => {
      clearInterval(timer)
      for (const track of stream.getTracks()) track.stop()
      resolve(new Blob(parts, { type: recorder.mimeType }))
    })
  })
  recorder.start(1000)
  return { stop, done }
}

/** Under which name a recording is kept: WebM and Ogg hold the same sound, and this name says that it is one. */
export function nameOfVoice(type: string): string {
  if (type.includes('mp4')) return 'voice.m4a'
  return 'voice.opus'
}
