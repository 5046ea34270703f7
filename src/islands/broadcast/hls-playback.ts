import type { NetSample } from './network-sample.ts'

const SAMPLE_INTERVAL_MS = 1000
/** Seconds behind the newest piece at which playing begins, and at most. */
const LATENCY_SECONDS = { begin: 2.2, most: 8 }

export interface HlsOptions {
  video: HTMLVideoElement
  /** Of the playlist. */
  playlistUrl: string
  /** It plays. */
  onPlaying: () => void
  /** It ended for good; `status` is that of the playlist, 0 when it was not reached. */
  onEnd: (status: number) => void
  onSample: (sample: NetSample) => void
  /** Seconds behind what is happening. */
  onLatency: (seconds: number) => void
}

export interface HlsPlayback {
  close(): void
}

/** Plays a live stream by HLS, with hls.js or the browser's own. Null where the browser can neither. */
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
    // The policy lets no worker be made of a blob, and fMP4 leaves it nothing to do.
    enableWorker: false,
    manifestLoadPolicy: { default: ONCE },
  })
  const clock = createServerClock()
  let recoveryCount = 0
  let bytes = 0
  hls.on(Player.Events.MANIFEST_LOADED, (_, { networkDetails }) => clock.heard(networkDetails))
  hls.on(Player.Events.LEVEL_LOADED, (_, { networkDetails }) => clock.heard(networkDetails))
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
  const timer = setInterval(() => {
    const at = hls.playingDate
    if (at) onLatency(Math.max(0, (clock.now() - at.getTime()) / 1000))
    const frozenSeconds = frozenSecondsSince()
    // What the line carries matters when it does not suffice: as long as all is well it is a guess.
    const availableBps = frozenSeconds > 0.5 && hls.bandwidthEstimate ? hls.bandwidthEstimate : null
    if (played)
      onSample({
        measuredAt: Date.now(),
        bitsPerSecond: bytes * 8,
        lossShare: 0,
        frozenSeconds,
        availableBps,
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

// The watcher itself asks again, with a fresh address.
const ONCE = { maxTimeToFirstByteMs: 12_000, maxLoadTimeMs: 15_000, timeoutRetry: null, errorRetry: null }

interface WithStart extends HTMLVideoElement {
  /** WebKit alone: EXT-X-PROGRAM-DATE-TIME of second 0. */
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

/** The server's clock as its answers show it: a device's own may be minutes off. */
function createServerClock() {
  let ahead: number | null = null
  return {
    heard(details: unknown): void {
      const date = details instanceof XMLHttpRequest ? Date.parse(details.getResponseHeader('date') ?? '') : Number.NaN
      if (Number.isNaN(date)) return
      // Whole seconds, rounded down: the largest of several is the nearest.
      ahead = Math.max(ahead ?? Number.NEGATIVE_INFINITY, date - Date.now())
    },
    now: () => Date.now() + (ahead ?? 0),
  }
}

/** Seconds since the last call for which playing stood still against its will. */
function createStallMeter(video: HTMLVideoElement): () => number {
  let [time, at] = [video.currentTime, Date.now()]
  return () => {
    const [played, passed] = [video.currentTime - time, (Date.now() - at) / 1000]
    time = video.currentTime
    at = Date.now()
    return video.paused || passed <= 0 ? 0 : Math.max(0, Math.min(passed, passed - played))
  }
}
