import type { WhipPublisher } from '#islands/broadcast/publisher.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { SOUND_TYPES } from '#lib/meeting/stage/schema.ts'
import { roomApi } from '../room.ts'
import { $publishers } from './stage-publish.ts'

const CLIP_MS = 5000
// A clip whose level stays below this contains no speech.
const SILENCE_LEVEL = 0.02
const MAX_FAILURES = 3

/**
 * Sends clips of five seconds of the own microphone to speech recognition for live captions. Stops after repeated errors
 * of the service. Returns a function that stops it.
 */
export function recordCaptions(language: Locale): () => void {
  let recorder: MediaRecorder | null = null
  let failures = 0
  let isStopped = false
  const type = SOUND_TYPES.find((type) => globalThis.MediaRecorder?.isTypeSupported(type))
  const recordNext = () => {
    const { camera } = $publishers.get()
    if (isStopped || recorder || !type || !camera || failures >= MAX_FAILURES) return
    const track = camera.$stream.get()?.getAudioTracks()[0]
    if (camera.$state.get().is !== 'live' || !camera.$isMicOn.get() || !track) return
    recorder = recordClip(camera, track, type, (sound) => {
      recorder = null
      recordNext()
      if (!sound) return
      roomApi.captionSound({ sound, type, language }).then(
        () => {
          failures = 0
        },
        () => {
          failures++
        },
      )
    })
  }
  const timer = setInterval(recordNext, 1000)
  return () => {
    isStopped = true
    clearInterval(timer)
    recorder?.stop()
  }
}

/** Records one clip; `onClip` gets it in base64, or null for silence. */
function recordClip(
  publisher: WhipPublisher,
  track: MediaStreamTrack,
  type: string,
  onClip: (sound: string | null) => void,
): MediaRecorder {
  let loudest = 0
  const stopMetering = publisher.$level.listen((level) => {
    loudest = Math.max(loudest, level)
  })
  const recorder = new MediaRecorder(new MediaStream([track]), { mimeType: type, audioBitsPerSecond: 24_000 })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.onstop = async () => {
    stopMetering()
    onClip(loudest < SILENCE_LEVEL ? null : await encodeBase64(new Blob(parts)))
  }
  recorder.start()
  setTimeout(() => recorder.state === 'recording' && recorder.stop(), CLIP_MS)
  return recorder
}

async function encodeBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let offset = 0; offset < bytes.length; offset += 0x8000)
    text += String.fromCharCode(...bytes.subarray(offset, offset + 0x8000))
  return btoa(text)
}
