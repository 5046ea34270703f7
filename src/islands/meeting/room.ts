import { atom } from 'nanostores'
import { CallError } from '#islands/stores/call-error.ts'
import type { AutoView } from '#lib/autowebinar/auto-view-schema.ts'
import { clockOffsetMs } from '#lib/core/shared/event/clock-offset.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import type { ButtonCount, PollTally, RoomConsent, RoomPerson, RoomUpdate, RoomView } from '#lib/meeting/room-schema.ts'
import type { EncoderSource } from '#lib/meeting/stage/schema.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { applySessionEvent } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { connectRoom } from './connection.ts'
import { requestCodec, setMedia, setMediaLoader } from './devices/room-media.ts'
import { createRoomApi, type RoomApi } from './room-api.ts'

/** The room of this tab as it was loaded last; null before `openRoom`. */
export const $room = atom<RoomView | null>(null)
export const $me = atom<RoomPerson | null>(null)
export const $state = atom<RoomState | null>(null)
/** Number of viewers who are online. */
export const $onlineCount = atom<number | null>(null)
/** The counted votes of the open poll. */
export const $pollTally = atom<PollTally | null>(null)
/** Own votes by poll id, updated before the server confirms. */
export const $votes = atom<Record<string, number[]>>({})
/** For staff: views and clicks of each button. */
export const $buttonCounts = atom<ButtonCount[]>([])
/** Clicks by button id, for buttons that show how many items are left. */
export const $clicksByButton = atom<Record<string, number>>({})
export const $waitingQueue = atom<{ waiting: number; limit: number | null }>({ waiting: 0, limit: null })
/** The state of an automated event session: see `setAutoView`. */
export const $autoView = atom<AutoView | null>(null)
/** Consent to the recording of a session with a mentor. */
export const $consent = atom<RoomConsent | null>(null)
/** Why this tab has left the room: banned, without a seat after a long absence, or with an expired seat token. */
export const $exitReason = atom<'banned' | 'limit' | 'ended' | null>(null)

/** For staff: encoders that publish now. */
export const $encoderSources = atom<readonly EncoderSource[]>([])
/** The room reloaded after a change of this participant's role; null before. */
export const $reloadedView = atom<RoomView | null>(null)

type Listener = (events: readonly RoomEvent[]) => void

const listeners = new Set<Listener>()
let seatToken = ''
let clockSkewMs = 0
/** Events up to this sequence number are known; `seenSeqs` holds the known ones above it. */
let seenUpToSeq = 0
let seenSeqs = new Set<number>()
/** Events that arrive while missed ones are being loaded. */
let bufferedEvents: RoomEvent[] | null = null
let api: RoomApi | null = null
/** Times of request and response, by the local clock, of views that did not come with the page. */
const requestTimes = new WeakMap<RoomView, [number, number]>()

/** Opens a room, once a page, and receives its updates. Returns a function that closes the connection. */
export function openRoom(view: RoomView): () => void {
  api = createRoomApi(() => seatToken, view.sessionId)
  setMediaLoader({ loadMedia: () => roomApi.getMedia(), now: roomNow, countViewers: () => $onlineCount.get() ?? 0 })
  applyView(view, requestTimes.get(view) ?? pageLoadTimes())
  const from = view.liveId === null ? '' : String(view.liveId)
  const close = connectRoom(() => `/v1/meeting/live?seatToken=${encodeURIComponent(seatToken)}`, from, {
    onUpdate: applyUpdate,
    onGap: () => void closeGap(),
    onRefused: () => $exitReason.set($exitReason.get() ?? 'ended'),
  })
  return close
}

/** Procedures of the open room, e.g. `await roomApi.raiseHand({ on: true })`. They throw CallError. */
export const roomApi: RoomApi = new Proxy({} as RoomApi, {
  get: (_, name) => Reflect.get(api ?? {}, name),
})

/** Calls `listener` with each new event of the room once, in order. Returns a function that unsubscribes. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The server's clock, in milliseconds since 1970. */
export const roomNow = (): number => Date.now() + clockSkewMs

/** Votes in a poll. The vote is shown at once and reverted when the server refuses it. */
export async function castVote(pollId: string, choices: number[]): Promise<void> {
  const before = $votes.get()
  $votes.set({ ...before, [pollId]: choices })
  try {
    await roomApi.vote({ pollId, choices })
  } catch (error) {
    $votes.set(before)
    throw error
  }
}

/** Applies events of a script, which are not in the event log, to the state and passes them to all listeners. */
export function playScriptEvents(events: readonly RoomEvent[]): void {
  applyEvents(events)
}

/** Sets the state of an automated event session, which replaces the state of the room. */
export function setAutoView(view: AutoView): void {
  $autoView.set(view)
  $state.set(view.state)
}

/** Returns the times of request and response of the page, which may precede its hydration by long. */
function pageLoadTimes(): [number, number] {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const loadedAt = Date.now()
  if (!navigation || new URL(navigation.name).pathname !== location.pathname) return [loadedAt, loadedAt]
  return [performance.timeOrigin + navigation.requestStart, performance.timeOrigin + navigation.responseStart]
}

