import type { Device } from '#lib/core/shared/event/live-event.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import type { ButtonTally, MinuteTally, Totals, ViewerTally } from './tally-schema.ts'

/** A viewer present within the last minutes has stayed to the end. */
export const STAYED_TO_END_MINUTES = 5

/** Counters that a part of the log changes. Maps contain the affected rows, loaded before. */
export interface Tally {
  totals: Totals
  viewers: Map<string, ViewerTally>
  minutes: Map<number, MinuteTally>
  buttons: Map<string, ButtonTally>
}

export interface TallyActor {
  id: string
  isViewer: boolean
  isRegistered: boolean
}

/**
 * The minute of an instant, counted from 1970. After the start a minute begins with each full minute since then, like the
 * offsets of marks, messages and the video.
 */
export function minuteOf(at: number, startedAt: number | null): number {
  if (startedAt === null || at < startedAt) return Math.floor(at / MINUTE_MS)
  return Math.floor(startedAt / MINUTE_MS) + Math.floor((at - startedAt) / MINUTE_MS)
}

/**
 * Counts one log entry. Start and end affect every viewer: see `startViewer` and `endViewer`, which the caller applies
 * to all viewers.
 */
export function countEvent(tally: Tally, event: RoomEvent, actor: TallyActor | null): void {
  const { totals } = tally
  switch (event.type) {
    case 'webinar.start':
      Object.assign(totals, { startedAt: event.at, peak: totals.online, peakAt: event.at, watchedMs: 0 })
      totals.hereSum = totals.online * event.at
      return
    case 'webinar.finish':
      totals.watchedMs += totals.online * event.at - totals.hereSum
      getMinute(tally, event.at).online = 0
      Object.assign(totals, { finishedAt: event.at, online: 0, hereSum: 0 })
      return
    case 'button.show':
      getButton(tally, event.payload.buttonId, event.payload.content.label).shown += 1
      return
    case 'answer':
      totals.answers += 1
      return
  }
  if (actor?.isViewer) countViewer(tally, event, actor)
  else if (event.type === 'message') {
    totals.staffMessages += 1
    getMinute(tally, event.at).messages += 1
  }
}

/** A viewer at the start of the session: earlier presence is not counted as watching. */
export function startViewer(viewer: ViewerTally, at: number): ViewerTally {
  return {
    ...viewer,
    watchedMs: 0,
    hiddenMs: 0,
    hereSince: viewer.hereSince === null ? null : at,
    hiddenSince: viewer.hiddenSince === null ? null : at,
  }
}

/** A viewer at the end of the session. */
export function endViewer(viewer: ViewerTally, at: number): ViewerTally {
  return leaveViewer(viewer, at)
}

/** Watched time until now, and the visible share of it: 0 to 1, null without any. */
export function watchedUntil(viewer: ViewerTally, now: number): { watchedMs: number; attention: number | null } {
  const { watchedMs, hiddenMs } = leaveViewer(viewer, now)
  return { watchedMs, attention: watchedMs > 0 ? Math.max(0, 1 - hiddenMs / watchedMs) : null }
}

const createViewer = (at: number): ViewerTally => ({
  firstAt: at,
  lastAt: at,
  hereSince: null,
  hiddenSince: null,
  watchedMs: 0,
  hiddenMs: 0,
  stays: [],
  device: null,
  messages: 0,
  questions: 0,
  reactions: 0,
  votes: 0,
  clicks: 0,
  saw: [],
  clicked: [],
})

// These events imply presence, although the join is logged a moment later: a viewer who joins while a button is shown
// sees it immediately.
const PRESENCE_TYPES: ReadonlySet<RoomEvent['type']> = new Set([
  'user.connect',
  'user.sawButton',
  'user.click',
  'message',
  'question',
  'reaction',
  'poll.vote',
])

function countViewer(tally: Tally, event: RoomEvent, actor: TallyActor): void {
  const { totals } = tally
  const known = tally.viewers.get(actor.id)
  if (!known && !PRESENCE_TYPES.has(event.type)) return
  const viewer = known ?? createViewer(event.at)
  if (!known) {
    totals.viewers += 1
    if (actor.isRegistered) totals.came += 1
  }
  tally.viewers.set(actor.id, applyEvent(tally, viewer, event))
}

