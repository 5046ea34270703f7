import type { Device } from '#lib/core/shared/event/live-event.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'

const MINUTES_5 = 300_000

/**
 * The numbers computed directly from the complete log, by definitions and not by increments: for each viewer the stays
 * are listed and limited to the live time, and everything else is computed from those lists.
 */
export function naiveNumbers(log: RoomEvent[], people: Map<string, { registered: boolean }>, now: number) {
  const start = log.find(({ type }) => type === 'webinar.start')?.at
  const end = log.find(({ type }) => type === 'webinar.finish')?.at
  const live: [number, number] = [start ?? Number.NEGATIVE_INFINITY, end ?? now]
  const viewers = new Map<string, ReturnType<typeof viewerOf>>()
  const stays = new Map<string, [number, number][]>()
  for (const id of people.keys()) {
    const own = log.filter(({ actorId }) => actorId === id)
    const first = own.findIndex(showsSomebody)
    if (first < 0) continue
    const known = own.slice(first)
    stays.set(id, pairs(known, 'user.connect', end, now))
    viewers.set(id, viewerOf(known, stays.get(id) ?? [], live, end, now))
  }
  const countOf = (type: RoomEvent['type'], id: string) => {
    const first = log.findIndex((event) => event.actorId === id && showsSomebody(event))
    return log.filter((event, index) => event.type === type && event.actorId === id && index >= first).length
  }
  const total = (type: RoomEvent['type']) => [...viewers.keys()].reduce((sum, id) => sum + countOf(type, id), 0)
  const each = [...viewers.values()]
  const ids = [...new Set(log.flatMap((event) => (buttonOf(event) ? [buttonOf(event) ?? ''] : [])))].sort()
  const buttons = ids
    .map((buttonId) => ({
      buttonId,
      shown: log.filter((event) => event.type === 'button.show' && event.payload.buttonId === buttonId).length,
      saw: each.filter(({ saw }) => saw.includes(buttonId)).length,
      clicked: each.filter(({ clicked }) => clicked.includes(buttonId)).length,
      clicks: [...viewers].reduce((sum, [id]) => sum + clicksOf(log, id, buttonId), 0),
    }))
    .filter(({ shown, saw, clicks }) => shown + saw + clicks > 0)
  const sweep = onlineAlong(log, viewers, start, end)
  return {
    totals: {
      viewers: viewers.size,
      came: [...viewers.keys()].filter((id) => people.get(id)?.registered).length,
      online: end === undefined ? sweep.online : 0,
      peak: sweep.peak,
      stayed: end === undefined ? null : stayedOf(log, viewers, end),
      messages: total('message'),
      questions: total('question'),
      saw: each.reduce((sum, { saw }) => sum + saw.length, 0),
      clicks: total('user.click'),
      reactions: total('reaction'),
      watchedMs: each.reduce((sum, { watchedMs }) => sum + watchedMs, 0),
    },
    viewers,
    buttons,
    minutes: { joined: sweep.joined, left: sweep.left, messages: total('message'), clicks: total('user.click') },
  }
}

function viewerOf(
  known: RoomEvent[],
  stays: [number, number][],
  live: [number, number],
  end: number | undefined,
  now: number,
) {
  const within = stays.map((stay) => cut(stay, live))
  const hidden = stays.flatMap((stay) => hiddenIn(known, stay, end ?? now).map((part) => cut(part, live)))
  return {
    watchedMs: within.reduce((sum, [from, to]) => sum + (to - from), 0),
    hiddenMs: hidden.reduce((sum, [from, to]) => sum + (to - from), 0),
    device: known.reduce<Device | null>((device, event) => deviceIn(event) ?? device, null),
    messages: known.filter(({ type }) => type === 'message').length,
    clicks: known.filter(({ type }) => type === 'user.click').length,
    saw: unique(known.flatMap((event) => (event.type === 'user.sawButton' ? [event.payload.buttonId] : []))),
    clicked: unique(known.flatMap((event) => (event.type === 'user.click' ? [event.payload.buttonId] : []))),
  }
}

