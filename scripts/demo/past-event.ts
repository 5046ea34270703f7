import { eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addDays } from '#lib/core/shared/time-zone.ts'
import { projectChat } from '#lib/meeting/chat/projection.ts'
import { CreateWorkshop } from '#lib/workshop/schema.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { createWorkshop } from '#lib/workshop/settings/create.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { CROWD, SAYINGS } from './crowd.ts'

type Dated = NewEvent & { at: Date }

const MINUTES = 62
const ZONE = 'Europe/Kyiv'

/** A webinar that took place nine days ago, with its statistics, chat and buttons. */
export async function recallWebinar(owner: Actor, host: Actor): Promise<void> {
  const { workshopId, sessionId } = await createWorkshop(
    owner,
    CreateWorkshop.parse({
      type: 'webinar',
      title: 'Як утримати увагу годину',
      timeZone: ZONE,
      plannedMinutes: 60,
      access: 'open',
      description: 'Розбираємо ефір по хвилинах: де слухачі йдуть, що їх повертає й коли показувати пропозицію.',
    }),
  )
  const content = { label: 'Записатися на курс зі знижкою', url: 'https://example.com/course', countdownSeconds: 900 }
  const { itemId } = await addItem(owner, { workshopId, kind: 'button', content })
  const start = eveningAgo(9)
  const ref = { tenantId: owner.tenantId, id: sessionId ?? '' }
  await inTenant(ref, async (tx) => {
    await tx
      .update(workshop)
      .set({ startAt: start, publication: 'published', publishedAt: addDays(start, -14, ZONE) })
      .where(eq(workshop.id, workshopId))
    await tx.update(workshopSession).set({ startAt: start }).where(eq(workshopSession.id, ref.id))
    const people = CROWD.map((name) => ({ id: newId(), name }))
    const hostId = newId()
    const of = { tenantId: ref.tenantId, sessionId: ref.id, workshopId, joinedAt: start }
    const hostName = `${host.firstName} ${host.lastName}`
    await tx
      .insert(workshopParticipant)
      .values([
        { ...of, id: hostId, kind: 'staff', role: 'host', name: hostName, memberId: host.membershipId },
        ...people.map(({ id, name }) => ({ ...of, id, kind: 'guest' as const, role: 'viewer' as const, name })),
      ])
    const log = logOf({ start, people, host: { id: hostId, name: hostName }, buttonId: itemId, content })
    const { events } = await appendEvents(tx, ref, log)
    await projectChat(tx, ref, events)
    await tx.execute(sql`update workshop set created_at = ${addDays(start, -20, ZONE)}, updated_at = ${start}
      where tenant_id = current_tenant() and id = ${workshopId}`)
  })
}

interface Evening {
  start: Date
  people: { id: string; name: string }[]
  host: { id: string; name: string }
  buttonId: string
  content: { label: string; url: string; countdownSeconds: number }
}

/**
 * The times at which viewers joined and left, and their messages and clicks: derived from their indexes, so that they
 * are deterministic.
 */
function logOf({ start, people, host, buttonId, content }: Evening): Dated[] {
  const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
  const events: Dated[] = [
    { at: at(0), type: 'webinar.start', actorId: host.id, payload: {} },
    { at: at(1), type: 'presentation.change', actorId: host.id, payload: { mode: 'presentationAndBroadcast' } },
    { at: at(41), type: 'button.show', actorId: host.id, payload: { buttonId, content } },
    { at: at(56), type: 'button.hide', actorId: host.id, payload: { buttonId } },
    { at: at(MINUTES), type: 'webinar.finish', actorId: host.id, payload: {} },
  ]
  for (const [place, { id, name }] of people.entries()) {
    const comes = place < 12 ? -4 + place / 4 : (place * 7) % 26
    const goes = place % 5 === 0 ? comes + 9 + (place % 17) : place % 7 === 0 ? 43 + (place % 6) : MINUTES + 1
    const device = place % 3 === 0 ? ('phone' as const) : ('desktop' as const)
    events.push({ at: at(comes), type: 'user.connect', actorId: id, payload: { device } })
    if (goes < MINUTES) events.push({ at: at(goes), type: 'user.leave', actorId: id, payload: {} })
    if (goes > 41) events.push({ at: at(41.1), type: 'user.sawButton', actorId: id, payload: { buttonId } })
    if (goes > 44 && place % 4 === 1)
      events.push({ at: at(42 + (place % 8)), type: 'user.click', actorId: id, payload: { buttonId } })
    if (place % 6 === 2 && goes > 30) {
      events.push({ at: at(22), type: 'window.change', actorId: id, payload: { visible: false } })
      events.push({ at: at(27), type: 'window.change', actorId: id, payload: { visible: true } })
    }
    const message = SAYINGS[place]
    if (!message || comes + 2 > goes) continue
    const type = message.endsWith('?') ? ('question' as const) : ('message' as const)
    const author = { name, role: 'viewer' as const }
    events.push({
      at: at(comes + 2 + (place % 9)),
      type,
      actorId: id,
      payload: { messageId: newId(), author, text: message },
    })
  }
  return events.sort((a, b) => a.at.getTime() - b.at.getTime())
}

// Seven in the evening, a number of days ago.
function eveningAgo(days: number): Date {
  const day = addDays(new Date(), -days, ZONE).toISOString().slice(0, 10)
  return new Date(`${day}T17:00:00Z`)
}
