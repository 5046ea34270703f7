import { atom, map, type ReadableAtom, type WritableAtom } from 'nanostores'
import {
  captureDevices,
  captureScreen,
  captureTrack,
  type Device,
  failureOf,
  listDevices,
  type StreamKind,
} from './capture.ts'
import { createLevel } from './level.ts'
import type { Ticket } from './negotiate.ts'
import { rememberLive } from './on-air.ts'
import type { PublishFailure, PublishState } from './publish-state.ts'
import { createUplink } from './uplink.ts'

export interface PublisherOptions {
  /** WHIP endpoint of the stream. */
  endpoint: string
  ticket: Ticket
  kind: StreamKind
  /** Names the stream in this tab: after a reload `wasLive(key)` says that it was on air. */
  key?: string
  ice?: readonly RTCIceServer[]
  /** Where the same stream goes in VP8, see addCompanion. */
  companion?: { endpoint: string; ticket: Ticket }
}

export interface Devices {
  cameras: Device[]
  microphones: Device[]
  /** Those in use. */
  camera: string | null
  microphone: string | null
}

export interface Publisher {
  $state: ReadableAtom<PublishState>
  /** What is captured, for one's own eyes. */
  $stream: ReadableAtom<MediaStream | null>
  /** How loud the microphone is, 0 to 1. */
  $level: ReadableAtom<number>
  $micOn: ReadableAtom<boolean>
  $cameraOn: ReadableAtom<boolean>
  $devices: ReadableAtom<Devices>
  /** Captures without publishing, for the check before; `start` goes on with it. */
  prepare(): Promise<void>
  /** Goes on air. Resolves when the first connection stands or it failed; `$state` says which. */
  start(wanted?: { mic?: boolean; camera?: boolean }): Promise<void>
  stop(): void
  setMic(on: boolean): void
  setCamera(on: boolean): Promise<void>
  useCamera(id: string): Promise<void>
  useMicrophone(id: string): Promise<void>
  /** Publishes the stream in VP8 as well, half the size, until its end: a viewer is there who has no H.264. */
  addCompanion(): void
}

/**
 * Publishes camera and microphone, or a screen, and keeps on publishing: lost connections are made anew at once, devices
 * change without a break. Ends with `stop`, with the page, or (a screen) when the browser's own bar ends it.
 */
