import { isLateAfter, type NetSample } from './network-sample.ts'

const SAMPLE_INTERVAL_MS = 1000
/** Latency behind the newest segment in seconds: at the start, and the maximum. */
const LATENCY_SECONDS = { begin: 2.2, most: 8 }

export interface HlsOptions {
  video: HTMLVideoElement
  /** URL of the playlist. */
  playlistUrl: string
  /** Playback has started. */
  onPlaying: () => void
  /** Playback has ended permanently; `status` is that of the playlist, 0 when it could not be reached. */
  onEnd: (status: number) => void
  onSample: (sample: NetSample) => void
  /** Latency behind the live stream in seconds. */
  onLatency: (seconds: number) => void
}

export interface HlsPlayback {
  close(): void
}

/** Plays a live stream by HLS, with hls.js or natively. Null when the browser supports neither. */
export async function openHls(parts: HlsOptions): Promise<HlsPlayback | null> {
  const { default: Player } = await import('hls.js')
  if (Player.isSupported()) return playWithHlsJs(Player, parts)
  return parts.video.canPlayType('application/vnd.apple.mpegurl') ? playNatively(parts) : null
}

function playWithHlsJs(
  Player: typeof import('hls.js').default,
  { video, playlistUrl, onPlaying, onEnd, onSample, onLatency }: HlsOptions,
): HlsPlayback {
  const hls = new Player({
    liveSyncDuration: LATENCY_SECONDS.begin,
    liveMaxLatencyDuration: LATENCY_SECONDS.most,
    maxLiveSyncPlaybackRate: 1.1,
    backBufferLength: 10,
    // The Content-Security-Policy allows no workers from blob URLs, and fMP4 needs none.
    enableWorker: false,
    manifestLoadPolicy: { default: ONCE },
  })
  const clock = createServerClock()
  let recoveryCount = 0
  let bytes = 0
  hls.on(Player.Events.MANIFEST_LOADED, (_, { networkDetails }) => clock.readResponse(networkDetails))
  hls.on(Player.Events.LEVEL_LOADED, (_, { networkDetails }) => clock.readResponse(networkDetails))
  hls.on(Player.Events.FRAG_LOADED, (_, { frag }) => {
    bytes += frag.stats.loaded
  })
  hls.on(Player.Events.ERROR, (_, { fatal, type, response }) => {
    if (!fatal) return
    if (type === 'mediaError' && recoveryCount++ < 3) hls.recoverMediaError()
    else onEnd(response?.code ?? 0)
  })
  let played = false
  const begun = (): void => {
    played = true
    onPlaying()
  }
  video.addEventListener('playing', begun)
  const frozenSecondsSince = createStallMeter(video)
  let sampledAt = Date.now()
  const timer = setInterval(() => {
    const measuredAt = Date.now()
    const isLate = isLateAfter((measuredAt - sampledAt) / 1000)
    sampledAt = measuredAt
    const at = hls.playingDate
    if (at) onLatency(Math.max(0, (clock.now() - at.getTime()) / 1000))
    const frozenSeconds = frozenSecondsSince()
    // The estimated bandwidth is only used when playback stalls, because it is unreliable otherwise.
    const availableBps = frozenSeconds > 0.5 && hls.bandwidthEstimate ? hls.bandwidthEstimate : null
    if (played)
      onSample({
        measuredAt,
        bitsPerSecond: bytes * 8,
        lossShare: 0,
        frozenSeconds,
        availableBps,
        isLate,
      })
    bytes = 0
  }, SAMPLE_INTERVAL_MS)
  hls.attachMedia(video)
  hls.loadSource(playlistUrl)
  return {
    close() {
      clearInterval(timer)
      video.removeEventListener('playing', begun)
      hls.destroy()
    },
  }
}

// The stream player retries itself, with a new URL.
const ONCE = { maxTimeToFirstByteMs: 12_000, maxLoadTimeMs: 15_000, timeoutRetry: null, errorRetry: null }

interface WithStart extends HTMLVideoElement {
  /** WebKit only: EXT-X-PROGRAM-DATE-TIME of second 0. */
  getStartDate?(): Date
}

function playNatively({ video, playlistUrl, onPlaying, onEnd, onSample, onLatency }: HlsOptions): HlsPlayback {
  const own: WithStart = video
  const failed = (): void => onEnd(0)
  const frozenSecondsSince = createStallMeter(video)
  video.addEventListener('playing', onPlaying)
  video.addEventListener('error', failed)
  const timer = setInterval(() => {
    const start = own.getStartDate?.().getTime()
    if (start && Number.isFinite(start)) onLatency(Math.max(0, (Date.now() - start) / 1000 - video.currentTime))
    onSample({
      measuredAt: Date.now(),
      bitsPerSecond: 0,
      lossShare: 0,
      frozenSeconds: frozenSecondsSince(),
      availableBps: null,
      isLate: false,
    })
  }, SAMPLE_INTERVAL_MS)
  video.src = playlistUrl
  return {
    close() {
      clearInterval(timer)
      video.removeEventListener('playing', onPlaying)
      video.removeEventListener('error', failed)
      video.removeAttribute('src')
      video.load()
    },
  }
}

/** The server's clock by the Date headers of its responses, because the clock of a device may be minutes off. */
function createServerClock() {
  let ahead: number | null = null
  return {
    readResponse(details: unknown): void {
      const date = details instanceof XMLHttpRequest ? Date.parse(details.getResponseHeader('date') ?? '') : Number.NaN
      if (Number.isNaN(date)) return
      // Whole seconds, rounded down: the largest difference is the most accurate.
      ahead = Math.max(ahead ?? Number.NEGATIVE_INFINITY, date - Date.now())
    },
    now: () => Date.now() + (ahead ?? 0),
  }
}

/** Seconds since the last call for which playback was stalled. */
function createStallMeter(video: HTMLVideoElement): () => number {
  let [time, at] = [video.currentTime, Date.now()]
  return () => {
    const [played, passed] = [video.currentTime - time, (Date.now() - at) / 1000]
    time = video.currentTime
    at = Date.now()
    return video.paused || passed <= 0 ? 0 : Math.max(0, Math.min(passed, passed - played))
  }
}
