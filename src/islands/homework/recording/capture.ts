import { captureScreen, captureTrack, failureOf } from '#islands/broadcast/capture.ts'

export type RecordSource = 'camera' | 'screen' | 'voice'
/** Which camera of a phone: the one of its owner's face, or the one on its back. */
export type Facing = 'user' | 'environment'
export const CAPTURE_FAILURES = ['denied', 'dismissed', 'none', 'busy', 'unsupported'] as const
export type CaptureFailure = (typeof CAPTURE_FAILURES)[number]

export interface Captured {
  stream: MediaStream
  hasSound: boolean
  /** Switches camera and microphone off. */
  close: () => void
}

const VIDEO = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }
const AUDIO = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

/** Asks the person for what is to be recorded. Throws what the browser says. */
export function capture(source: RecordSource, facing: Facing): Promise<Captured> {
  if (source === 'screen') return captureWithVoice()
  return source === 'camera' ? captureCamera(facing) : captureMicrophone()
}

/** Why nothing can be recorded, in a word that can be explained. */
export function captureFailure(error: unknown, source: RecordSource): CaptureFailure {
  const failure = failureOf(error, source === 'screen' ? 'screen' : 'camera')
  return CAPTURE_FAILURES.find((known) => known === failure) ?? 'unsupported'
}

/** What this device can record. Before it is asked a browser tells only that there is a camera, and that is enough. */
export async function listSources(): Promise<RecordSource[]> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  const has = (wanted: MediaDeviceKind) => devices.some(({ kind }) => kind === wanted)
  const sources: RecordSource[] = []
  if (has('videoinput')) sources.push('camera')
  if ('getDisplayMedia' in navigator.mediaDevices) sources.push('screen')
  if (has('audioinput')) sources.push('voice')
  return sources
}

export async function countCameras(): Promise<number> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  return devices.filter(({ kind }) => kind === 'videoinput').length
}

async function captureCamera(facing: Facing): Promise<Captured> {
  const video = { ...VIDEO, facingMode: facing }
  const stream = await navigator.mediaDevices.getUserMedia({ video, audio: AUDIO }).catch((error: unknown) => {
    // No microphone, or a busy one: a silent picture is better than none.
    if (failureOf(error) !== 'none') throw error
    return navigator.mediaDevices.getUserMedia({ video })
  })
  return captured(stream, stream)
}

async function captureMicrophone(): Promise<Captured> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: AUDIO })
  return captured(stream, stream)
}

/** The screen with its own sound and the voice of whoever shows it, as far as there are any. */
async function captureWithVoice(): Promise<Captured> {
  const screen = new MediaStream(await captureScreen())
  const voice = await captureTrack('audio', null).catch(() => null)
  if (!voice) return captured(screen, screen)
  if (screen.getAudioTracks().length === 0) {
    const stream = new MediaStream([...screen.getVideoTracks(), voice])
    return captured(stream, stream)
  }
  // A recorder takes one track of sound only.
  const mixer = new AudioContext()
  const mixed = mixer.createMediaStreamDestination()
  for (const sound of [new MediaStream(screen.getAudioTracks()), new MediaStream([voice])]) {
    mixer.createMediaStreamSource(sound).connect(mixed)
  }
  const stream = new MediaStream([...screen.getVideoTracks(), ...mixed.stream.getAudioTracks()])
  const all = new MediaStream([...screen.getTracks(), voice])
  return captured(stream, all, () => void mixer.close())
}

function captured(stream: MediaStream, opened: MediaStream, done = () => {}): Captured {
  const close = () => {
    for (const track of opened.getTracks()) track.stop()
    done()
  }
  return { stream, hasSound: stream.getAudioTracks().length > 0, close }
}
