import { atom, type ReadableAtom } from 'nanostores'
import type { Watched } from './blackout.ts'
import { type Downlink, openDownlink } from './downlink.ts'
import { type HlsPlay, openHls } from './hls-play.ts'
import { isLasting, NegotiationError, NO_TICKET, type Ticket } from './negotiate.ts'
import { createTries } from './persist.ts'
import { type Judge, tryDownlink } from './picture-try.ts'
import type { NetSample } from './sample.ts'
import { createScreen } from './video-place.ts'

export interface WatcherOptions {
  video: HTMLVideoElement
  /** WHEP endpoint of the stream. */
  endpoint: string
  ticket: Ticket
  /** Where the stream lies as HLS, ending with `/`; a function is asked again when the address was refused. */
  hls: string | null | (() => Promise<string | null>)
  ice?: readonly RTCIceServer[]
  /** Ms after which WebRTC is tried again behind HLS. */
  backToLive?: number
}

export type How = 'none' | 'webrtc' | 'hls' | 'audio'
/** `waiting`: nobody sends. `lost`: the line is gone and looked for. */
export type WatchState = 'connecting' | 'playing' | 'waiting' | 'lost'

export interface Watcher extends Watched {
  $how: ReadableAtom<How>
  $state: ReadableAtom<WatchState>
  /** Seconds behind what is happening; null when it is live. */
  $behind: ReadableAtom<number | null>
  /** The browser wants a press before there is sound. */
  $blocked: ReadableAtom<boolean>
  $sample: ReadableAtom<NetSample | null>
  /** Somebody said that the stream is there (again): it is looked for at once. */
  again(): void
  /** Call it in the handler of a press. */
  unmute(): Promise<void>
  stop(): void
}

/** Connections that never stood, after which HLS takes over. */
const HOPELESS = 2
const BACK_TO_LIVE = 30_000
/** Ms for which a stream that nobody sends is let alone. */
const ABSENT = 1000
/** Status of an offer without the codec of the stream, whose publisher is asked to add another one meanwhile. */
const UNFIT = 422
const SOON_BACK = 4000

