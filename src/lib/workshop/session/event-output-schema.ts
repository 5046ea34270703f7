import { z } from 'zod'
import { AUDIENCES, EVENT_TYPES, type EventType } from '#lib/core/shared/event/live-event.ts'
import { EVENT_PAYLOADS, type RoomEvent as RoomEventType } from './event-schema.ts'

/**
 * A union with one object per event type: its payload together with the given fields.
 *
 * @param types the event types of the union
 * @param fields the other fields of each object
 */
export function eventUnion(types: readonly EventType[], fields: z.ZodRawShape): z.ZodType {
  return z.union(types.map((type) => z.object({ ...fields, type: z.literal(type), payload: EVENT_PAYLOADS[type] })))
}

/** A log entry as modules and the browser see it. */
export const RoomEvent = eventUnion(EVENT_TYPES, {
  seq: z.number(),
  at: z.number(),
  offsetMs: z.number(),
  actorId: z.string().nullable(),
  audience: z.enum(AUDIENCES),
}) as z.ZodType<RoomEventType, RoomEventType>
