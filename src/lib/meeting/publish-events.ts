import type { Tx } from '#lib/core/db/db.ts'
import { publish } from '#lib/core/live/live.ts'
import { type AppendedEvents, appendEvents } from '#lib/workshop/session/event-log.ts'
import type { NewEvent, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { hideEventAnswers } from '#lib/workshop/session/quiz-rules.ts'
import type { SeatRef } from './admission/seat.ts'
import { projectChat } from './chat/projection.ts'
import { personChannel, roomChannel, staffChannel, UNPUBLISHED_TYPES } from './room-rules.ts'

export type EventSessionRef = Pick<SeatRef, 'tenantId' | 'sessionId'>

/**
 * Appends to the event log of a session and publishes to everybody who may see the events, in the surrounding
 * transaction; preferably as its last statement (see publish). Refuses with not_found.
 */
export async function appendAndPublish(
  tx: Tx,
  { tenantId, sessionId }: EventSessionRef,
  newEvents: readonly (NewEvent & { at?: Date })[],
  now?: Date,
): Promise<AppendedEvents> {
  const appended = await appendEvents(tx, { tenantId, id: sessionId }, newEvents, now)
  await projectChat(tx, { tenantId, id: sessionId }, appended.events)
  await publishAppended(sessionId, newEvents, appended)
  return appended
}

/** Publishes appended events to the room in the order of the log. */
async function publishAppended(
  sessionId: string,
  newEvents: readonly NewEvent[],
  { byInput: eventByInput }: AppendedEvents,
): Promise<void> {
  for (const { channels, events } of groupByChannels(sessionId, newEvents, eventByInput))
    for (const channel of channels) await publish(channel, { events })
}

interface ChannelBatch {
  channels: string[]
  events: RoomEvent[]
}

// Subscribers of several channels must get events in the order of the log, so adjacent events for the same channels
// form one message.
function groupByChannels(
  sessionId: string,
  newEvents: readonly NewEvent[],
  entries: readonly (RoomEvent | null)[],
): ChannelBatch[] {
  const batches: ChannelBatch[] = []
  for (const [index, event] of entries.entries()) {
    if (!event || UNPUBLISHED_TYPES.has(event.type)) continue
    // Staff subscribe to the room too: they keep the first, complete version of an event.
    const viewerEvent = event.audience === 'all' ? hideEventAnswers(event) : event
    if (viewerEvent !== event) addToBatch(batches, [staffChannel(sessionId)], event)
    addToBatch(batches, findChannels(sessionId, event, newEvents[index]?.personId ?? null), viewerEvent)
  }
  return batches
}

function addToBatch(batches: ChannelBatch[], channels: string[], event: RoomEvent): void {
  const last = batches.at(-1)
  if (last && last.channels.join() === channels.join()) last.events.push(event)
  else batches.push({ channels, events: [event] })
}

function findChannels(sessionId: string, { audience }: RoomEvent, personId: string | null): string[] {
  if (audience === 'all') return [roomChannel(sessionId)]
  const staff = staffChannel(sessionId)
  return audience === 'person' && personId ? [personChannel(personId), staff] : [staff]
}
