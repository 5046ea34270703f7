import { atom } from 'nanostores'
import type { AutoView } from '#lib/autowebinar/auto-view-schema.ts'
import { findSyncStep, nextLead, playbackPosition, splitDue } from '#lib/autowebinar/playback-rules.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { createVideoSource } from './video-source.ts'

/** What the player needs from the room. */
export interface PlayerRoom {
  /** The server's clock, in milliseconds since 1970. */
  now(): number
  /** Loads the current state of the event session. */
  loadView(): Promise<AutoView>
  /** Applies events of the script to the room. */
  playEvents(events: readonly RoomEvent[]): void
  /** Stores a loaded view. */
  setView(view: AutoView): void
}

export interface AutoPlayer {
  /** The browser requires a user gesture before it plays sound. */
  $isSoundBlocked: ReturnType<typeof atom<boolean>>
  /** The video is buffering. */
  $isBuffering: ReturnType<typeof atom<boolean>>
  /** Applies a view that was loaded elsewhere, e.g. with the room. */
  applyView(view: AutoView): void
  /** Must be called in the handler of a user gesture. */
  unmute(): Promise<void>
  stop(): void
}

const TICK_MS = 100
/** The next part of the script is loaded this long before the known part ends. */
const SCRIPT_LEAD_MS = MINUTE_MS
/** After the device was suspended for this long the state is loaded again. */
const SLEEP_GAP_MS = 15_000
/** Minimum interval between two seeks, so that a slow network can load the target position. */
const SEEK_INTERVAL_MS = 2500
/** Interval at which a page without a playable video looks for it, at least. */
const VIDEO_CHECK_MS = 15_000
const RETRY_MS = 5000
/** Delay of loading quiz answers, because the video may be ahead of the server's clock. */
const QUIZ_ANSWER_DELAY_MS = 2000
/** Signed addresses are renewed this long before they expire. */
const ADDRESS_MARGIN_MS = 300_000

/**
 * Plays an automated event session in a video element. The video follows the server's clock within a second; events of
 * the script are applied at the displayed position. After a stall the video seeks and missed events are applied at once.
 */