function applyView(view: RoomView, [requestedAt, receivedAt]: [number, number]): void {
  seatToken = view.seatToken
  clockSkewMs = clockOffsetMs(view.serverNow, requestedAt, receivedAt)
  setMedia(view.media)
  seenUpToSeq = view.lastSeq
  seenSeqs = new Set()
  $me.set(view.me)
  $onlineCount.set(view.online)
  $votes.set({ ...view.votes, ...$votes.get() })
  $buttonCounts.set(view.staff?.buttons ?? [])
  $clicksByButton.set(view.clicksByButton)
  $waitingQueue.set({ waiting: view.staff?.waiting ?? 0, limit: view.staff?.limit ?? null })
  $pollTally.set(view.tally)
  $autoView.set(view.auto)
  $state.set(view.auto?.state ?? view.state)
  $consent.set(view.mentoring?.consent ?? null)
  $room.set(view)
}

function applyUpdate(update: RoomUpdate): void {
  if ('events' in update) receiveEvents(update.events)
  else if ('online' in update) $onlineCount.set(update.online)
  else if ('tally' in update) $pollTally.set(update.tally)
  else if ('clicksByButton' in update) $clicksByButton.set(update.clicksByButton)
  else if ('counts' in update) $buttonCounts.set(mergeButtonCounts($buttonCounts.get(), update.counts))
  else if ('waiting' in update) $waitingQueue.set(update)
  else if ('codecWanted' in update) requestCodec(update.codecWanted)
  else if ('sources' in update) $encoderSources.set(update.sources)
  else if ('consent' in update) $consent.set(update.consent)
  else if ('role' in update) void changeRole(update.role).catch(() => undefined)
  else if ('place' in update) $exitReason.set('limit')
  else if ('admitted' in update) $exitReason.set(null)
}

// Many parts of the room depend on the role: the whole view is loaded again.
async function changeRole(role: RoomRole): Promise<void> {
  const me = $me.get()
  if (!me || me.role === role) return
  const requestedAt = Date.now()
  const view = await roomApi.getRoom()
  requestTimes.set(view, [requestedAt, Date.now()])
  $reloadedView.set(view)
}

function mergeButtonCounts(previous: readonly ButtonCount[], counts: readonly ButtonCount[]): ButtonCount[] {
  const others = previous.filter(({ buttonId }) => !counts.some((count) => count.buttonId === buttonId))
  return [...others, ...counts]
}

function receiveEvents(events: readonly RoomEvent[]): void {
  if (bufferedEvents) bufferedEvents.push(...events)
  else applyNewEvents(events)
}

function applyNewEvents(events: readonly RoomEvent[]): void {
  const newEvents = events.filter(({ seq }) => seq > seenUpToSeq && !seenSeqs.has(seq))
  for (const { seq } of newEvents) seenSeqs.add(seq)
  if (seenSeqs.size > 5000) trimSeenSeqs()
  if (newEvents.length > 0) applyEvents(newEvents)
}

function applyEvents(events: readonly RoomEvent[]): void {
  const state = $state.get()
  if (state) $state.set(events.reduce(applySessionEvent, state))
  for (const event of events) applyPersonalEvent(event)
  for (const listener of listeners) listener(events)
}

// Applies the parts that the shared state does not contain: changes of this participant, and the votes of an open poll.
function applyPersonalEvent(event: RoomEvent): void {
  const me = $me.get()
  if (event.type === 'poll.open') $pollTally.set({ pollId: event.payload.pollId, tally: [], voters: 0 })
  if (event.type === 'poll.close') $pollTally.set(event.payload)
  if (!me || !('personId' in event.payload) || event.payload.personId !== me.personId) return
  if (event.type === 'user.banned') $exitReason.set(event.payload.on ? 'banned' : null)
  if (event.type === 'user.muted')
    $me.set({ ...me, mutedUntil: event.payload.until ? Date.parse(event.payload.until) : null })
}

// Only recent sequence numbers can repeat: the stream is in order except for events to single participants.
function trimSeenSeqs(): void {
  const known = [...seenSeqs].sort((a, b) => a - b)
  seenUpToSeq = known[known.length - 1000] ?? seenUpToSeq
  seenSeqs = new Set(known.slice(-999))
}

const MAX_PAGES = 3
const RETRY_MS = 2000
let gapPending = false

// Loads missed events, with retries. Events that arrive meanwhile are buffered and applied afterwards.
async function closeGap(): Promise<void> {
  gapPending = true
  if (bufferedEvents) return
  bufferedEvents = []
  let attempts = 0
  while (gapPending) {
    gapPending = false
    try {
      await readMissedEvents()
    } catch (error) {
      const exitReason = exitReasonOf(error)
      if (exitReason) $exitReason.set(exitReason)
      // After repeated server errors the gap remains: the stream continues, and a reload of the page loads all events.
      else if (CallError.from(error).mayRetry(++attempts)) {
        gapPending = true
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
  const buffered: RoomEvent[] = bufferedEvents
  bufferedEvents = null
  receiveEvents(buffered)
}

async function readMissedEvents(): Promise<void> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const { events, more, role } = await roomApi.listEvents({ after: Math.max(seenUpToSeq, ...seenSeqs) })
    applyNewEvents(events)
    void changeRole(role).catch(() => undefined)
    if (!more) return
  }
  const requestedAt = Date.now()
  const view = await roomApi.getRoom()
  applyView(view, [requestedAt, Date.now()])
}

function exitReasonOf(error: unknown): 'banned' | 'limit' | 'ended' | null {
  if (!(error instanceof CallError) || error.temporary || error.broken) return null
  if (error.data.reason === 'no_seat') return 'limit'
  return error.data.reason === 'banned' ? 'banned' : 'ended'
}
