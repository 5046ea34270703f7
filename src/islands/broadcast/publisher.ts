import { atom, map, type ReadableAtom, type WritableAtom } from 'nanostores'
import {
  type CaptureDevice,
  captureDevices,
  captureScreen,
  captureTrack,
  failureOf,
  listCaptureDevices,
  type StreamKind,
} from './capture.ts'
import { createLevelMeter } from './level-meter.ts'
import type { TokenSource } from './negotiate.ts'
import type { PublishFailure, PublishState } from './publish-state.ts'
import { storePublishing } from './publishing-marker.ts'
import { createUplink } from './uplink.ts'

export interface PublisherOptions {
  /** WHIP endpoint of the stream. */
  endpoint: string
  token: TokenSource
  kind: StreamKind
  /** Identifies the stream in this tab: after a reload `wasPublishing(key)` is true if it was published. */
  key?: string
  iceServers?: readonly RTCIceServer[]
  /** Endpoint of the companion stream in VP8, see addCompanion. */
  companion?: { endpoint: string; token: TokenSource }
}

interface Devices {
  cameras: CaptureDevice[]
  microphones: CaptureDevice[]
  /** The selected devices. */
  camera: string | null
  microphone: string | null
}

export interface WhipPublisher {
  $state: ReadableAtom<PublishState>
  /** The captured media, for the local preview. */
  $stream: ReadableAtom<MediaStream | null>
  /** Level of the microphone, 0 to 1. */
  $level: ReadableAtom<number>
  $isMicOn: ReadableAtom<boolean>
  $isCameraOn: ReadableAtom<boolean>
  $devices: ReadableAtom<Devices>
  /** Captures without publishing, for the device check; `start` publishes the captured tracks. */
  prepare(): Promise<void>
  /** Publishes. Resolves when the first connection is established or has failed, as shown by `$state`. */
  start(sources?: { mic?: boolean; camera?: boolean }): Promise<void>
  stop(): void
  setMic(on: boolean): void
  setCamera(on: boolean): Promise<void>
  selectCamera(id: string): Promise<void>
  selectMicrophone(id: string): Promise<void>
  /** Publishes the stream in VP8 as well, at half the size, for subscribers without H.264. */
  addCompanion(): void
}

/**
 * Publishes camera and microphone, or a screen. Lost connections are reopened immediately; devices are changed without
 * interruption. Ends with `stop`, when the page is closed, or (a screen) by the browser's button.
 */
