import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { signSeatToken } from '#lib/meeting/admission/seat.ts'
import type { SendChatMessage } from '#lib/meeting/chat/schema.ts'
import { appendEvents, readEvents } from '#lib/workshop/session/event-log.ts'
import { ChatSettings, type NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { sendChatMessage } from '../parsed/meeting.ts'
import { createWorkshop } from '../parsed/workshop.ts'
import type { TestTenant } from '../tenants.ts'

export interface ChatRoom {
  tenantId: string
  /** The id of the session. */
  id: string
  workshopId: string
}

export interface TestParticipant {
  personId: string
  seatToken: string
  name: string
}

/** A running webinar with these chat settings. */
export async function createChatRoom(
  home: TestTenant,
  chat: Partial<ChatSettings> = {},
  more: { begun?: boolean; kind?: 'live' | 'rehearsal' | 'auto' } = {},
): Promise<ChatRoom> {
  const { workshopId, sessionId } = await createWorkshop(home.as.OWNER, {
    type: 'webinar',
    title: 'Ефір',
    timeZone: 'Europe/Kyiv',
    startAt: new Date().toISOString(),
  })
  // The plan allows a limited number of simultaneous events, and a test file needs more.
  await inTenant(home.as.OWNER, (tx) =>
    tx.update(workshop).set({ archivedAt: new Date() }).where(eq(workshop.id, workshopId)),
  )
  const room = { tenantId: home.tenant.id, id: sessionId ?? '', workshopId }
  await appendTestEvents(room, [
    { type: 'chat.change', payload: ChatSettings.parse(chat) },
    ...(more.begun === false ? [] : [{ type: 'webinar.start', payload: {} } as const]),
  ])
  if (more.kind)
    await inTenant(room, (tx) =>
      tx.update(workshopSession).set({ kind: more.kind }).where(eq(workshopSession.id, room.id)),
    )
  return room
}

export const appendTestEvents = (room: ChatRoom, events: NewEvent[], now = new Date()) =>
  inTenant(room, (tx) => appendEvents(tx, room, events, now))

/** Joins the room as a participant. */
export async function joinRoom(
  { tenantId, id: sessionId, workshopId }: ChatRoom,
  role: RoomRole,
  more: Partial<typeof workshopParticipant.$inferInsert> = {},
): Promise<TestParticipant> {
  const personId = newId()
  const name = more.name ?? `${role} ${personId.slice(-4)}`
  const kind = role === 'viewer' ? ('guest' as const) : ('staff' as const)
  await inTenant({ tenantId }, (tx) =>
    tx.insert(workshopParticipant).values({ tenantId, id: personId, sessionId, workshopId, kind, role, ...more, name }),
  )
  return { personId, name, seatToken: signSeatToken({ tenantId, sessionId, personId }) }
}

/** Sends a message as a participant; returns the response with the id of the message. */
export function sendTestMessage({ seatToken }: TestParticipant, text: string, more: Partial<SendChatMessage> = {}) {
  return sendChatMessage({ seatToken, messageId: newId(), text, ...more })
}

export const readRoomLog = (room: ChatRoom) => inTenant(room, (tx) => readEvents(tx, room.id, { reader: 'staff' }))
