import { atom } from 'nanostores'
import { CallError } from '#islands/stores/call-error.ts'
import type { AutoView } from '#lib/autowebinar/play-schema.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { skewOf } from '#lib/core/shared/event/skew.ts'
import type { ButtonCount, RoomNews, RoomPerson, RoomView, Tally } from '#lib/meeting/room-schema.ts'
import type { EncoderSource } from '#lib/meeting/stage/schema.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { foldRoom } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { type Acts, actsFor } from './acts.ts'
import { connect } from './connection.ts'
import { askMediaOf, takeMedia, wantCodec } from './devices/room-media.ts'

/** The room that this tab stands in, as it was read last; null before `openRoom`. */
export const $room = atom<RoomView | null>(null)
export const $me = atom<RoomPerson | null>(null)
export const $state = atom<RoomState | null>(null)
/** How many viewers are there. */
export const $online = atom<number | null>(null)
/** The votes of the open poll as far as they were counted. */
export const $tally = atom<Tally | null>(null)
/** My own votes by poll, at once when they are given. */
export const $votes = atom<Record<string, number[]>>({})
/** For staff: who saw and clicked the buttons, and how many stand in the queue. */
export const $counts = atom<ButtonCount[]>([])
/** How many viewers have followed the buttons that say how many are left. */
export const $taken = atom<Record<string, number>>({})
export const $queue = atom<{ waiting: number; limit: number | null }>({ waiting: 0, limit: null })
/** Of a showing: see setAuto. */
export const $auto = atom<AutoView | null>(null)
/** Why this tab is no more in the room: shown the door, without a seat after a long absence, or with an old ticket. */
export const $out = atom<'banned' | 'limit' | 'ended' | null>(null)

/** Encoders that publish now; for staff. */
export const $sources = atom<readonly EncoderSource[]>([])
/** The room as it is for this person since their role has changed; null while it is that of the page. */
export const $anew = atom<RoomView | null>(null)

type Listener = (events: readonly RoomEvent[]) => void

const listeners = new Set<Listener>()
let ticket = ''
let clockMs = 0
/** All up to here is known, and what came after it one by one. */
let floor = 0
let seen = new Set<number>()
/** What is said while the gap before it is being read. */
let held: RoomEvent[] | null = null
let acts: Acts | null = null
/** When a view that did not come with the page was asked for and came. */
const asked = new WeakMap<RoomView, [number, number]>()

/** Comes into a room, once a page, and hears it until the returned function is called. */
export function openRoom(view: RoomView): () => void {
  acts = actsFor(() => ticket, view.sessionId)
  askMediaOf({ ask: () => act.getMedia(), now, viewers: () => $online.get() ?? 0 })
  take(view, asked.get(view) ?? cameWithPage())
  const from = view.liveId === null ? '' : String(view.liveId)
  const close = connect(() => `/v1/meeting/live?ticket=${encodeURIComponent(ticket)}`, from, {
    news: hear,
    missed: () => void catchUp(),
    refused: () => $out.set($out.get() ?? 'ended'),
  })
  return close
}

/** Acts in the room: `await act.raiseHand({ on: true })`. Throws CallError. */
export const act: Acts = new Proxy({} as Acts, {
  get: (_, name) => Reflect.get(acts ?? {}, name),
})

/** Calls `listener` with what happens in the room, in its order, each event once; gives the way to stop. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The server's clock, in milliseconds since 1970. */
export const now = (): number => Date.now() + clockMs

/** Votes; the choice is shown before the server has answered, and taken back when it refuses. */
export async function vote(pollId: string, choices: number[]): Promise<void> {
  const before = $votes.get()
  $votes.set({ ...before, [pollId]: choices })
  try {
    await act.vote({ pollId, choices })
  } catch (error) {
    $votes.set(before)
    throw error
  }
}

/** Lets events of a script happen that are not of the log: into the state and to all listeners. */
export function playEvents(events: readonly RoomEvent[]): void {
  happen(events)
}

/** Sets where a showing stands: its state takes the place of the room's. */
export function setAuto(view: AutoView): void {
  $auto.set(view)
  $state.set(view.state)
}

/** When the page was asked for and when it came: it may have been here long before it began to live. */
function cameWithPage(): [number, number] {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const here = Date.now()
  if (!load || new URL(load.name).pathname !== location.pathname) return [here, here]
  return [performance.timeOrigin + load.requestStart, performance.timeOrigin + load.responseStart]
}

