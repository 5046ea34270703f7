import { atom, type ReadableAtom } from 'nanostores'
import type { AudioOnlyStream } from './audio-only-mode.ts'
import { type Downlink, openDownlink } from './downlink.ts'
import { type HlsPlayback, openHls } from './hls-playback.ts'
import { isLasting, NegotiationError, NO_TOKEN, type TokenSource } from './negotiate.ts'
import type { NetSample } from './network-sample.ts'
import { createRetry } from './retry.ts'
import { createVideoOutput } from './video-output.ts'
import { type AssessSamples, tryVideoDownlink } from './video-trial.ts'
import { createWebrtcRetry } from './webrtc-retry.ts'

export interface WatcherOptions {
  video: HTMLVideoElement
  /** WHEP endpoint of the stream. */
  endpoint: string
  token: TokenSource
  /** Base URL of HLS, ending with `/`; a function is called again when the URL was refused. */
  hlsUrl: string | null | (() => Promise<string | null>)
  iceServers?: readonly RTCIceServer[]
  /** Delay in ms before WebRTC is retried while HLS is playing. */
  retryWebrtcMs?: number
}

type PlaybackMode = 'none' | 'webrtc' | 'hls' | 'audio'
/** `waiting`: not published. `lost`: reconnecting. */
type PlaybackState = 'connecting' | 'playing' | 'waiting' | 'lost'

export interface StreamPlayer extends AudioOnlyStream {
  $mode: ReadableAtom<PlaybackMode>
  $state: ReadableAtom<PlaybackState>
  /** Latency in seconds; null when it plays by WebRTC. */
  $latencySeconds: ReadableAtom<number | null>
  /** Autoplay with audio is blocked until a user gesture. */
  $isAutoplayBlocked: ReadableAtom<boolean>
  $sample: ReadableAtom<NetSample | null>
  /** Reconnects at once, e.g. when the stream is known to be published again. */
  reconnect(): void
  /** Has to be called in the handler of a user gesture. */
  unmute(): Promise<void>
  stop(): void
}

/** Number of failed connections after which HLS is used. */
const MAX_WEBRTC_FAILURES = 2
const WEBRTC_RETRY_MS = 30_000
/** Delay in ms before a stream without a publisher is requested again. */
const NOT_PUBLISHED_RETRY_MS = 1000
/** Status of an offer without the codec of the stream; the publisher is requested to add a companion stream. */
const UNPROCESSABLE_STATUS = 422
const COMPANION_RETRY_MS = 4000

