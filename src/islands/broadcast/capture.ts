import type { PublishFailure } from './publish-state.ts'

export interface CaptureDevice {
  id: string
  label: string
}

export type StreamKind = 'camera' | 'screen'

const VIDEO = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }
const AUDIO = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

/**
 * Requests one track of a camera or a microphone, of the given device if it is available. Throws the browser's error.
 */
export async function captureTrack(kind: 'audio' | 'video', deviceId: string | null): Promise<MediaStreamTrack> {
  const constraints = { ...(kind === 'video' ? VIDEO : AUDIO), ...(deviceId && { deviceId: { ideal: deviceId } }) }
  const stream = await navigator.mediaDevices.getUserMedia({ [kind]: constraints })
  const [track] = stream.getTracks()
  if (!track) throw new DOMException('no track', 'NotFoundError')
  if (kind === 'video') track.contentHint = 'motion'
  return track
}

// One permission prompt for both; if one of them is missing, the other is captured.
async function captureBoth(camera: string | null, microphone: string | null): Promise<MediaStreamTrack[]> {
  const ideal = (id: string | null) => (id ? { deviceId: { ideal: id } } : {})
  const both = { video: { ...VIDEO, ...ideal(camera) }, audio: { ...AUDIO, ...ideal(microphone) } }
  try {
    const tracks = (await navigator.mediaDevices.getUserMedia(both)).getTracks()
    for (const track of tracks) if (track.kind === 'video') track.contentHint = 'motion'
    return tracks
  } catch (error) {
    const reason = failureOf(error)
    if (reason !== 'none' && reason !== 'busy') throw error
    const rest = await Promise.allSettled([captureTrack('audio', microphone), captureTrack('video', camera)])
    const tracks = rest.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    if (tracks.length === 0) throw error
    return tracks
  }
}

/** Captures camera, microphone or both; a device that is not requested stays off. */
export async function captureDevices(
  sources: { mic: boolean; camera: boolean },
  { camera, microphone }: { camera: string | null; microphone: string | null },
): Promise<MediaStreamTrack[]> {
  if (sources.mic && sources.camera) return captureBoth(camera, microphone)
  if (sources.mic) return [await captureTrack('audio', microphone)]
  return sources.camera ? [await captureTrack('video', camera)] : []
}

/** The screen, with its audio if the browser supports it. Text has priority over motion. */
export async function captureScreen(): Promise<MediaStreamTrack[]> {
  const constraints = { video: { frameRate: { ideal: 15, max: 30 } }, audio: true }
  const tracks = (await navigator.mediaDevices.getDisplayMedia(constraints)).getTracks()
  for (const track of tracks) if (track.kind === 'video') track.contentHint = 'detail'
  return tracks
}

/** Cameras and microphones; without names until the browser discloses them. */
export async function listCaptureDevices(): Promise<{ cameras: CaptureDevice[]; microphones: CaptureDevice[] }> {
  const all = await navigator.mediaDevices.enumerateDevices()
  const devicesOf = (kind: MediaDeviceKind) =>
    all.flatMap((device) =>
      device.kind === kind && device.deviceId ? [{ id: device.deviceId, label: device.label }] : [],
    )
  return { cameras: devicesOf('videoinput'), microphones: devicesOf('audioinput') }
}

/** The reason of a device failure, as a code with a translation. */
export function failureOf(error: unknown, kind: StreamKind = 'camera'): PublishFailure {
  const name = error instanceof DOMException ? error.name : ''
  // Dismissing the browser's screen selection has the same error as a denied permission.
  if (name === 'NotAllowedError') return kind === 'screen' ? 'dismissed' : 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none'
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy'
  return 'unsupported'
}
