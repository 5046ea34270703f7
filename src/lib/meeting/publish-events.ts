import type { Tx } from '#lib/core/db/db.ts'
import { publish } from '#lib/core/live/live.ts'
import { type Appended, appendEvents } from '#lib/workshop/session/event-log.ts'
import type { NewEvent, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { withoutAnswer } from '#lib/workshop/session/quiz-rules.ts'
import type { SeatRef } from './admission/seat.ts'
import { projectChat } from './chat/projection.ts'
import { personChannel, QUIET, roomChannel, staffChannel } from './room-rules.ts'

export type SessionOf = Pick<SeatRef, 'tenantId' | 'sessionId'>

/**
 * Appends to the log of a session and tells those of the room who may know, in the surrounding transaction of the school;
 * best as its last statement (see publish). Refuses with not_found.
 */
export async function appendAndSay(
  tx: Tx,
  { tenantId, sessionId }: SessionOf,
  news: readonly (NewEvent & { at?: Date })[],
  now?: Date,
): Promise<Appended> {
  const appended = await appendEvents(tx, { tenantId, id: sessionId }, news, now)
  await projectChat(tx, { tenantId, id: sessionId }, appended.events)
  await sayAppended(sessionId, news, appended)
  return appended
}

/** Tells the room what was appended, in the order of the log. */
export async function sayAppended(sessionId: string, news: readonly NewEvent[], { of }: Appended): Promise<void> {
  for (const { channels, events } of runsOf(sessionId, news, of))
    for (const channel of channels) await publish(channel, { events })
}

interface Run {
  channels: string[]
  events: RoomEvent[]
}

// Whoever hears several channels gets them in the order of the log too, so neighbours for the same ears go together.
function runsOf(sessionId: string, news: readonly NewEvent[], of: readonly (RoomEvent | null)[]): Run[] {
  const runs: Run[] = []
  for (const [index, event] of of.entries()) {
    if (!event || QUIET.has(event.type)) continue
    // Staff hear the room too: what came to them first, whole, is what they keep of an event.
    const told = event.audience === 'all' ? withoutAnswer(event) : event
    if (told !== event) add(runs, [staffChannel(sessionId)], event)
    add(runs, channelsOf(sessionId, event, news[index]?.personId ?? null), told)
  }
  return runs
}

function add(runs: Run[], channels: string[], event: RoomEvent): void {
  const last = runs.at(-1)
  if (last && last.channels.join() === channels.join()) last.events.push(event)
  else runs.push({ channels, events: [event] })
}

function channelsOf(sessionId: string, { audience }: RoomEvent, personId: string | null): string[] {
  if (audience === 'all') return [roomChannel(sessionId)]
  const staff = staffChannel(sessionId)
  return audience === 'person' && personId ? [personChannel(personId), staff] : [staff]
}