/** Plays a stream in a video element by WebRTC, with HLS as the fallback, and reconnects. */
export function createStreamPlayer(options: WatcherOptions): StreamPlayer {
  const { video, endpoint, token, hlsUrl, iceServers = [], retryWebrtcMs = WEBRTC_RETRY_MS } = options
  const $mode = atom<PlaybackMode>('none')
  const $state = atom<PlaybackState>('connecting')
  const $latencySeconds = atom<number | null>(null)
  const $sample = atom<NetSample | null>(null)
  const videoOutput = createVideoOutput(video)
  const retry = createRetry()
  let audioOnly = false
  /** The current connection, and the one that replaces it when media arrives. */
  let current: Downlink | null = null
  let next: Downlink | null = null
  /** The connection that is tried while HLS is playing. */
  let background: Downlink | null = null
  let hlsPlayback: HlsPlayback | null = null
  const webrtcRetry = createWebrtcRetry(retryWebrtcMs)
  let webrtcFailures = typeof RTCPeerConnection === 'undefined' ? MAX_WEBRTC_FAILURES : 0
  let generation = 0
  let isStopped = false
  addEventListener('online', handleOnline)
  addEventListener('pagehide', disconnect)
  void connect()

  function connect(): Promise<void> {
    generation += 1
    next?.close()
    background?.close()
    next = background = null
    return webrtcFailures >= MAX_WEBRTC_FAILURES && hlsUrl ? connectHls(generation) : connectWebrtc(generation)
  }

  async function connectWebrtc(ownGeneration: number): Promise<void> {
    webrtcRetry.cancel()
    try {
      const opened: Downlink = await openDownlink({
        endpoint,
        token,
        iceServers,
        withVideo: !audioOnly,
        onStream: (stream) => ownGeneration === generation && showStream(stream, opened),
        onLost: (wasConnected) => ownGeneration === generation && handleLoss(wasConnected),
        onSample: (sample, isFlowing) => current === opened && updateSample(sample, isFlowing),
      })
      if (ownGeneration !== generation || isStopped) return opened.close()
      next = opened
      if ($state.get() !== 'playing') $state.set('waiting')
    } catch (error) {
      if (ownGeneration !== generation || isStopped) return
      if (error instanceof NegotiationError) return handleRefusal(error)
      reportError(error)
      handleLoss(false)
    }
  }

  function showStream(stream: MediaStream, by: Downlink): void {
    if (current !== by) current?.close()
    current = by
    if (next === by) next = null
    if (background === by) background = null
    webrtcFailures = 0
    retry.reset()
    webrtcRetry.cancel()
    hlsPlayback?.close()
    hlsPlayback = null
    videoOutput.showStream(stream)
    $latencySeconds.set(null)
    $mode.set(audioOnly ? 'audio' : 'webrtc')
    $state.set('playing')
  }

  function updateSample(sample: NetSample, isFlowing: boolean): void {
    if (!audioOnly) $sample.set(sample)
    if ($mode.get() !== 'none') $state.set(isFlowing ? 'playing' : 'waiting')
  }

  function handleLoss(wasConnected: boolean): void {
    next?.close()
    current?.close()
    next = current = null
    if (!wasConnected) webrtcFailures += 1
    if (!hlsPlayback) $state.set('lost')
    retry.schedule(() => void connect())
  }

  function handleRefusal(error: NegotiationError): void {
    const { status, code, retryAfterMs } = error
    // There is no capacity, or the browser lacks the codec: HLS solves both, if it is available.
    const canUseHls = (code === 'broadcast_full' || status === UNPROCESSABLE_STATUS) && hlsUrl
    if (status === UNPROCESSABLE_STATUS) webrtcRetry.shortenTo(COMPANION_RETRY_MS)
    if (canUseHls) webrtcFailures = MAX_WEBRTC_FAILURES
    else if (!hlsPlayback) $state.set(status === 404 || status === UNPROCESSABLE_STATUS ? 'waiting' : 'lost')
    // A participant without a token may no longer watch.
    if (code === NO_TOKEN && isLasting(error)) return
    retry.schedule(
      () => void connect(),
      canUseHls
        ? 0
        : (retryAfterMs ?? (status === 404 || status === UNPROCESSABLE_STATUS ? NOT_PUBLISHED_RETRY_MS : 0)),
    )
  }

  async function connectHls(ownGeneration: number): Promise<void> {
    const base = typeof hlsUrl === 'function' ? await hlsUrl().catch(() => null) : hlsUrl
    if (ownGeneration !== generation || isStopped) return
    current?.close()
    hlsPlayback?.close()
    current = hlsPlayback = null
    videoOutput.clear()
    const opened =
      base &&
      (await openHls({
        video,
        playlistUrl: `${base}${audioOnly ? 'audio' : 'live'}.m3u8`,
        onPlaying: () => ownGeneration === generation && handleHlsPlaying(ownGeneration),
        onEnd: (status) => ownGeneration === generation && handleHlsEnd(status),
        onSample: (sample) => ownGeneration === generation && !audioOnly && $sample.set(sample),
        onLatency: (seconds) => ownGeneration === generation && $latencySeconds.set(seconds),
      }).catch(() => null))
    if (!opened) {
      // Neither WebRTC nor HLS works: start again with WebRTC.
      webrtcFailures = 0
      retry.schedule(() => void connect())
      return
    }
    if (ownGeneration !== generation || isStopped) return opened.close()
    hlsPlayback = opened
    void videoOutput.play()
  }

  function handleHlsPlaying(ownGeneration: number): void {
    retry.reset()
    $mode.set(audioOnly ? 'audio' : 'hls')
    $state.set('playing')
    if (typeof RTCPeerConnection !== 'undefined') scheduleWebrtc(ownGeneration)
  }

  function scheduleWebrtc(ownGeneration: number): void {
    webrtcRetry.schedule(() => ownGeneration === generation && !isStopped && void tryWebrtc(ownGeneration))
  }

  function handleHlsEnd(status: number): void {
    hlsPlayback?.close()
    hlsPlayback = null
    $state.set(status === 404 ? 'waiting' : 'lost')
    retry.schedule(() => void connect(), NOT_PUBLISHED_RETRY_MS)
  }

  // In the background: the connection replaces the current one only when media arrives.
  async function tryWebrtc(ownGeneration: number): Promise<void> {
    const again = (): void => {
      if (ownGeneration === generation && !isStopped) scheduleWebrtc(ownGeneration)
    }
    webrtcRetry.cancel()
    background?.close()
    background = null
    try {
      const opened: Downlink = await openDownlink({
        endpoint,
        token,
        iceServers,
        withVideo: !audioOnly,
        onStream: (stream) =>
          ownGeneration === generation && !isStopped ? showStream(stream, opened) : opened.close(),
        onLost: (wasConnected) => (current === opened ? handleLoss(wasConnected) : again()),
        onSample: (sample, isFlowing) => current === opened && updateSample(sample, isFlowing),
      })
      if (ownGeneration !== generation || isStopped) return opened.close()
      background = opened
    } catch {
      again()
    }
  }

  function handleOnline(): void {
    if ($state.get() !== 'playing') retry.schedule(() => void connect())
  }

  function setAudioOnly(on: boolean): void {
    if (audioOnly === on || isStopped) return
    audioOnly = on
    $sample.set(null)
    // Too little bandwidth for video: the connection is closed before the audio-only connection is opened.
    if (on) {
      current?.close()
      current = null
    }
    void connect()
  }

  function disconnect(): void {
    generation += 1
    webrtcRetry.cancel()
    retry.stop()
    for (const connection of [next, current, background, hlsPlayback]) connection?.close()
    next = current = background = hlsPlayback = null
  }

  return {
    $mode: $mode,
    $state,
    $latencySeconds: $latencySeconds,
    $sample,
    $isAutoplayBlocked: videoOutput.$blocked,
    unmute: () => videoOutput.unmute(),
    reconnect: handleOnline,
    setAudioOnly,
    tryVideo,
    stop() {
      isStopped = true
      removeEventListener('online', handleOnline)
      removeEventListener('pagehide', disconnect)
      disconnect()
      videoOutput.clear()
    },
  }

  async function tryVideo(assess: AssessSamples): Promise<boolean> {
    // HLS has only one video element and a buffer, so the trial is visible.
    if (hlsPlayback) {
      setAudioOnly(false)
      return true
    }
    let trialLink: Downlink | null = null
    const opened = await tryVideoDownlink(
      {
        endpoint,
        token,
        iceServers,
        onLost: (wasConnected) => current === trialLink && handleLoss(wasConnected),
        onSample: (sample, isFlowing) => current === trialLink && updateSample(sample, isFlowing),
      },
      assess,
    )
    if (!opened) return false
    trialLink = opened.link
    if (isStopped || !audioOnly) {
      opened.link.close()
      return !isStopped
    }
    generation += 1
    next?.close()
    next = null
    audioOnly = false
    showStream(opened.stream, opened.link)
    return true
  }
}