function applyEvent(tally: Tally, viewer: ViewerTally, event: RoomEvent): ViewerTally {
  const { totals } = tally
  const { at } = event
  switch (event.type) {
    case 'user.connect':
      return connectViewer(tally, withDevice(viewer, event.payload.device), at)
    case 'user.leave': {
      if (viewer.hereSince === null) return viewer
      const left = leaveViewer(viewer, at)
      // Before the viewer is removed: viewers present at the start of the minute belong to its peak.
      const minute = getMinute(tally, at)
      totals.online -= 1
      totals.hereSum -= viewer.hereSince
      totals.watchedMs += at - viewer.hereSince
      minute.left += 1
      minute.online = totals.online
      return left
    }
    case 'window.change':
      return setVisibility(viewer, event.payload.visible, at)
    case 'message':
    case 'question': {
      const key = event.type === 'message' ? 'messages' : 'questions'
      totals[key] += 1
      getMinute(tally, at)[key] += 1
      return { ...viewer, [key]: viewer[key] + 1 }
    }
    case 'reaction': {
      if (!event.payload.on) return viewer
      totals.reactions += 1
      getMinute(tally, at).reactions += 1
      return { ...viewer, reactions: viewer.reactions + 1 }
    }
    case 'poll.vote':
      totals.votes += 1
      return { ...viewer, votes: viewer.votes + 1 }
    case 'user.sawButton': {
      const { buttonId } = event.payload
      if (viewer.saw.includes(buttonId)) return viewer
      totals.saw += 1
      getButton(tally, buttonId).saw += 1
      return { ...viewer, saw: [...viewer.saw, buttonId] }
    }
    case 'user.click':
      return countClick(tally, viewer, event.payload.buttonId, at)
    default:
      return viewer
  }
}

const withDevice = (viewer: ViewerTally, device: Device): ViewerTally =>
  device === 'unknown' ? viewer : { ...viewer, device }

function connectViewer(tally: Tally, viewer: ViewerTally, at: number): ViewerTally {
  const { totals } = tally
  if (viewer.hereSince !== null || totals.finishedAt !== null) return viewer
  totals.online += 1
  totals.hereSum += at
  if (totals.online > totals.peak) Object.assign(totals, { peak: totals.online, peakAt: at })
  const minute = getMinute(tally, at)
  minute.joined += 1
  minute.online = totals.online
  minute.peak = Math.max(minute.peak, totals.online)
  return { ...viewer, hereSince: at, lastAt: Math.max(viewer.lastAt, at) }
}

function leaveViewer(viewer: ViewerTally, at: number): ViewerTally {
  const { hereSince } = viewer
  if (hereSince === null) return viewer
  const seen = setVisibility(viewer, true, at)
  return {
    ...seen,
    hereSince: null,
    lastAt: Math.max(viewer.lastAt, at),
    watchedMs: viewer.watchedMs + (at - hereSince),
    stays: [...viewer.stays, [hereSince, at]],
  }
}

function setVisibility(viewer: ViewerTally, visible: boolean, at: number): ViewerTally {
  const { hereSince, hiddenSince } = viewer
  if (hereSince === null) return viewer
  if (!visible) return hiddenSince === null ? { ...viewer, hiddenSince: at } : viewer
  if (hiddenSince === null) return viewer
  return { ...viewer, hiddenSince: null, hiddenMs: viewer.hiddenMs + (at - hiddenSince) }
}

function countClick(tally: Tally, viewer: ViewerTally, buttonId: string, at: number): ViewerTally {
  tally.totals.clicks += 1
  getMinute(tally, at).clicks += 1
  const button = getButton(tally, buttonId)
  button.clicks += 1
  const again = viewer.clicked.includes(buttonId)
  if (!again) button.clicked += 1
  return { ...viewer, clicks: viewer.clicks + 1, clicked: again ? viewer.clicked : [...viewer.clicked, buttonId] }
}

function getMinute({ minutes, totals }: Tally, at: number): MinuteTally {
  const key = minuteOf(at, totals.startedAt)
  const known = minutes.get(key)
  if (known) return known
  const { online } = totals
  const fresh = { joined: 0, left: 0, messages: 0, questions: 0, reactions: 0, clicks: 0, online, peak: online }
  minutes.set(key, fresh)
  return fresh
}

function getButton({ buttons }: Tally, id: string, label = ''): ButtonTally {
  const button = buttons.get(id) ?? { label, shown: 0, saw: 0, clicked: 0, clicks: 0 }
  if (label) button.label = label
  buttons.set(id, button)
  return button
}
