import { atom } from 'nanostores'
import { dueAt, leadOf, positionOf, stepOf } from '#lib/autowebinar/play-rules.ts'
import type { AutoView } from '#lib/autowebinar/play-schema.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { sourceFor } from './auto-source.ts'

/** What a showing needs of the room around it. */
export interface Around {
  /** The server's clock, in milliseconds since 1970. */
  now(): number
  /** Reads the showing anew. */
  read(): Promise<AutoView>
  /** Lets events of the script happen. */
  play(events: readonly RoomEvent[]): void
  /** Puts a view that was read in the place of the one before. */
  set(view: AutoView): void
}

export interface Showing {
  /** The browser wants a press before there is sound. */
  $blocked: ReturnType<typeof atom<boolean>>
  /** The film waits for bytes. */
  $waiting: ReturnType<typeof atom<boolean>>
  /** A view that came from elsewhere, e.g. because the room was read anew. */
  take(view: AutoView): void
  /** Call it in the handler of a press. */
  unmute(): Promise<void>
  stop(): void
}

const TICK_MS = 100
/** The script is asked for again so long before it runs out. */
const EARLY_MS = 60_000
/** A device that slept so long knows nothing of the room any more. */
const SLEPT_MS = 15_000
/** Two jumps of a film that loads slowly lie so far apart. */
const REST_MS = 2500
const RETRY_MS = 5000
/** The film may be so far ahead of the server's clock. */
const ANSWERS_MS = 2000
/** Addresses are changed so long before they close. */
const CLOSING_MS = 300_000

/**
 * Plays a showing in an element by the server's clock: the film follows it, within a second, and the events of the script
 * come at the second that the film shows. After a stall both are set right; what was missed comes at once.
 */
export function runShowing(video: HTMLVideoElement, first: AutoView, around: Around): Showing {
  const $blocked = atom(false)
  const $waiting = atom(false)
  let view = first
  let left: readonly RoomEvent[] = []
  let opened = false
  let openUntil = 0
  let jumpedAt = 0
  let landing = false
  let lead = 0
  let seenAt = around.now()
  let asking = false
  let over = false
  let lostAt = 0
  let answersAt = Number.POSITIVE_INFINITY
  const source = sourceFor(video, () => {
    lostAt = around.now()
    opened = false
    void ask()
  })
  const told = new Set<string>()

  const clock = () => positionOf(view, around.now())

  // A view tells again what was told: each thing happens once, unless somebody begins from the start.
  function play(events: readonly RoomEvent[]): void {
    const news = events.filter((event) => {
      const key = `${event.offsetMs} ${event.type} ${JSON.stringify(event.payload)}`
      return !told.has(key) && told.add(key)
    })
    if (news.length > 0) around.play(news)
    if (news.some(endsQuiz)) answersAt = around.now() + ANSWERS_MS * (1 + Math.random())
  }

  // What was right comes with no script: the room is read anew when a quiz is over, by its viewers one after another.
  function endsQuiz({ type, payload }: RoomEvent): boolean {
    if (type !== 'poll.close') return false
    const { poll } = view.state
    const opened = view.next.find((one) => one.type === 'poll.open' && one.payload.pollId === payload.pollId)
    const content = opened?.type === 'poll.open' ? opened.payload.content : poll?.content
    return content?.kind === 'quiz'
  }

  function take(next: AutoView): void {
    if (next.positionMs < view.positionMs) told.clear()
    view = next
    left = next.next
    over = next.phase === 'over'
    seenAt = around.now()
    answersAt = Number.POSITIVE_INFINITY
    // The last words of the chat, for who has come late: the list knows those that it has.
    play(next.past)
    tick()
  }

  async function ask(): Promise<void> {
    if (asking) return
    asking = true
    try {
      const next = await around.read()
      around.set(next)
      take(next)
    } catch {
      // Without a network the film goes on from what is loaded; the next try finds the room again.
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    } finally {
      asking = false
    }
  }

  function tick(): void {
    const now = around.now()
    const slept = now - seenAt > SLEPT_MS
    seenAt = now
    const at = clock()
    if (slept || now >= answersAt) void ask()
    if (at < 0) return
    if (view.phase === 'before' || at >= view.lengthMs) {
      end(at)
      return
    }
    if (at > view.nextUntilMs - EARLY_MS && view.nextUntilMs < view.lengthMs) void ask()
    const shown = follow(at)
    const { due, left: rest } = dueAt(left, shown)
    left = rest
    play(due)
  }

  function end(at: number): void {
    if (at >= view.lengthMs) video.pause()
    if (!over) void ask()
  }

  /** Leads the film to the clock. Gives the moment that is on the screen, or the clock's while there is none. */
  function follow(at: number): number {
    if (!view.film) return at
    const wanted = (at + view.filmOffsetMs) / 1000
    if (!opened || around.now() > openUntil) {
      open(wanted)
      return at
    }
    if (view.pausedAtMs !== null) {
      if (!video.paused) video.pause()
      return at
    }
    if (video.paused && !video.ended) void begin()
    if (video.readyState < HTMLMediaElement.HAVE_METADATA || video.seeking) return at
    if (landing && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) {
      landing = false
      lead = leadOf(lead, video.currentTime, wanted)
    }
    const step = stepOf(video.currentTime, wanted, lead)
    if (step.act === 'rate') {
      if (video.playbackRate !== step.rate) video.playbackRate = step.rate
      return video.paused ? at : video.currentTime * 1000 - view.filmOffsetMs
    }
    if (around.now() - jumpedAt > REST_MS) {
      jumpedAt = around.now()
      landing = true
      video.currentTime = Math.min(step.to, Number.isFinite(video.duration) ? video.duration : step.to)
    }
    return at
  }

  /** Opens the film at so many seconds; with fresh addresses when those at hand are about to close. */
  function open(seconds: number): void {
    const until = view.serverNow + (view.film?.expiresIn ?? 0) * 1000 - CLOSING_MS
    if (!view.film || around.now() - lostAt < RETRY_MS) return
    if (around.now() > until) {
      void ask()
      return
    }
    opened = true
    openUntil = until
    void source.open(view.film, seconds)
  }

  let beginning = false
  async function begin(): Promise<void> {
    if (beginning) return
    beginning = true
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
      beginning = false
    }
  }

  const wait = () => $waiting.set(true)
  const go = () => $waiting.set(false)
  video.addEventListener('waiting', wait)
  video.addEventListener('playing', go)
  const timer = setInterval(tick, TICK_MS)
  take(first)

  return {
    $blocked,
    $waiting,
    take: (next) => {
      if (next !== view) take(next)
    },
    unmute: async () => {
      video.muted = false
      $blocked.set(false)
      await video.play().catch(() => {})
    },
    stop: () => {
      clearInterval(timer)
      video.removeEventListener('waiting', wait)
      video.removeEventListener('playing', go)
      source.close()
    },
  }
}