const deviceIn = (event: RoomEvent): Device | null =>
  event.type === 'user.connect' && event.payload.device !== 'unknown' ? event.payload.device : null

/** The first event that shows the presence of a viewer. */
const showsSomebody = ({ type }: RoomEvent): boolean =>
  /^(user\.(connect|sawButton|click)|message|question|reaction|poll\.vote)$/.test(type)

const unique = (ids: string[]) => [...new Set(ids)].sort()

function cut([from, to]: [number, number], [first, last]: [number, number]): [number, number] {
  const start = Math.min(Math.max(from, first), last)
  return [start, Math.max(start, Math.min(to, last))]
}

/** From each connect to the next leave; viewers who are still present stay until the end. Nobody joins after it. */
function pairs(known: RoomEvent[], opening: string, end: number | undefined, now: number): [number, number][] {
  const found: [number, number][] = []
  let since: number | null = null
  for (const event of before(known, end)) {
    if (event.type === opening && since === null) since = event.at
    if (event.type === 'user.leave' && since !== null) {
      found.push([since, event.at])
      since = null
    }
  }
  if (since !== null) found.push([since, end ?? now])
  return found
}

function hiddenIn(known: RoomEvent[], [from, to]: [number, number], last: number): [number, number][] {
  const found: [number, number][] = []
  let here = false
  let since: number | null = null
  for (const event of known) {
    if (event.at > Math.min(to, last)) break
    if (event.type === 'user.connect' && !here) here = event.at >= from
    if (event.type === 'user.leave' && here) {
      if (since !== null) found.push([since, event.at])
      return found
    }
    if (event.type !== 'window.change' || !here) continue
    if (!event.payload.visible) since ??= event.at
    else if (since !== null) {
      found.push([since, event.at])
      since = null
    }
  }
  if (since !== null) found.push([since, Math.min(to, last)])
  return found
}

// Events after the end in the log change nobody's presence, even at the same instant.
function before(known: RoomEvent[], end: number | undefined): RoomEvent[] {
  return end === undefined ? known : known.filter((event) => event.at <= end)
}

function onlineAlong(
  log: RoomEvent[],
  viewers: Map<string, unknown>,
  start: number | undefined,
  end: number | undefined,
) {
  const here = new Set<string>()
  let [peak, joined, left] = [0, 0, 0]
  for (const event of log) {
    const id = event.actorId ?? ''
    if (event.type === 'webinar.start' && start !== undefined) peak = here.size
    if (event.type === 'webinar.finish' && end !== undefined) return { online: 0, peak, joined, left }
    if (!viewers.has(id)) continue
    if (event.type === 'user.connect' && !here.has(id)) {
      here.add(id)
      joined += 1
      peak = Math.max(peak, here.size)
    }
    if (event.type === 'user.leave' && here.delete(id)) left += 1
  }
  return { online: here.size, peak, joined, left }
}

function stayedOf(log: RoomEvent[], viewers: Map<string, unknown>, end: number): number {
  const finish = log.findIndex(({ type }) => type === 'webinar.finish')
  return [...viewers.keys()].filter((id) => {
    const own = log.slice(0, finish).filter(({ actorId }) => actorId === id)
    const first = own.find(showsSomebody)
    if (!first) return false
    const moves = own.filter(({ type }) => /connect|leave/.test(type))
    let here = false
    let last = first.at
    for (const { type, at } of moves) {
      if (type === 'user.connect' && !here) {
        here = true
        last = at
      }
      if (type === 'user.leave' && here) {
        here = false
        last = at
      }
    }
    return here || last > end - MINUTES_5
  }).length
}

const buttonOf = (event: RoomEvent) => ('buttonId' in event.payload ? event.payload.buttonId : null)

function clicksOf(log: RoomEvent[], id: string, buttonId: string): number {
  const first = log.findIndex((event) => event.actorId === id && showsSomebody(event))
  return log.filter(
    (event, index) =>
      index >= first && event.type === 'user.click' && event.actorId === id && event.payload.buttonId === buttonId,
  ).length
}
