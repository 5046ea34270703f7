import type Hls from 'hls.js'
import type { ErrorData } from 'hls.js'
import { type MapStore, map } from 'nanostores'
import type { EngineState, Failure } from './engine-state.ts'
import { newHls } from './hls.ts'
import { sizeOf } from './level-size.ts'
import type { Tickets } from './tickets.ts'

export interface Engine {
  $state: MapStore<EngineState>
  /** Loads at so many seconds and plays. */
  start(at: number): void
  choose(height: number | null): void
  soundOnly(on: boolean): void
  /** After a failure: from where it was. */
  retry(): void
  stop(): void
}

const HLS_TYPE = 'application/vnd.apple.mpegurl'
const PATIENCE_MS = 20_000

/** What brings the bytes to the element: hls.js, the browser's own HLS, or the original by Range. */
export function makeEngine(media: HTMLMediaElement, tickets: Tickets): Engine {
  const $state = map<EngineState>({ heights: [], chosen: null, now: null, soundOnly: false, failure: null })
  let hls: Hls | null = null
  let at = 0
  let plainOnly = false
  // Each opening outdates what the one before still waits for.
  let turn = 0
  let mendedAt = 0

  async function open(from: number, play: boolean): Promise<void> {
    const mine = ++turn
    at = from
    close()
    $state.set({ ...$state.get(), heights: [], now: null, failure: null })
    const view = tickets.$view.get()
    const playlist = ($state.get().soundOnly && view.sound) || view.hls
    const source = view.sources.find(({ type }) => media.canPlayType(type) !== '') ?? view.sources[0]
    if (playlist && !(plainOnly && source)) {
      const made = await newHls({ tickets, startPosition: from, $state, mend: (data) => void mend(data) })
      if (mine !== turn) return made?.destroy()
      if (made) return follow(made, playlist, play)
      if (media.canPlayType(HLS_TYPE)) return direct(playlist, mine, play)
    }
    if (!source) return fail('media')
    return direct(source.src, mine, play)
  }

  function follow(made: Hls, playlist: string, play: boolean): void {
    hls = made
    made.attachMedia(media)
    made.loadSource(playlist)
    if (play) begin()
  }

  async function direct(address: string, mine: number, play: boolean): Promise<void> {
    const fresh = await tickets.current(address)
    if (mine !== turn) return
    media.src = fresh
    if (at > 0) media.currentTime = at
    if (play) begin()
  }

  // Where the browser wants a press first, the button is there.
  const begin = () => void media.play().catch(() => {})

  async function mend({ type, response, details }: Pick<ErrorData, 'type' | 'response' | 'details'>): Promise<void> {
    const lost = type === 'networkError'
    const refused = lost && (response?.code ?? 0) >= 400
    if (lost && !refused) return fail('network')
    const again = Date.now() - mendedAt < PATIENCE_MS
    mendedAt = Date.now()
    if (!again && !lost && hls) return hls.recoverMediaError()
    if (again && !plainOnly && tickets.$view.get().sources.length > 0) plainOnly = true
    else if (again || details === 'manifestIncompatibleCodecsError') return fail(lost ? 'gone' : 'media')
    return renewAndOpen()
  }

  async function renewAndOpen(): Promise<void> {
    const from = at
    const known = await tickets.renew().catch(() => null)
    if (known === null) return fail('network')
    if (!known) return fail('gone')
    return open(from, true)
  }

  function fail(failure: Failure): void {
    at = Math.max(at, media.currentTime)
    close()
    $state.setKey('failure', failure)
  }

  function close(): void {
    hls?.destroy()
    hls = null
  }

  // An address that expired looks to the element like any other lost one.
  const broke = () => {
    if (hls || !media.error || $state.get().failure) return
    const { code } = media.error
    void mend({ type: code === 2 ? 'networkError' : 'mediaError', response: { code: 404 } } as ErrorData)
  }
  const moved = () => {
    if (media.currentTime > 0) at = media.currentTime
  }
  const back = () => {
    if ($state.get().failure === 'network') retry()
  }
  const retry = () => {
    mendedAt = 0
    void renewAndOpen()
  }

  media.addEventListener('error', broke)
  media.addEventListener('timeupdate', moved)
  window.addEventListener('online', back)

  return {
    $state,
    retry,
    start: (from) => void open(from, true),
    choose(height) {
      $state.setKey('chosen', height)
      if (hls) hls.nextLevel = height === null ? -1 : hls.levels.findIndex((level) => sizeOf(level) === height)
    },
    soundOnly(on) {
      $state.setKey('soundOnly', on)
      void open(media.currentTime, !media.paused)
    },
    stop() {
      turn += 1
      close()
      media.removeEventListener('error', broke)
      media.removeEventListener('timeupdate', moved)
      window.removeEventListener('online', back)
    },
  }
}