function take(view: RoomView, [asked, came]: [number, number]): void {
  ticket = view.ticket
  clockMs = skewOf(view.serverNow, asked, came)
  takeMedia(view.media)
  floor = view.lastSeq
  seen = new Set()
  $me.set(view.me)
  $online.set(view.online)
  $votes.set({ ...view.votes, ...$votes.get() })
  $counts.set(view.staff?.buttons ?? [])
  $taken.set(view.taken)
  $queue.set({ waiting: view.staff?.waiting ?? 0, limit: view.staff?.limit ?? null })
  $tally.set(view.tally)
  $auto.set(view.auto)
  $state.set(view.auto?.state ?? view.state)
  $room.set(view)
}

function hear(news: RoomNews): void {
  if ('events' in news) takeEvents(news.events)
  else if ('online' in news) $online.set(news.online)
  else if ('tally' in news) $tally.set(news.tally)
  else if ('taken' in news) $taken.set(news.taken)
  else if ('counts' in news) $counts.set(merged($counts.get(), news.counts))
  else if ('waiting' in news) $queue.set(news)
  else if ('codecWanted' in news) wantCodec(news.codecWanted)
  else if ('sources' in news) $sources.set(news.sources)
  else if ('role' in news) void changeRole(news.role).catch(() => undefined)
  else if ('place' in news) $out.set('limit')
  else if ('admitted' in news) $out.set(null)
}

// What a role may see and do is in many parts of the room: all of it is read anew.
async function changeRole(role: RoomRole): Promise<void> {
  const me = $me.get()
  if (!me || me.role === role) return
  const began = Date.now()
  const view = await act.getRoom()
  asked.set(view, [began, Date.now()])
  $anew.set(view)
}

function merged(known: readonly ButtonCount[], counts: readonly ButtonCount[]): ButtonCount[] {
  const others = known.filter(({ buttonId }) => !counts.some((one) => one.buttonId === buttonId))
  return [...others, ...counts]
}

function takeEvents(events: readonly RoomEvent[]): void {
  if (held) held.push(...events)
  else takeFresh(events)
}

function takeFresh(events: readonly RoomEvent[]): void {
  const fresh = events.filter(({ seq }) => seq > floor && !seen.has(seq))
  for (const { seq } of fresh) seen.add(seq)
  if (seen.size > 5000) forget()
  if (fresh.length > 0) happen(fresh)
}

function happen(events: readonly RoomEvent[]): void {
  const state = $state.get()
  if (state) $state.set(events.reduce(foldRoom, state))
  for (const event of events) note(event)
  for (const listener of listeners) listener(events)
}

// What concerns this person, and the votes, which are no part of the state while a poll is open.
function note(event: RoomEvent): void {
  const me = $me.get()
  if (event.type === 'poll.open') $tally.set({ pollId: event.payload.pollId, tally: [], voters: 0 })
  if (event.type === 'poll.close') $tally.set(event.payload)
  if (!me || !('personId' in event.payload) || event.payload.personId !== me.personId) return
  if (event.type === 'user.banned') $out.set(event.payload.on ? 'banned' : null)
  if (event.type === 'user.muted')
    $me.set({ ...me, mutedUntil: event.payload.until ? Date.parse(event.payload.until) : null })
}

// Numbers that came long ago do not come again: the stream is in order but for what goes to single persons.
function forget(): void {
  const known = [...seen].sort((a, b) => a - b)
  floor = known[known.length - 1000] ?? floor
  seen = new Set(known.slice(-999))
}

const PAGES = 3
const RETRY_MS = 2000
let missedMore = false

// What is said meanwhile waits until the gap before it is closed, however often the network fails.
async function catchUp(): Promise<void> {
  missedMore = true
  if (held) return
  held = []
  let tries = 0
  while (missedMore) {
    missedMore = false
    try {
      await readMissed()
    } catch (error) {
      const why = reasonOf(error)
      if (why) $out.set(why)
      // A fault that comes back leaves a gap: the stream goes on, and a reload of the page reads all of it.
      else if (CallError.from(error).mayRetry(++tries)) {
        missedMore = true
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
  const waiting: RoomEvent[] = held
  held = null
  takeEvents(waiting)
}

async function readMissed(): Promise<void> {
  for (let page = 0; page < PAGES; page++) {
    const { events, more, role } = await act.listEvents({ after: Math.max(floor, ...seen) })
    takeFresh(events)
    void changeRole(role).catch(() => undefined)
    if (!more) return
  }
  const asked = Date.now()
  const view = await act.getRoom()
  take(view, [asked, Date.now()])
}

function reasonOf(error: unknown): 'banned' | 'limit' | 'ended' | null {
  if (!(error instanceof CallError) || error.temporary || error.broken) return null
  if (error.data.because === 'no_seat') return 'limit'
  return error.data.because === 'banned' ? 'banned' : 'ended'
}
