import type { Publisher } from '#islands/broadcast/publisher.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { SOUND_TYPES } from '#lib/meeting/stage/schema.ts'
import { roomApi } from '../room.ts'
import { $publishers } from './stage-publish.ts'

const PIECE_MS = 5000
// Quieter than this in all of a piece is nobody speaking.
const SILENCE = 0.02
const MOST_FAILURES = 3

/**
 * Live captions: while my microphone is on air, five seconds of it at a time go to be written down. Gives up when the
 * service fails again and again; typed captions go on. Answers how to stop.
 */
export function listenForCaptions(language: Locale): () => void {
  let piece: MediaRecorder | null = null
  let failures = 0
  let ended = false
  const type = SOUND_TYPES.find((one) => globalThis.MediaRecorder?.isTypeSupported(one))
  const next = () => {
    const { camera } = $publishers.get()
    if (ended || piece || !type || !camera || failures >= MOST_FAILURES) return
    const track = camera.$stream.get()?.getAudioTracks()[0]
    if (camera.$state.get().is !== 'live' || !camera.$micOn.get() || !track) return
    piece = record(camera, track, type, (sound) => {
      piece = null
      next()
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
  const timer = setInterval(next, 1000)
  return () => {
    ended = true
    clearInterval(timer)
    piece?.stop()
  }
}

/** Records one piece; `done` gets it as base64, or null for silence. */
function record(
  publisher: Publisher,
  track: MediaStreamTrack,
  type: string,
  done: (sound: string | null) => void,
): MediaRecorder {
  let loudest = 0
  const hears = publisher.$level.listen((level) => {
    loudest = Math.max(loudest, level)
  })
  const recorder = new MediaRecorder(new MediaStream([track]), { mimeType: type, audioBitsPerSecond: 24_000 })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.onstop = async () => {
    hears()
    done(loudest < SILENCE ? null : await base64Of(new Blob(parts)))
  }
  recorder.start()
  setTimeout(() => recorder.state === 'recording' && recorder.stop(), PIECE_MS)
  return recorder
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