export function startAutoPlayer(video: HTMLVideoElement, initialView: AutoView, room: PlayerRoom): AutoPlayer {
  const $isSoundBlocked = atom(false)
  const $isBuffering = atom(false)
  let view = initialView
  let pendingEvents: readonly RoomEvent[] = []
  let isOpen = false
  let openUntil = 0
  let lastSeekAt = 0
  let isSeeking = false
  let seekLead = 0
  let lastTickAt = room.now()
  let isLoading = false
  let isOver = false
  let failedAt = 0
  let loadAnswersAt = Number.POSITIVE_INFINITY
  // Spread over time, since all viewers of a session wait for the same video.
  const nextVideoCheck = () => room.now() + VIDEO_CHECK_MS * (1 + Math.random())
  let lookForVideoAt = nextVideoCheck()
  const source = createVideoSource(video, () => {
    failedAt = room.now()
    isOpen = false
    void loadView()
  })
  const playedKeys = new Set<string>()

  const scheduledPositionMs = () => playbackPosition(view, room.now())

  // Views repeat known events: each event is applied once, unless the viewer restarts.
  function playNewEvents(events: readonly RoomEvent[]): void {
    const newEvents = events.filter((event) => {
      const key = `${event.offsetMs} ${event.type} ${JSON.stringify(event.payload)}`
      return !playedKeys.has(key) && playedKeys.add(key)
    })
    if (newEvents.length > 0) room.playEvents(newEvents)
    if (newEvents.some(isQuizEnd)) loadAnswersAt = room.now() + QUIZ_ANSWER_DELAY_MS * (1 + Math.random())
  }

  // Scripts do not contain the right answers of a quiz. The view is loaded again when a quiz ends, with a random delay to
  // spread the requests of all viewers.
  function isQuizEnd({ type, payload }: RoomEvent): boolean {
    if (type !== 'poll.close') return false
    const { poll } = view.state
    const pollOpening = view.nextEvents.find(
      (event) => event.type === 'poll.open' && event.payload.pollId === payload.pollId,
    )
    const content = pollOpening?.type === 'poll.open' ? pollOpening.payload.content : poll?.content
    return content?.kind === 'quiz'
  }

  function applyView(next: AutoView): void {
    if (next.positionMs < view.positionMs) playedKeys.clear()
    view = next
    pendingEvents = next.nextEvents
    isOver = next.phase === 'over'
    lastTickAt = room.now()
    loadAnswersAt = Number.POSITIVE_INFINITY
    // The latest chat messages, for viewers who joined late; the chat ignores those that it already contains.
    playNewEvents(next.pastMessages)
    tick()
  }

  async function loadView(): Promise<void> {
    if (isLoading) return
    isLoading = true
    try {
      const next = await room.loadView()
      room.setView(next)
      applyView(next)
    } catch {
      // Without a network the video continues from its buffer; the next attempt loads the state.
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    } finally {
      isLoading = false
    }
  }

  function tick(): void {
    const now = room.now()
    const hasSlept = now - lastTickAt > SLEEP_GAP_MS
    lastTickAt = now
    const positionMs = scheduledPositionMs()
    if (hasSlept || now >= loadAnswersAt) void loadView()
    if (!view.video && positionMs >= 0 && now >= lookForVideoAt) {
      lookForVideoAt = nextVideoCheck()
      void loadView()
    }
    if (positionMs < 0) return
    if (view.phase === 'before' || positionMs >= view.lengthMs) {
      finish(positionMs)
      return
    }
    if (positionMs > view.nextUntilMs - SCRIPT_LEAD_MS && view.nextUntilMs < view.lengthMs) void loadView()
    const shownMs = syncVideo(positionMs)
    const { due, left: rest } = splitDue(pendingEvents, shownMs)
    pendingEvents = rest
    playNewEvents(due)
  }

  function finish(positionMs: number): void {
    if (positionMs >= view.lengthMs) video.pause()
    if (!isOver) void loadView()
  }

  /** Synchronizes the video with the clock. Returns the displayed position, or the clock's while there is no picture. */
  function syncVideo(positionMs: number): number {
    if (!view.video) return positionMs
    const wantedSeconds = (positionMs + view.videoOffsetMs) / 1000
    if (!isOpen || room.now() > openUntil) {
      openVideo(wantedSeconds)
      return positionMs
    }
    if (view.pausedAtMs !== null) {
      if (!video.paused) video.pause()
      return positionMs
    }
    if (video.paused && !video.ended) void playVideo()
    if (video.readyState < HTMLMediaElement.HAVE_METADATA || video.seeking) return positionMs
    if (isSeeking && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) {
      isSeeking = false
      seekLead = nextLead(seekLead, video.currentTime, wantedSeconds)
    }
    const correction = findSyncStep(video.currentTime, wantedSeconds, seekLead)
    if (correction.action === 'rate') {
      if (video.playbackRate !== correction.rate) video.playbackRate = correction.rate
      return video.paused ? positionMs : video.currentTime * 1000 - view.videoOffsetMs
    }
    if (room.now() - lastSeekAt > SEEK_INTERVAL_MS) {
      lastSeekAt = room.now()
      isSeeking = true
      video.currentTime = Math.min(correction.to, Number.isFinite(video.duration) ? video.duration : correction.to)
    }
    return positionMs
  }

  /** Opens the video at a position in seconds; loads the view first when its signed addresses are about to expire. */
  function openVideo(seconds: number): void {
    const validUntil = view.serverNow + (view.video?.expiresIn ?? 0) * 1000 - ADDRESS_MARGIN_MS
    if (!view.video || room.now() - failedAt < RETRY_MS) return
    if (room.now() > validUntil) {
      void loadView()
      return
    }
    isOpen = true
    openUntil = validUntil
    void source.open(view.video, seconds)
  }

  let isStarting = false
  async function playVideo(): Promise<void> {
    if (isStarting) return
    isStarting = true
    try {
      await video.play()
      if (!video.muted) $isSoundBlocked.set(false)
    } catch (error) {
      // Without a user gesture browsers play muted video only.
      if (error instanceof DOMException && error.name === 'NotAllowedError' && !video.muted) {
        $isSoundBlocked.set(true)
        video.muted = true
        await video.play().catch(() => {})
      }
    } finally {
      isStarting = false
    }
  }

  const showBuffering = () => $isBuffering.set(true)
  const hideBuffering = () => $isBuffering.set(false)
  video.addEventListener('waiting', showBuffering)
  video.addEventListener('playing', hideBuffering)
  const timer = setInterval(tick, TICK_MS)
  applyView(initialView)

  return {
    $isSoundBlocked,
    $isBuffering,
    applyView: (next) => {
      if (next !== view) applyView(next)
    },
    unmute: async () => {
      video.muted = false
      $isSoundBlocked.set(false)
      await video.play().catch(() => {})
    },
    stop: () => {
      clearInterval(timer)
      video.removeEventListener('waiting', showBuffering)
      video.removeEventListener('playing', hideBuffering)
      source.close()
    },
  }
}
