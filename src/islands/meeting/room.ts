import { atom } from 'nanostores'
import { CallError } from '#islands/stores/call-error.ts'
import type { AutoView } from '#lib/autowebinar/auto-view-schema.ts'
import { clockOffsetMs } from '#lib/core/shared/event/clock-offset.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import type { ButtonCount, RoomPerson, RoomUpdate, RoomView, Tally } from '#lib/meeting/room-schema.ts'
import type { EncoderSource } from '#lib/meeting/stage/schema.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { applyEvent } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { connectRoom } from './connection.ts'
import { requestCodec, setMedia, setMediaLoader } from './devices/room-media.ts'
import { createRoomApi, type RoomApi } from './room-api.ts'

/** The room that this tab stands in, as it was read last; null before `openRoom`. */
export const $room = atom<RoomView | null>(null)
export const $me = atom<RoomPerson | null>(null)
export const $state = atom<RoomState | null>(null)
/** How many viewers are there. */
export const $onlineCount = atom<number | null>(null)
/** The votes of the open poll as far as they were counted. */
export const $tally = atom<Tally | null>(null)
/** My own votes by poll, at once when they are given. */
export const $votes = atom<Record<string, number[]>>({})
/** For staff: who saw and clicked the buttons, and how many stand in the queue. */
export const $buttonCounts = atom<ButtonCount[]>([])
/** How many viewers have followed the buttons that say how many are left. */
export const $clicksByButton = atom<Record<string, number>>({})
export const $waitingQueue = atom<{ waiting: number; limit: number | null }>({ waiting: 0, limit: null })
/** Of a showing: see setAuto. */
export const $autoView = atom<AutoView | null>(null)
/** Why this tab is no more in the room: shown the door, without a seat after a long absence, or with an old ticket. */
export const $exitReason = atom<'banned' | 'limit' | 'ended' | null>(null)

/** Encoders that publish now; for staff. */
export const $encoderSources = atom<readonly EncoderSource[]>([])
/** The room as it is for this person since their role has changed; null while it is that of the page. */
export const $reloadedView = atom<RoomView | null>(null)

type Listener = (events: readonly RoomEvent[]) => void

const listeners = new Set<Listener>()
let ticket = ''
let clockSkewMs = 0
/** All up to here is known, and what came after it one by one. */
let seenUpToSeq = 0
let seenSeqs = new Set<number>()
/** What is said while the gap before it is being read. */
let bufferedEvents: RoomEvent[] | null = null
let api: RoomApi | null = null
/** When a view that did not come with the page was asked for and came. */
const requestTimes = new WeakMap<RoomView, [number, number]>()

/** Comes into a room, once a page, and hears it until the returned function is called. */
export function openRoom(view: RoomView): () => void {
  api = createRoomApi(() => ticket, view.sessionId)
  setMediaLoader({ loadMedia: () => roomApi.getMedia(), now, countViewers: () => $onlineCount.get() ?? 0 })
  applyView(view, requestTimes.get(view) ?? pageLoadTimes())
  const from = view.liveId === null ? '' : String(view.liveId)
  const close = connectRoom(() => `/v1/meeting/live?ticket=${encodeURIComponent(ticket)}`, from, {
    onUpdate: applyUpdate,
    onGap: () => void closeGap(),
    onRefused: () => $exitReason.set($exitReason.get() ?? 'ended'),
  })
  return close
}

/** Acts in the room: `await act.raiseHand({ on: true })`. Throws CallError. */
export const roomApi: RoomApi = new Proxy({} as RoomApi, {
  get: (_, name) => Reflect.get(api ?? {}, name),
})

/** Calls `listener` with what happens in the room, in its order, each event once; gives the way to stop. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The server's clock, in milliseconds since 1970. */
export const now = (): number => Date.now() + clockSkewMs

/** Votes; the choice is shown before the server has answered, and taken back when it refuses. */
export async function vote(pollId: string, choices: number[]): Promise<void> {
  const before = $votes.get()
  $votes.set({ ...before, [pollId]: choices })
  try {
    await roomApi.vote({ pollId, choices })
  } catch (error) {
    $votes.set(before)
    throw error
  }
}