/** Plays a stream in a video element, by WebRTC or by HLS where that cannot be, and goes on playing. */
export function createWatcher(options: WatcherOptions): Watcher {
  const { video, endpoint, ticket, hls, ice = [], backToLive = BACK_TO_LIVE } = options
  const $how = atom<How>('none')
  const $state = atom<WatchState>('connecting')
  const $behind = atom<number | null>(null)
  const $sample = atom<NetSample | null>(null)
  const screen = createScreen(video)
  const tries = createTries()
  let audioOnly = false
  /** What is shown, and what is to take its place as soon as it carries something. */
  let link: Downlink | null = null
  let next: Downlink | null = null
  /** What is tried behind HLS. */
  let behind: Downlink | null = null
  let list: HlsPlay | null = null
  /** Ms after which WebRTC is tried again behind HLS for the first time. */
  let retry = backToLive
  let hopeless = typeof RTCPeerConnection === 'undefined' ? HOPELESS : 0
  let turn = 0
  let stopped = false
  let back: ReturnType<typeof setTimeout> | undefined
  addEventListener('online', moved)
  addEventListener('pagehide', leave)
  void begin()

  function begin(): Promise<void> {
    turn += 1
    next?.close()
    behind?.close()
    next = behind = null
    return hopeless >= HOPELESS && hls ? byHls(turn) : byRtc(turn)
  }

  async function byRtc(mine: number): Promise<void> {
    try {
      const opened: Downlink = await openDownlink({
        endpoint,
        ticket,
        ice,
        picture: !audioOnly,
        up: (stream) => mine === turn && shown(stream, opened),
        gone: (stood) => mine === turn && lost(stood),
        sampled: (sample, flows) => link === opened && felt(sample, flows),
      })
      if (mine !== turn || stopped) return opened.close()
      next = opened
      if ($state.get() !== 'playing') $state.set('waiting')
    } catch (error) {
      if (mine !== turn || stopped) return
      if (error instanceof NegotiationError) return refused(error)
      reportError(error)
      lost(false)
    }
  }

  function shown(stream: MediaStream, by: Downlink): void {
    if (link !== by) link?.close()
    link = by
    if (next === by) next = null
    if (behind === by) behind = null
    hopeless = 0
    tries.worked()
    clearTimeout(back)
    list?.close()
    list = null
    screen.show(stream)
    $behind.set(null)
    $how.set(audioOnly ? 'audio' : 'webrtc')
    $state.set('playing')
  }

  function felt(sample: NetSample, flows: boolean): void {
    if (!audioOnly) $sample.set(sample)
    if ($how.get() !== 'none') $state.set(flows ? 'playing' : 'waiting')
  }

  function lost(stood: boolean): void {
    next?.close()
    link?.close()
    next = link = null
    if (!stood) hopeless += 1
    if (!list) $state.set('lost')
    tries.again(() => void begin())
  }

  function refused(error: NegotiationError): void {
    const { status, code, after } = error
    // No place is free, or the browser has not the codec: HLS has both, unless there is none either.
    const byOther = (code === 'broadcast_full' || status === UNFIT) && hls
    if (status === UNFIT) retry = SOON_BACK
    if (byOther) hopeless = HOPELESS
    else if (!list) $state.set(status === 404 || status === UNFIT ? 'waiting' : 'lost')
    // Who gets no ticket is no more to watch.
    if (code === NO_TICKET && isLasting(error)) return
    tries.again(() => void begin(), byOther ? 0 : (after ?? (status === 404 || status === UNFIT ? ABSENT : 0)))
  }

  async function byHls(mine: number): Promise<void> {
    const base = typeof hls === 'function' ? await hls().catch(() => null) : hls
    if (mine !== turn || stopped) return
    link?.close()
    list?.close()
    link = list = null
    screen.clear()
    const opened =
      base &&
      (await openHls({
        video,
        address: `${base}${audioOnly ? 'audio' : 'live'}.m3u8`,
        up: () => mine === turn && heardOfHls(mine),
        gone: (status) => mine === turn && hlsGone(status),
        sampled: (sample) => mine === turn && !audioOnly && $sample.set(sample),
        behind: (seconds) => mine === turn && $behind.set(seconds),
      }).catch(() => null))
    if (!opened) {
      // Neither way: WebRTC once more.
      hopeless = 0
      tries.again(() => void begin())
      return
    }
    if (mine !== turn || stopped) return opened.close()
    list = opened
    void screen.play()
  }

  function heardOfHls(mine: number): void {
    tries.worked()
    $how.set(audioOnly ? 'audio' : 'hls')
    $state.set('playing')
    clearTimeout(back)
    if (typeof RTCPeerConnection !== 'undefined')
      back = setTimeout(() => mine === turn && void tryLive(mine), Math.min(retry, backToLive))
    retry = backToLive
  }

  function hlsGone(status: number): void {
    list?.close()
    list = null
    $state.set(status === 404 ? 'waiting' : 'lost')
    tries.again(() => void begin(), ABSENT)
  }

  // Behind what plays: only what really comes takes its place.
  async function tryLive(mine: number): Promise<void> {
    const again = (): void => {
      if (mine === turn && !stopped) back = setTimeout(() => void tryLive(mine), backToLive)
    }
    try {
      const opened: Downlink = await openDownlink({
        endpoint,
        ticket,
        ice,
        picture: !audioOnly,
        up: (stream) => (mine === turn && !stopped ? shown(stream, opened) : opened.close()),
        gone: (stood) => (link === opened ? lost(stood) : again()),
        sampled: (sample, flows) => link === opened && felt(sample, flows),
      })
      if (mine !== turn || stopped) return opened.close()
      behind = opened
    } catch {
      again()
    }
  }

  function moved(): void {
    if ($state.get() !== 'playing') tries.again(() => void begin())
  }

  function setAudioOnly(on: boolean): void {
    if (audioOnly === on || stopped) return
    audioOnly = on
    $sample.set(null)
    // A line that cannot carry the picture carries nothing beside it: it ends before the sound alone begins.
    if (on) {
      link?.close()
      link = null
    }
    void begin()
  }

  function leave(): void {
    turn += 1
    clearTimeout(back)
    tries.stop()
    for (const one of [next, link, behind, list]) one?.close()
    next = link = behind = list = null
  }

  return {
    $how,
    $state,
    $behind,
    $sample,
    $blocked: screen.$blocked,
    unmute: () => screen.unmute(),
    again: moved,
    setAudioOnly,
    tryPicture,
    stop() {
      stopped = true
      removeEventListener('online', moved)
      removeEventListener('pagehide', leave)
      leave()
      screen.clear()
    },
  }

  async function tryPicture(judge: Judge): Promise<boolean> {
    // HLS has the one element and comes with a store: there the picture is tried in sight.
    if (list) {
      setAudioOnly(false)
      return true
    }
    let mine: Downlink | null = null
    const kept = await tryDownlink(
      {
        endpoint,
        ticket,
        ice,
        gone: (stood) => link === mine && lost(stood),
        sampled: (sample, flows) => link === mine && felt(sample, flows),
      },
      judge,
    )
    if (!kept) return false
    mine = kept.link
    if (stopped || !audioOnly) {
      kept.link.close()
      return !stopped
    }
    turn += 1
    next?.close()
    next = null
    audioOnly = false
    shown(kept.stream, kept.link)
    return true
  }
}
