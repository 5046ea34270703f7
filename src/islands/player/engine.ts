import type Hls from 'hls.js'
import type { ErrorData } from 'hls.js'
import { type MapStore, map } from 'nanostores'
import type { EngineState, PlaybackFailure } from './engine-state.ts'
import { createHls } from './hls.ts'
import { resolutionOf } from './level-size.ts'
import type { SignedUrls } from './signed-urls.ts'

export interface PlaybackEngine {
  $state: MapStore<EngineState>
  /** Loads the media at a position in seconds and plays it. */
  start(at: number): void
  chooseHeight(height: number | null): void
  setAudioOnly(on: boolean): void
  /** Continues at the same position after a failure. */
  retry(): void
  stop(): void
}

const HLS_TYPE = 'application/vnd.apple.mpegurl'
const RECOVERY_WINDOW_MS = 20_000

/** Loads the media: by hls.js, the browser's HLS, or the original file by Range requests. */
export function createEngine(media: HTMLMediaElement, signedUrls: SignedUrls): PlaybackEngine {
  const $state = map<EngineState>({
    heights: [],
    chosenHeight: null,
    currentHeight: null,
    isAudioOnly: false,
    failure: null,
  })
  let hls: Hls | null = null
  let position = 0
  let usesOriginalOnly = false
  // A newer call invalidates pending ones.
  let openCount = 0
  let recoveredAt = 0

  async function openMedia(startSeconds: number, autoPlay: boolean): Promise<void> {
    const openId = ++openCount
    position = startSeconds
    close()
    $state.set({ ...$state.get(), heights: [], currentHeight: null, failure: null })
    const view = signedUrls.$view.get()
    const playlist = ($state.get().isAudioOnly && view.sound) || view.hls
    const source = view.sources.find(({ type }) => media.canPlayType(type) !== '') ?? view.sources[0]
    if (playlist && !(usesOriginalOnly && source)) {
      const created = await createHls({
        signedUrls,
        startPosition: startSeconds,
        $state,
        recover: (data) => void recover(data),
      })
      if (openId !== openCount) return created?.destroy()
      if (created) return playWithHls(created, playlist, autoPlay)
      if (media.canPlayType(HLS_TYPE)) return playSource(playlist, openId, autoPlay)
    }
    if (!source) return fail('media')
    return playSource(source.src, openId, autoPlay)
  }

  function playWithHls(created: Hls, playlist: string, autoPlay: boolean): void {
    hls = created
    created.attachMedia(media)
    created.loadSource(playlist)
    if (autoPlay) startPlayback()
  }

  async function playSource(address: string, openId: number, autoPlay: boolean): Promise<void> {
    const signedUrl = await signedUrls.current(address)
    if (openId !== openCount) return
    media.src = signedUrl
    if (position > 0) media.currentTime = position
    if (autoPlay) startPlayback()
  }

  // Where autoplay is blocked, the play button is shown.
  const startPlayback = () => void media.play().catch(() => {})

  async function recover({ type, response, details }: Pick<ErrorData, 'type' | 'response' | 'details'>): Promise<void> {
    const isNetworkError = type === 'networkError'
    const isRefused = isNetworkError && (response?.code ?? 0) >= 400
    if (isNetworkError && !isRefused) return fail('network')
    const isRepeated = Date.now() - recoveredAt < RECOVERY_WINDOW_MS
    recoveredAt = Date.now()
    if (!isRepeated && !isNetworkError && hls) return hls.recoverMediaError()
    if (isRepeated && !usesOriginalOnly && signedUrls.$view.get().sources.length > 0) usesOriginalOnly = true
    else if (isRepeated || details === 'manifestIncompatibleCodecsError') return fail(isNetworkError ? 'gone' : 'media')
    return renewAndOpen()
  }

  async function renewAndOpen(): Promise<void> {
    const startSeconds = position
    const isAvailable = await signedUrls.renew().catch(() => null)
    if (isAvailable === null) return fail('network')
    if (!isAvailable) return fail('gone')
    return openMedia(startSeconds, true)
  }

  function fail(failure: PlaybackFailure): void {
    position = Math.max(position, media.currentTime)
    close()
    $state.setKey('failure', failure)
  }

  function close(): void {
    hls?.destroy()
    hls = null
  }

  // An expired address causes the same error as a missing one.
  const onError = () => {
    if (hls || !media.error || $state.get().failure) return
    const { code } = media.error
    void recover({ type: code === 2 ? 'networkError' : 'mediaError', response: { code: 404 } } as ErrorData)
  }
  const onTimeUpdate = () => {
    if (media.currentTime > 0) position = media.currentTime
  }
  const onOnline = () => {
    if ($state.get().failure === 'network') retry()
  }
  const retry = () => {
    recoveredAt = 0
    void renewAndOpen()
  }

  media.addEventListener('error', onError)
  media.addEventListener('timeupdate', onTimeUpdate)
  window.addEventListener('online', onOnline)

  return {
    $state,
    retry,
    start: (startSeconds) => void openMedia(startSeconds, true),
    chooseHeight(height) {
      $state.setKey('chosenHeight', height)
      if (hls) hls.nextLevel = height === null ? -1 : hls.levels.findIndex((level) => resolutionOf(level) === height)
    },
    setAudioOnly(on) {
      $state.setKey('isAudioOnly', on)
      void openMedia(media.currentTime, !media.paused)
    },
    stop() {
      openCount += 1
      close()
      media.removeEventListener('error', onError)
      media.removeEventListener('timeupdate', onTimeUpdate)
      window.removeEventListener('online', onOnline)
    },
  }
}
