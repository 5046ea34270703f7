import type { Track } from '#lib/core/shared/event/auto-event.ts'
import { formatLongClock } from '#lib/core/shared/text/clock.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { applySessionEvent } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { type EntryContent, MAX_OFFSET_MS, type ScriptEntry } from './schema.ts'

/** Room event of an entry. It is in no log, so its sequence number is 0. */
export function toRoomEvent(entry: Pick<ScriptEntry, 'offsetMs'> & EntryContent, startAt: number): RoomEvent {
  const { type, payload, offsetMs } = entry
  const facts = { seq: 0, at: startAt + offsetMs, offsetMs, actorId: null, audience: 'all' as const }
  // The payload was validated when it was written.
  return { ...facts, type, payload } as RoomEvent
}

/** Playback order of entries. */
export const compareEntries = (a: EntryPosition, b: EntryPosition): number =>
  a.offsetMs - b.offsetMs || a.position - b.position || (a.id < b.id ? -1 : 1)

interface EntryPosition {
  id: string
  offsetMs: number
  position: number
}

/** Entries that are played: not those of muted tracks or beyond the end. */
export function selectPlayed<T extends { track: Track; offsetMs: number }>(
  entries: readonly T[],
  { mutedTracks, lengthMs }: { mutedTracks: readonly Track[]; lengthMs: number },
): T[] {
  return entries.filter(({ track, offsetMs }) => !mutedTracks.includes(track) && offsetMs <= lengthMs)
}

/** Room state at a position of the session, that position included. Entries must be in order. */
export function foldRoomAt(
  base: RoomState,
  entries: readonly (Pick<ScriptEntry, 'offsetMs'> & EntryContent)[],
  positionMs: number,
  startAt: number,
): RoomState {
  let room = base
  for (const entry of entries) {
    if (entry.offsetMs > positionMs) break
    room = applySessionEvent(room, toRoomEvent(entry, startAt))
  }
  return room
}

export interface PlaybackClock {
  startAt: number
  pausedAtMs: number | null
}

/** Playback position of a viewer in milliseconds; below zero before the start. */
export const playbackPosition = ({ startAt, pausedAtMs }: PlaybackClock, now: number): number =>
  pausedAtMs ?? now - startAt

export function playbackPhase(positionMs: number, lengthMs: number): 'before' | 'playing' | 'over' {
  if (positionMs < 0) return 'before'
  return positionMs < lengthMs ? 'playing' : 'over'
}

/** From this drift on, in seconds, the video seeks. */
const SEEK_THRESHOLD_SECONDS = 1
/** From this drift on, in seconds, the playback rate is corrected inaudibly. */
const IN_SYNC_SECONDS = 0.12
const RATE_CORRECTION = 0.05

export type SyncStep = { action: 'seek'; to: number } | { action: 'rate'; rate: number }

/** Maximum lead of a seek, in seconds. */
const MAX_LEAD_SECONDS = 10

/**
 * Step that synchronizes the video with the clock: a seek from a drift of one second on, else a playback rate. All in
 * seconds. `leadSeconds`: how far ahead a seek aims to arrive in time.
 */
export function findSyncStep(videoSeconds: number, targetSeconds: number, leadSeconds = 0): SyncStep {
  const driftSeconds = videoSeconds - targetSeconds
  if (Math.abs(driftSeconds) >= SEEK_THRESHOLD_SECONDS) return { action: 'seek', to: targetSeconds + leadSeconds }
  if (Math.abs(driftSeconds) <= IN_SYNC_SECONDS) return { action: 'rate', rate: 1 }
  return { action: 'rate', rate: driftSeconds > 0 ? 1 - RATE_CORRECTION : 1 + RATE_CORRECTION }
}

/**
 * Lead of the next seek, from the last lead and where it arrived: a device that takes two seconds to seek would
 * otherwise always lag by two seconds.
 */
export const nextLead = (leadSeconds: number, videoSeconds: number, targetSeconds: number): number =>
  Math.min(Math.max(leadSeconds + targetSeconds - videoSeconds, 0), MAX_LEAD_SECONDS)

/**
 * Splits events into those due at a position and the rest, both in order. Pass `left` to the next call so that no event
 * is due twice.
 */
export function splitDue(events: readonly RoomEvent[], positionMs: number): { due: RoomEvent[]; left: RoomEvent[] } {
  const first = events.findIndex(({ offsetMs }) => offsetMs > positionMs)
  return first < 0 ? { due: [...events], left: [] } : { due: events.slice(0, first), left: events.slice(first) }
}

/** Parses `1:02:03.250`, `62:03`, `3723.25` and `3723,25` to milliseconds; null if invalid. */
export function parseOffset(cell: string): number | null {
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})(?:[.,](\d{1,3}))?$/.exec(cell)
  if (!match) return null
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  const wholeSeconds = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const ms = wholeSeconds * 1000 + Number(fraction.padEnd(3, '0'))
  return ms <= MAX_OFFSET_MS ? ms : null
}

/** Formats an offset: `1:02:03`, with milliseconds if any. */
export function formatScriptOffset(ms: number): string {
  const clock = formatLongClock(ms / 1000)
  return ms % 1000 === 0 ? clock : `${clock}.${String(ms % 1000).padStart(3, '0')}`
}
