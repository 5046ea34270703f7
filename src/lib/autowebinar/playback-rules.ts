import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { applyEvent } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { type EntryContent, MAX_OFFSET_MS, type ScriptEntry } from './schema.ts'

/** A line as it happens in a room. It stands in no log, so its number is 0. */
export function toRoomEvent(line: Pick<ScriptEntry, 'offsetMs'> & EntryContent, startAt: number): RoomEvent {
  const { type, payload, offsetMs } = line
  const facts = { seq: 0, at: startAt + offsetMs, offsetMs, actorId: null, audience: 'all' as const }
  // A line's payload was checked against its type when it was written.
  return { ...facts, type, payload } as RoomEvent
}

/** The order in which lines happen. */
export const compareEntries = (a: EntryPosition, b: EntryPosition): number =>
  a.offsetMs - b.offsetMs || a.position - b.position || (a.id < b.id ? -1 : 1)

interface EntryPosition {
  id: string
  offsetMs: number
  position: number
}

/** The lines that are played: those of muted tracks and those beyond the end are not. */
export function selectPlayed<T extends { track: Track; offsetMs: number }>(
  lines: readonly T[],
  { mutedTracks, lengthMs }: { mutedTracks: readonly Track[]; lengthMs: number },
): T[] {
  return lines.filter(({ track, offsetMs }) => !mutedTracks.includes(track) && offsetMs <= lengthMs)
}

/** The room at a moment of the showing: everything up to it, that moment included. Lines must be in order. */
export function foldRoomAt(
  base: RoomState,
  lines: readonly (Pick<ScriptEntry, 'offsetMs'> & EntryContent)[],
  positionMs: number,
  startAt: number,
): RoomState {
  let room = base
  for (const line of lines) {
    if (line.offsetMs > positionMs) break
    room = applyEvent(room, toRoomEvent(line, startAt))
  }
  return room
}

export interface PlaybackClock {
  startAt: number
  pausedAtMs: number | null
}

/** How far a showing is for somebody, in milliseconds; below zero before it begins. */
export const playbackPosition = ({ startAt, pausedAtMs }: PlaybackClock, now: number): number =>
  pausedAtMs ?? now - startAt

export function playbackPhase(positionMs: number, lengthMs: number): 'before' | 'playing' | 'over' {
  if (positionMs < 0) return 'before'
  return positionMs < lengthMs ? 'playing' : 'over'
}

/** A film may be so far from the server's clock before it is set right, in seconds. */
const SEEK_THRESHOLD_SECONDS = 1
/** From here on it is led back by playing a little faster or slower, which nobody hears. */
const IN_SYNC_SECONDS = 0.12
const RATE_CORRECTION = 0.05

export type SyncStep = { act: 'seek'; to: number } | { act: 'rate'; rate: number }

/** A jump aims at most so far ahead, in seconds. */
const MAX_LEAD_SECONDS = 10

/**
 * What brings a film back to the clock: a jump when it is a second or more away, else a rate of play that makes up for
 * it. All in seconds. `lead` is how far ahead of the clock a jump has to aim to be there in time.
 */
export function findSyncStep(videoSeconds: number, targetSeconds: number, leadSeconds = 0): SyncStep {
  const driftSeconds = videoSeconds - targetSeconds
  if (Math.abs(driftSeconds) >= SEEK_THRESHOLD_SECONDS) return { act: 'seek', to: targetSeconds + leadSeconds }
  if (Math.abs(driftSeconds) <= IN_SYNC_SECONDS) return { act: 'rate', rate: 1 }
  return { act: 'rate', rate: driftSeconds > 0 ? 1 - RATE_CORRECTION : 1 + RATE_CORRECTION }
}

/**
 * The lead of the next jump, from that of the last one and where it landed: a device that takes two seconds to jump would
 * otherwise land two seconds behind each time.
 */
export const nextLead = (leadSeconds: number, videoSeconds: number, targetSeconds: number): number =>
  Math.min(Math.max(leadSeconds + targetSeconds - videoSeconds, 0), MAX_LEAD_SECONDS)

/**
 * The events that are due at a moment, and those that are left. `due` are in order; nothing is due twice as long as
 * `left` is what is asked next.
 */
export function splitDue(events: readonly RoomEvent[], positionMs: number): { due: RoomEvent[]; left: RoomEvent[] } {
  const first = events.findIndex(({ offsetMs }) => offsetMs > positionMs)
  return first < 0 ? { due: [...events], left: [] } : { due: events.slice(0, first), left: events.slice(first) }
}

/** `1:02:03.250`, `62:03`, `3723.25` and `3723,25` are all taken; null for what is no time. Milliseconds. */
export function parseOffset(cell: string): number | null {
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})(?:[.,](\d{1,3}))?$/.exec(cell)
  if (!match) return null
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  const wholeSeconds = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const ms = wholeSeconds * 1000 + Number(fraction.padEnd(3, '0'))
  return ms <= MAX_OFFSET_MS ? ms : null
}

/** A moment of a showing as it is written: `1:02:03`, with thousandths where there are some. */
export function formatOffset(ms: number): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1000)
  const clock = `${Math.floor(seconds / 3600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  return ms % 1000 === 0 ? clock : `${clock}.${String(ms % 1000).padStart(3, '0')}`
}
