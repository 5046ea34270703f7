import { atom } from 'nanostores'
import type { AutoView } from '#lib/autowebinar/auto-view-schema.ts'
import { findSyncStep, nextLead, playbackPosition, splitDue } from '#lib/autowebinar/playback-rules.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { createVideoSource } from './video-source.ts'

/** What a showing needs of the room around it. */
export interface PlayerRoom {
  /** The server's clock, in milliseconds since 1970. */
  now(): number
  /** Reads the showing anew. */
  loadView(): Promise<AutoView>
  /** Lets events of the script happen. */
  playEvents(events: readonly RoomEvent[]): void
  /** Puts a view that was read in the place of the one before. */
  setView(view: AutoView): void
}

export interface AutoPlayer {
  /** The browser wants a press before there is sound. */
  $isSoundBlocked: ReturnType<typeof atom<boolean>>
  /** The film waits for bytes. */
  $isBuffering: ReturnType<typeof atom<boolean>>
  /** A view that came from elsewhere, e.g. because the room was read anew. */
  applyView(view: AutoView): void
  /** Call it in the handler of a press. */
  unmute(): Promise<void>
  stop(): void
}

const TICK_MS = 100
/** The script is asked for again so long before it runs out. */
const SCRIPT_LEAD_MS = 60_000
/** A device that slept so long knows nothing of the room any more. */
const SLEEP_GAP_MS = 15_000
/** Two jumps of a film that loads slowly lie so far apart. */
const SEEK_INTERVAL_MS = 2500
const RETRY_MS = 5000
/** The film may be so far ahead of the server's clock. */
const QUIZ_ANSWER_DELAY_MS = 2000
/** Addresses are changed so long before they close. */
const ADDRESS_MARGIN_MS = 300_000

/**
 * Plays a showing in an element by the server's clock: the film follows it, within a second, and the events of the script
 * come at the second that the film shows. After a stall both are set right; what was missed comes at once.
 */
export function startAutoPlayer(video: HTMLVideoElement, initialView: AutoView, room: PlayerRoom): AutoPlayer {
  const $blocked = atom(false)
  const $waiting = atom(false)
  let view = initialView
  let pendingEvents: readonly RoomEvent[] = []
  let isOpen = false
  let openUntil = 0
  let soughtAt = 0
  let isSeeking = false
  let seekLead = 0
  let lastTickAt = room.now()
  let isLoading = false
  let isOver = false
  let failedAt = 0
  let loadAnswersAt = Number.POSITIVE_INFINITY
  const source = createVideoSource(video, () => {
    failedAt = room.now()
    isOpen = false
    void loadView()
  })
  const playedKeys = new Set<string>()

  const scheduledPositionMs = () => playbackPosition(view, room.now())

  // A view tells again what was told: each thing happens once, unless somebody begins from the start.
  function playNewEvents(events: readonly RoomEvent[]): void {
    const newEvents = events.filter((event) => {
      const key = `${event.offsetMs} ${event.type} ${JSON.stringify(event.payload)}`
      return !playedKeys.has(key) && playedKeys.add(key)
    })
    if (newEvents.length > 0) room.playEvents(newEvents)
    if (newEvents.some(isQuizEnd)) loadAnswersAt = room.now() + QUIZ_ANSWER_DELAY_MS * (1 + Math.random())
  }

  // What was right comes with no script: the room is read anew when a quiz is over, by its viewers one after another.
  function isQuizEnd({ type, payload }: RoomEvent): boolean {
    if (type !== 'poll.close') return false
    const { poll } = view.state
    const isOpen = view.nextEvents.find(
      (event) => event.type === 'poll.open' && event.payload.pollId === payload.pollId,
    )
    const content = isOpen?.type === 'poll.open' ? isOpen.payload.content : poll?.content
    return content?.kind === 'quiz'
  }

  function take(next: AutoView): void {
    if (next.positionMs < view.positionMs) playedKeys.clear()
    view = next
    pendingEvents = next.nextEvents
    isOver = next.phase === 'over'
    lastTickAt = room.now()
    loadAnswersAt = Number.POSITIVE_INFINITY
    // The last words of the chat, for who has come late: the list knows those that it has.
    playNewEvents(next.pastMessages)
    tick()
  }

  async function loadView(): Promise<void> {
    if (isLoading) return
    isLoading = true
    try {
      const next = await room.loadView()
      room.setView(next)
      take(next)
    } catch {
      // Without a network the film goes on from what is loaded; the next try finds the room again.
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

  /** Leads the film to the clock. Gives the moment that is on the screen, or the clock's while there is none. */
  function syncVideo(positionMs: number): number {
    if (!view.film) return positionMs
    const wantedSeconds = (positionMs + view.filmOffsetMs) / 1000
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
    if (correction.act === 'rate') {
      if (video.playbackRate !== correction.rate) video.playbackRate = correction.rate
      return video.paused ? positionMs : video.currentTime * 1000 - view.filmOffsetMs
    }
    if (room.now() - soughtAt > SEEK_INTERVAL_MS) {
      soughtAt = room.now()
      isSeeking = true
      video.currentTime = Math.min(correction.to, Number.isFinite(video.duration) ? video.duration : correction.to)
    }
    return positionMs
  }

  /** Opens the film at so many seconds; with fresh addresses when those at hand are about to close. */
  function openVideo(seconds: number): void {
    const validUntil = view.serverNow + (view.film?.expiresIn ?? 0) * 1000 - ADDRESS_MARGIN_MS
    if (!view.film || room.now() - failedAt < RETRY_MS) return
    if (room.now() > validUntil) {
      void loadView()
      return
    }
    isOpen = true
    openUntil = validUntil
    void source.open(view.film, seconds)
  }

  let isStarting = false
  async function playVideo(): Promise<void> {
    if (isStarting) return
    isStarting = true
    try {
      await video.play()
      if (!video.muted) $blocked.set(false)
    } catch (error) {
      // Without a press browsers play in silence only.
      if (error instanceof DOMException && error.name === 'NotAllowedError' && !video.muted) {
        $blocked.set(true)
        video.muted = true
        await video.play().catch(() => {})
      }
    } finally {
      isStarting = false
    }
  }

  const showBuffering = () => $waiting.set(true)
  const hideBuffering = () => $waiting.set(false)
  video.addEventListener('waiting', showBuffering)
  video.addEventListener('playing', hideBuffering)
  const timer = setInterval(tick, TICK_MS)
  take(initialView)

  return {
    $isSoundBlocked: $blocked,
    $isBuffering: $waiting,
    applyView: (next) => {
      if (next !== view) take(next)
    },
    unmute: async () => {
      video.muted = false
      $blocked.set(false)
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