export function createPublisher({ endpoint, ticket, kind, key, ice = [], companion }: PublisherOptions): Publisher {
  const $state = atom<PublishState>({ is: 'idle' })
  const $stream = atom<MediaStream | null>(null)
  const $micOn = atom(true)
  const $cameraOn = atom(true)
  const $devices = map<Devices>({ cameras: [], microphones: [], camera: null, microphone: null })
  const level = createLevel()
  const tracks: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null } = { audio: null, video: null }
  const uplink = createUplink({ endpoint, ticket, kind, ice, tracks, told: heard })
  let second: ReturnType<typeof createUplink> | null = null
  let wanted = false
  /** Raised with each end: what was asked for before it and granted after it is let go. */
  let turn = 0

  function heard(state: 'live' | 'reconnecting' | PublishFailure): void {
    if (!wanted) return
    if (state === 'live' || state === 'reconnecting') {
      if (state === 'live' && key) rememberLive(key, true)
      $state.set({ is: state })
    } else fail(state)
  }

  function fail(reason: PublishFailure): void {
    end()
    $state.set({ is: 'failed', reason })
  }

  function end(): void {
    wanted = false
    turn += 1
    if (key) rememberLive(key, false)
    uplink.close()
    second?.close()
    second = null
    for (const which of ['audio', 'video'] as const) hold(which, null)
    removeEventListener('pagehide', leaving)
    navigator.mediaDevices?.removeEventListener('devicechange', refresh)
  }

  // What was on air when the page went is on air again when it comes back: only the connection ends.
  const leaving = (): void => {
    uplink.close()
    second?.close()
  }

  function hold(which: 'audio' | 'video', track: MediaStreamTrack | null): void {
    const old = tracks[which]
    if (old === track) return
    old?.stop()
    tracks[which] = track
    if (which === 'audio') level.measure(track)
    if (track) {
      track.enabled = which === 'audio' ? $micOn.get() : $cameraOn.get()
      track.addEventListener('ended', () => tracks[which] === track && lost(which))
    }
    const held = [tracks.audio, tracks.video].filter((one) => one !== null)
    $stream.set(held.length > 0 ? new MediaStream(held) : null)
    void uplink.replace(which, track)
    void second?.replace(which, track)
  }

  // A screen ends by the browser's bar, a device by its plug: then the next one is taken.
  function lost(which: 'audio' | 'video'): void {
    if (kind === 'screen' && which === 'video') {
      end()
      $state.set({ is: 'idle' })
      return
    }
    hold(which, null)
    if (kind === 'camera' && isOn(which)) void capture(which, null).catch(() => {})
  }

  async function capture(which: 'audio' | 'video', id: string | null): Promise<void> {
    const mine = turn
    const track = await captureTrack(which, id)
    if (mine !== turn) return track.stop()
    take(which, track)
    $devices.setKey(which === 'video' ? 'camera' : 'microphone', track.getSettings().deviceId ?? id)
    await refresh()
  }

  const isOn = (which: 'audio' | 'video'): boolean => (which === 'audio' ? $micOn : $cameraOn).get()

  // A device may have been switched off while its permission was asked for.
  function take(which: 'audio' | 'video', track: MediaStreamTrack): void {
    if (kind === 'camera' && !isOn(which)) track.stop()
    else hold(which, track)
  }

  // What is refused after an end says nothing about what was begun since.
  const unless = (mine: number, $on: WritableAtom<boolean>) => () => mine === turn && $on.set(false)

  async function refresh(): Promise<void> {
    const { cameras, microphones } = await listDevices()
    $devices.set({ ...$devices.get(), cameras, microphones })
  }

  async function prepare(): Promise<void> {
    if (tracks.audio || tracks.video) return
    const mine = turn
    const wanted = { mic: $micOn.get(), camera: $cameraOn.get() }
    const taken = kind === 'screen' ? await captureScreen() : await captureDevices(wanted, $devices.get())
    if (mine !== turn) {
      for (const track of taken) track.stop()
      return
    }
    for (const track of taken) {
      const which = track.kind === 'audio' ? 'audio' : 'video'
      take(which, track)
      if (kind === 'camera')
        $devices.setKey(which === 'video' ? 'camera' : 'microphone', track.getSettings().deviceId ?? null)
    }
    navigator.mediaDevices.addEventListener('devicechange', refresh)
    await refresh()
  }

  // The check before captures both devices: what is not wanted now is let go, so that it cannot be sent.
  function settle(): void {
    for (const which of ['audio', 'video'] as const) {
      if (!isOn(which)) hold(which, null)
      else if (tracks[which]) tracks[which].enabled = true
    }
  }

  return {
    $state,
    $stream,
    $level: level.$level,
    $micOn,
    $cameraOn,
    $devices,
    prepare,
    async start({ mic = $micOn.get(), camera = $cameraOn.get() } = {}) {
      if (wanted) return
      wanted = true
      const mine = turn
      $micOn.set(mic)
      $cameraOn.set(camera)
      $state.set({ is: 'starting' })
      if (typeof RTCPeerConnection === 'undefined' || !navigator.mediaDevices) return fail('unsupported')
      try {
        await prepare()
      } catch (error) {
        if (mine === turn) fail(failureOf(error, kind))
        return
      }
      if (mine !== turn) return
      addEventListener('pagehide', leaving)
      if (kind === 'camera') settle()
      await uplink.open()
    },
    stop() {
      end()
      $state.set({ is: 'idle' })
    },
    setMic(on) {
      $micOn.set(on)
      if (tracks.audio) tracks.audio.enabled = on
      else if (on && wanted && kind === 'camera')
        void capture('audio', $devices.get().microphone).catch(unless(turn, $micOn))
    },
    // Switched off, the camera itself is let go, so that its light goes out.
    async setCamera(on) {
      $cameraOn.set(on)
      if (kind !== 'camera') return
      if (!on) hold('video', null)
      else if (!tracks.video) await capture('video', $devices.get().camera).catch(unless(turn, $cameraOn))
    },
    useCamera: (id) => capture('video', id),
    useMicrophone: (id) => capture('audio', id),
    addCompanion() {
      if (!wanted || second || !companion) return
      second = createUplink({ ...companion, kind, ice, tracks, told: () => {}, codec: 'VP8' })
      void second.open()
    },
  }
}
