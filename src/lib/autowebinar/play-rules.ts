import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { foldRoom } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { type Line, type LineContent, LONGEST_MS } from './schema.ts'

/** A line as it happens in a room. It stands in no log, so its number is 0. */
export function eventOf(line: Pick<Line, 'offsetMs'> & LineContent, startAt: number): RoomEvent {
  const { type, payload, offsetMs } = line
  const facts = { seq: 0, at: startAt + offsetMs, offsetMs, actorId: null, audience: 'all' as const }
  // A line's payload was checked against its type when it was written.
  return { ...facts, type, payload } as RoomEvent
}

/** The order in which lines happen. */
export const inOrder = (a: Placed, b: Placed): number =>
  a.offsetMs - b.offsetMs || a.position - b.position || (a.id < b.id ? -1 : 1)

interface Placed {
  id: string
  offsetMs: number
  position: number
}

/** The lines that are played: those of muted tracks and those beyond the end are not. */
export function played<T extends { track: Track; offsetMs: number }>(
  lines: readonly T[],
  { mutedTracks, lengthMs }: { mutedTracks: readonly Track[]; lengthMs: number },
): T[] {
  return lines.filter(({ track, offsetMs }) => !mutedTracks.includes(track) && offsetMs <= lengthMs)
}

/** The room at a moment of the showing: everything up to it, that moment included. Lines must be in order. */
export function roomAt(
  base: RoomState,
  lines: readonly (Pick<Line, 'offsetMs'> & LineContent)[],
  positionMs: number,
  startAt: number,
): RoomState {
  let room = base
  for (const line of lines) {
    if (line.offsetMs > positionMs) break
    room = foldRoom(room, eventOf(line, startAt))
  }
  return room
}

export interface Clock {
  startAt: number
  pausedAtMs: number | null
}

/** How far a showing is for somebody, in milliseconds; below zero before it begins. */
export const positionOf = ({ startAt, pausedAtMs }: Clock, now: number): number => pausedAtMs ?? now - startAt

export function phaseOf(positionMs: number, lengthMs: number): 'before' | 'playing' | 'over' {
  if (positionMs < 0) return 'before'
  return positionMs < lengthMs ? 'playing' : 'over'
}

/** A film may be so far from the server's clock before it is set right, in seconds. */
const FAR = 1
/** From here on it is led back by playing a little faster or slower, which nobody hears. */
const NEAR = 0.12
const NUDGE = 0.05

export type Step = { act: 'seek'; to: number } | { act: 'rate'; rate: number }

/** A jump aims at most so far ahead, in seconds. */
const LEAD = 10

/**
 * What brings a film back to the clock: a jump when it is a second or more away, else a rate of play that makes up for
 * it. All in seconds. `lead` is how far ahead of the clock a jump has to aim to be there in time.
 */
export function stepOf(filmAt: number, wanted: number, lead = 0): Step {
  const away = filmAt - wanted
  if (Math.abs(away) >= FAR) return { act: 'seek', to: wanted + lead }
  if (Math.abs(away) <= NEAR) return { act: 'rate', rate: 1 }
  return { act: 'rate', rate: away > 0 ? 1 - NUDGE : 1 + NUDGE }
}

/**
 * The lead of the next jump, from that of the last one and where it landed: a device that takes two seconds to jump would
 * otherwise land two seconds behind each time.
 */
export const leadOf = (lead: number, filmAt: number, wanted: number): number =>
  Math.min(Math.max(lead + wanted - filmAt, 0), LEAD)

/**
 * The events that are due at a moment, and those that are left. `due` are in order; nothing is due twice as long as
 * `left` is what is asked next.
 */
export function dueAt(events: readonly RoomEvent[], positionMs: number): { due: RoomEvent[]; left: RoomEvent[] } {
  const first = events.findIndex(({ offsetMs }) => offsetMs > positionMs)
  return first < 0 ? { due: [...events], left: [] } : { due: events.slice(0, first), left: events.slice(first) }
}

/** `1:02:03.250`, `62:03`, `3723.25` and `3723,25` are all taken; null for what is no time. Milliseconds. */
export function readOffset(cell: string): number | null {
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})(?:[.,](\d{1,3}))?$/.exec(cell)
  if (!match) return null
  const [, hours = '0', minutes = '0', seconds = '0', part = ''] = match
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const ms = whole * 1000 + Number(part.padEnd(3, '0'))
  return ms <= LONGEST_MS ? ms : null
}

/** A moment of a showing as it is written: `1:02:03`, with thousandths where there are some. */
export function offsetText(ms: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1000)
  const clock = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return ms % 1000 === 0 ? clock : `${clock}.${String(ms % 1000).padStart(3, '0')}`
}