export function createPublisher({
  endpoint,
  token,
  kind,
  key,
  iceServers = [],
  companion,
}: PublisherOptions): WhipPublisher {
  const $state = atom<PublishState>({ is: 'idle' })
  const $stream = atom<MediaStream | null>(null)
  const $isMicOn = atom(true)
  const $isCameraOn = atom(true)
  const $devices = map<Devices>({ cameras: [], microphones: [], camera: null, microphone: null })
  const level = createLevelMeter()
  const tracks: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null } = { audio: null, video: null }
  const uplink = createUplink({
    endpoint,
    token,
    kind,
    iceServers,
    tracks,
    onState: handleUplinkState,
  })
  let companionUplink: ReturnType<typeof createUplink> | null = null
  let isActive = false
  /** Incremented at each end: a device granted for an earlier start is released. */
  let generation = 0

  function handleUplinkState(state: 'live' | 'reconnecting' | PublishFailure): void {
    if (!isActive) return
    if (state === 'live' || state === 'reconnecting') {
      if (state === 'live' && key) storePublishing(key, true)
      $state.set({ is: state })
    } else fail(state)
  }

  function fail(reason: PublishFailure): void {
    end()
    $state.set({ is: 'failed', reason })
  }

  function end(): void {
    isActive = false
    generation += 1
    if (key) storePublishing(key, false)
    uplink.close()
    companionUplink?.close()
    companionUplink = null
    for (const trackKind of ['audio', 'video'] as const) setTrack(trackKind, null)
    removeEventListener('pagehide', handlePagehide)
    navigator.mediaDevices?.removeEventListener('devicechange', refresh)
  }

  // Published streams are published again when the page is restored from the cache: only the connection ends here.
  const handlePagehide = (): void => {
    uplink.close()
    companionUplink?.close()
  }

  function setTrack(trackKind: 'audio' | 'video', track: MediaStreamTrack | null): void {
    const old = tracks[trackKind]
    if (old === track) return
    old?.stop()
    tracks[trackKind] = track
    if (trackKind === 'audio') level.measure(track)
    if (track) {
      track.enabled = trackKind === 'audio' ? $isMicOn.get() : $isCameraOn.get()
      track.addEventListener('ended', () => tracks[trackKind] === track && handleTrackEnd(trackKind))
    }
    const liveTracks = [tracks.audio, tracks.video].filter((track) => track !== null)
    $stream.set(liveTracks.length > 0 ? new MediaStream(liveTracks) : null)
    void uplink.replace(trackKind, track)
    void companionUplink?.replace(trackKind, track)
  }

  // Sharing a screen ends by the browser's button; when a device is unplugged, the next one is used.
  function handleTrackEnd(trackKind: 'audio' | 'video'): void {
    if (kind === 'screen' && trackKind === 'video') {
      end()
      $state.set({ is: 'idle' })
      return
    }
    setTrack(trackKind, null)
    if (kind === 'camera' && isOn(trackKind)) void capture(trackKind, null).catch(() => {})
  }

  async function capture(trackKind: 'audio' | 'video', id: string | null): Promise<void> {
    const ownGeneration = generation
    const track = await captureTrack(trackKind, id)
    if (ownGeneration !== generation) return track.stop()
    acceptTrack(trackKind, track)
    $devices.setKey(trackKind === 'video' ? 'camera' : 'microphone', track.getSettings().deviceId ?? id)
    await refresh()
  }

  const isOn = (trackKind: 'audio' | 'video'): boolean => (trackKind === 'audio' ? $isMicOn : $isCameraOn).get()

  // The device may have been switched off while the permission was requested.
  function acceptTrack(trackKind: 'audio' | 'video', track: MediaStreamTrack): void {
    if (kind === 'camera' && !isOn(trackKind)) track.stop()
    else setTrack(trackKind, track)
  }

  // A failure after the end is ignored, because publishing may have been started again.
  const switchOffOnError = (ownGeneration: number, $on: WritableAtom<boolean>) => () =>
    ownGeneration === generation && $on.set(false)

  async function refresh(): Promise<void> {
    const { cameras, microphones } = await listCaptureDevices()
    $devices.set({ ...$devices.get(), cameras, microphones })
  }

  async function prepare(): Promise<void> {
    if (tracks.audio || tracks.video) return
    const ownGeneration = generation
    const isActive = { mic: $isMicOn.get(), camera: $isCameraOn.get() }
    const capturedTracks = kind === 'screen' ? await captureScreen() : await captureDevices(isActive, $devices.get())
    if (ownGeneration !== generation) {
      for (const track of capturedTracks) track.stop()
      return
    }
    for (const track of capturedTracks) {
      const trackKind = track.kind === 'audio' ? 'audio' : 'video'
      acceptTrack(trackKind, track)
      if (kind === 'camera')
        $devices.setKey(trackKind === 'video' ? 'camera' : 'microphone', track.getSettings().deviceId ?? null)
    }
    navigator.mediaDevices.addEventListener('devicechange', refresh)
    await refresh()
  }

  // The device check captures both devices: one that is not requested now is stopped, so that it cannot be sent.
  function applySwitches(): void {
    for (const trackKind of ['audio', 'video'] as const) {
      if (!isOn(trackKind)) setTrack(trackKind, null)
      else if (tracks[trackKind]) tracks[trackKind].enabled = true
    }
  }

  return {
    $state,
    $stream,
    $level: level.$level,
    $isMicOn: $isMicOn,
    $isCameraOn: $isCameraOn,
    $devices,
    prepare,
    async start({ mic = $isMicOn.get(), camera = $isCameraOn.get() } = {}) {
      if (isActive) return
      isActive = true
      const ownGeneration = generation
      $isMicOn.set(mic)
      $isCameraOn.set(camera)
      $state.set({ is: 'starting' })
      if (typeof RTCPeerConnection === 'undefined' || !navigator.mediaDevices) return fail('unsupported')
      try {
        await prepare()
      } catch (error) {
        if (ownGeneration === generation) fail(failureOf(error, kind))
        return
      }
      if (ownGeneration !== generation) return
      addEventListener('pagehide', handlePagehide)
      if (kind === 'camera') applySwitches()
      await uplink.open()
    },
    stop() {
      end()
      $state.set({ is: 'idle' })
    },
    setMic(on) {
      $isMicOn.set(on)
      if (tracks.audio) tracks.audio.enabled = on
      else if (on && isActive && kind === 'camera')
        void capture('audio', $devices.get().microphone).catch(switchOffOnError(generation, $isMicOn))
    },
    // When the video is switched off, the camera is released, so that its light is switched off.
    async setCamera(on) {
      $isCameraOn.set(on)
      if (kind !== 'camera') return
      if (!on) setTrack('video', null)
      else if (!tracks.video)
        await capture('video', $devices.get().camera).catch(switchOffOnError(generation, $isCameraOn))
    },
    selectCamera: (id) => capture('video', id),
    selectMicrophone: (id) => capture('audio', id),
    addCompanion() {
      if (!isActive || companionUplink || !companion) return
      companionUplink = createUplink({
        ...companion,
        kind,
        iceServers,
        tracks,
        onState: () => {},
        codec: 'VP8',
      })
      void companionUplink.open()
    },
  }
}
