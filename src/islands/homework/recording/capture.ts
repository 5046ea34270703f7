import { captureScreen, captureTrack, failureOf } from '#islands/broadcast/capture.ts'

export type RecordingSource = 'camera' | 'screen' | 'voice'
/** Front or rear camera of a phone. */
export type CameraFacing = 'user' | 'environment'
const CAPTURE_FAILURES = ['denied', 'dismissed', 'none', 'busy', 'unsupported'] as const
export type CaptureFailure = (typeof CAPTURE_FAILURES)[number]

export interface CapturedMedia {
  stream: MediaStream
  hasSound: boolean
  /** Stops camera and microphone. */
  close: () => void
}

const VIDEO = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }
const AUDIO = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

/** Requests the media to record. Throws the browser's error. */
export function captureMedia(source: RecordingSource, facing: CameraFacing): Promise<CapturedMedia> {
  if (source === 'screen') return captureScreenWithVoice()
  return source === 'camera' ? captureCamera(facing) : captureMicrophone()
}

/** Maps the browser's error to a reason that can be explained. */
export function toCaptureFailure(error: unknown, source: RecordingSource): CaptureFailure {
  const failure = failureOf(error, source === 'screen' ? 'screen' : 'camera')
  return CAPTURE_FAILURES.find((known) => known === failure) ?? 'unsupported'
}

/** Sources of this device. Without permission browsers list only the kinds of devices, which is enough. */
export async function listRecordingSources(): Promise<RecordingSource[]> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  const has = (searchedKind: MediaDeviceKind) => devices.some(({ kind }) => kind === searchedKind)
  const sources: RecordingSource[] = []
  if (has('videoinput')) sources.push('camera')
  if ('getDisplayMedia' in navigator.mediaDevices) sources.push('screen')
  if (has('audioinput')) sources.push('voice')
  return sources
}

export async function countCameras(): Promise<number> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  return devices.filter(({ kind }) => kind === 'videoinput').length
}

async function captureCamera(facing: CameraFacing): Promise<CapturedMedia> {
  const video = { ...VIDEO, facingMode: facing }
  const stream = await navigator.mediaDevices.getUserMedia({ video, audio: AUDIO }).catch((error: unknown) => {
    // Without a microphone a silent video is recorded.
    if (failureOf(error) !== 'none') throw error
    return navigator.mediaDevices.getUserMedia({ video })
  })
  return toCapturedMedia(stream, stream)
}

async function captureMicrophone(): Promise<CapturedMedia> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: AUDIO })
  return toCapturedMedia(stream, stream)
}

/** The screen with its audio and the microphone, if available. */
async function captureScreenWithVoice(): Promise<CapturedMedia> {
  const screen = new MediaStream(await captureScreen())
  const voice = await captureTrack('audio', null).catch(() => null)
  if (!voice) return toCapturedMedia(screen, screen)
  if (screen.getAudioTracks().length === 0) {
    const stream = new MediaStream([...screen.getVideoTracks(), voice])
    return toCapturedMedia(stream, stream)
  }
  // MediaRecorder records one audio track only.
  const mixer = new AudioContext()
  const mixed = mixer.createMediaStreamDestination()
  for (const sound of [new MediaStream(screen.getAudioTracks()), new MediaStream([voice])]) {
    mixer.createMediaStreamSource(sound).connect(mixed)
  }
  const stream = new MediaStream([...screen.getVideoTracks(), ...mixed.stream.getAudioTracks()])
  const all = new MediaStream([...screen.getTracks(), voice])
  return toCapturedMedia(stream, all, () => void mixer.close())
}

function toCapturedMedia(stream: MediaStream, opened: MediaStream, done = () => {}): CapturedMedia {
  const close = () => {
    for (const track of opened.getTracks()) track.stop()
    done()
  }
  return { stream, hasSound: stream.getAudioTracks().length > 0, close }
}
