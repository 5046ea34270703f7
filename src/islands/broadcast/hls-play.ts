import type { NetSample } from './sample.ts'

const EVERY = 1000
/** Seconds behind the newest piece at which playing begins, and at most. */
const BEHIND = { begin: 2.2, most: 8 }

export interface HlsParts {
  video: HTMLVideoElement
  /** Of the playlist. */
  address: string
  /** It plays. */
  up: () => void
  /** It ended for good; `status` is that of the playlist, 0 when it was not reached. */
  gone: (status: number) => void
  sampled: (sample: NetSample) => void
  /** Seconds behind what is happening. */
  behind: (seconds: number) => void
}

export interface HlsPlay {
  close(): void
}

/** Plays a live stream by HLS, with hls.js or the browser's own. Null where the browser can neither. */
export async function openHls(parts: HlsParts): Promise<HlsPlay | null> {
  const { default: Player } = await import('hls.js')
  if (Player.isSupported()) return byLibrary(Player, parts)
  return parts.video.canPlayType('application/vnd.apple.mpegurl') ? byBrowser(parts) : null
}

function byLibrary(
  Player: typeof import('hls.js').default,
  { video, address, up, gone, sampled, behind }: HlsParts,
): HlsPlay {
  const hls = new Player({
    liveSyncDuration: BEHIND.begin,
    liveMaxLatencyDuration: BEHIND.most,
    maxLiveSyncPlaybackRate: 1.1,
    backBufferLength: 10,
    // The policy lets no worker be made of a blob, and fMP4 leaves it nothing to do.
    enableWorker: false,
    manifestLoadPolicy: { default: ONCE },
  })
  const clock = createClock()
  let mended = 0
  let bytes = 0
  hls.on(Player.Events.MANIFEST_LOADED, (_, { networkDetails }) => clock.heard(networkDetails))
  hls.on(Player.Events.LEVEL_LOADED, (_, { networkDetails }) => clock.heard(networkDetails))
  hls.on(Player.Events.FRAG_LOADED, (_, { frag }) => {
    bytes += frag.stats.loaded
  })
  hls.on(Player.Events.ERROR, (_, { fatal, type, response }) => {
    if (!fatal) return
    if (type === 'mediaError' && mended++ < 3) hls.recoverMediaError()
    else gone(response?.code ?? 0)
  })
  let played = false
  const begun = (): void => {
    played = true
    up()
  }
  video.addEventListener('playing', begun)
  const stood = createStandstill(video)
  const timer = setInterval(() => {
    const at = hls.playingDate
    if (at) behind(Math.max(0, (clock.now() - at.getTime()) / 1000))
    const frozen = stood()
    // What the line carries matters when it does not suffice: as long as all is well it is a guess.
    const available = frozen > 0.5 && hls.bandwidthEstimate ? hls.bandwidthEstimate : null
    if (played) sampled({ at: Date.now(), bits: bytes * 8, lost: 0, frozen, available })
    bytes = 0
  }, EVERY)
  hls.attachMedia(video)
  hls.loadSource(address)
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

function byBrowser({ video, address, up, gone, sampled, behind }: HlsParts): HlsPlay {
  const own: WithStart = video
  const failed = (): void => gone(0)
  const stood = createStandstill(video)
  video.addEventListener('playing', up)
  video.addEventListener('error', failed)
  const timer = setInterval(() => {
    const start = own.getStartDate?.().getTime()
    if (start && Number.isFinite(start)) behind(Math.max(0, (Date.now() - start) / 1000 - video.currentTime))
    sampled({ at: Date.now(), bits: 0, lost: 0, frozen: stood(), available: null })
  }, EVERY)
  video.src = address
  return {
    close() {
      clearInterval(timer)
      video.removeEventListener('playing', up)
      video.removeEventListener('error', failed)
      video.removeAttribute('src')
      video.load()
    },
  }
}

/** The server's clock as its answers show it: a device's own may be minutes off. */
function createClock() {
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
function createStandstill(video: HTMLVideoElement): () => number {
  let [time, at] = [video.currentTime, Date.now()]
  return () => {
    const [played, passed] = [video.currentTime - time, (Date.now() - at) / 1000]
    time = video.currentTime
    at = Date.now()
    return video.paused || passed <= 0 ? 0 : Math.max(0, Math.min(passed, passed - played))
  }
}