/** Lets events of a script happen that are not of the log: into the state and to all listeners. */
export function playScriptEvents(events: readonly RoomEvent[]): void {
  applyEvents(events)
}

/** Sets where a showing stands: its state takes the place of the room's. */
export function setAutoView(view: AutoView): void {
  $autoView.set(view)
  $state.set(view.state)
}

/** When the page was asked for and when it came: it may have been here long before it began to live. */
function pageLoadTimes(): [number, number] {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const loadedAt = Date.now()
  if (!navigation || new URL(navigation.name).pathname !== location.pathname) return [loadedAt, loadedAt]
  return [performance.timeOrigin + navigation.requestStart, performance.timeOrigin + navigation.responseStart]
}

function applyView(view: RoomView, [asked, came]: [number, number]): void {
  ticket = view.ticket
  clockSkewMs = clockOffsetMs(view.serverNow, asked, came)
  setMedia(view.media)
  seenUpToSeq = view.lastSeq
  seenSeqs = new Set()
  $me.set(view.me)
  $onlineCount.set(view.online)
  $votes.set({ ...view.votes, ...$votes.get() })
  $buttonCounts.set(view.staff?.buttons ?? [])
  $clicksByButton.set(view.taken)
  $waitingQueue.set({ waiting: view.staff?.waiting ?? 0, limit: view.staff?.limit ?? null })
  $tally.set(view.tally)
  $autoView.set(view.auto)
  $state.set(view.auto?.state ?? view.state)
  $room.set(view)
}

function applyUpdate(update: RoomUpdate): void {
  if ('events' in update) receiveEvents(update.events)
  else if ('online' in update) $onlineCount.set(update.online)
  else if ('tally' in update) $tally.set(update.tally)
  else if ('taken' in update) $clicksByButton.set(update.taken)
  else if ('counts' in update) $buttonCounts.set(mergeButtonCounts($buttonCounts.get(), update.counts))
  else if ('waiting' in update) $waitingQueue.set(update)
  else if ('codecWanted' in update) requestCodec(update.codecWanted)
  else if ('sources' in update) $encoderSources.set(update.sources)
  else if ('role' in update) void changeRole(update.role).catch(() => undefined)
  else if ('place' in update) $exitReason.set('limit')
  else if ('admitted' in update) $exitReason.set(null)
}

// What a role may see and do is in many parts of the room: all of it is read anew.
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
  if (state) $state.set(events.reduce(applyEvent, state))
  for (const event of events) applyPersonalEvent(event)
  for (const listener of listeners) listener(events)
}

// What concerns this person, and the votes, which are no part of the state while a poll is open.
function applyPersonalEvent(event: RoomEvent): void {
  const me = $me.get()
  if (event.type === 'poll.open') $tally.set({ pollId: event.payload.pollId, tally: [], voters: 0 })
  if (event.type === 'poll.close') $tally.set(event.payload)
  if (!me || !('personId' in event.payload) || event.payload.personId !== me.personId) return
  if (event.type === 'user.banned') $exitReason.set(event.payload.on ? 'banned' : null)
  if (event.type === 'user.muted')
    $me.set({ ...me, mutedUntil: event.payload.until ? Date.parse(event.payload.until) : null })
}

// Numbers that came long ago do not come again: the stream is in order but for what goes to single persons.
function trimSeenSeqs(): void {
  const known = [...seenSeqs].sort((a, b) => a - b)
  seenUpToSeq = known[known.length - 1000] ?? seenUpToSeq
  seenSeqs = new Set(known.slice(-999))
}

const MAX_PAGES = 3
const RETRY_MS = 2000
let gapPending = false

// What is said meanwhile waits until the gap before it is closed, however often the network fails.
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
      // A fault that comes back leaves a gap: the stream goes on, and a reload of the page reads all of it.
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
  if (error.data.because === 'no_seat') return 'limit'
  return error.data.because === 'banned' ? 'banned' : 'ended'
}
