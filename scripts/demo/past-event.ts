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

const ZONE = 'Europe/Kyiv'

export interface PastWebinar {
  title: string
  description: string
  daysAgo: number
  minutes: number
  /** The minutes at which its button was shown and hidden. */
  button: { label: string; shown: number; hidden: number }
  viewers: readonly string[]
}

export const PAST_WEBINAR: PastWebinar = {
  title: 'Як утримати увагу годину',
  description: 'Розбираємо ефір по хвилинах: де слухачі йдуть, що їх повертає й коли показувати пропозицію.',
  daysAgo: 9,
  minutes: 62,
  button: { label: 'Записатися на курс зі знижкою', shown: 41, hidden: 56 },
  viewers: CROWD,
}

export const EARLIER_WEBINAR: PastWebinar = {
  title: 'Перші п’ять хвилин ефіру',
  description: 'Що сказати, поки глядачі заходять, і як не втратити тих, хто прийшов вчасно.',
  daysAgo: 30,
  minutes: 47,
  button: { label: 'Переглянути програму курсу', shown: 30, hidden: 42 },
  viewers: CROWD.slice(0, 27),
}

/** A webinar that took place, with its statistics, chat and button. */
export async function recallWebinar(owner: Actor, host: Actor, event: PastWebinar): Promise<{ workshopId: string }> {
  const { title, description, minutes, button } = event
  const { workshopId, sessionId } = await createWorkshop(
    owner,
    CreateWorkshop.parse({
      type: 'webinar',
      title,
      timeZone: ZONE,
      plannedMinutes: Math.floor(minutes / 15) * 15,
      access: 'open',
      description,
    }),
  )
  const content = { label: button.label, url: 'https://example.com/course', countdownSeconds: 900 }
  const { itemId } = await addItem(owner, { workshopId, kind: 'button', content })
  const start = eveningAgo(event.daysAgo)
  const ref = { tenantId: owner.tenantId, id: sessionId ?? '' }
  await inTenant(ref, async (tx) => {
    await tx
      .update(workshop)
      .set({ startAt: start, publication: 'published', publishedAt: addDays(start, -14, ZONE) })
      .where(eq(workshop.id, workshopId))
    await tx.update(workshopSession).set({ startAt: start }).where(eq(workshopSession.id, ref.id))
    const people = event.viewers.map((name) => ({ id: newId(), name }))
    const hostId = newId()
    const shared = { tenantId: ref.tenantId, sessionId: ref.id, workshopId, joinedAt: start }
    const hostName = `${host.firstName} ${host.lastName}`
    await tx
      .insert(workshopParticipant)
      .values([
        { ...shared, id: hostId, kind: 'staff', role: 'host', name: hostName, memberId: host.membershipId },
        ...people.map(({ id, name }) => ({ ...shared, id, kind: 'guest' as const, role: 'viewer' as const, name })),
      ])
    const log = logOf({
      start,
      minutes,
      button,
      people,
      host: { id: hostId, name: hostName },
      buttonId: itemId,
      content,
    })
    const { events } = await appendEvents(tx, ref, log)
    await projectChat(tx, ref, events)
    await tx.execute(sql`update workshop set created_at = ${addDays(start, -20, ZONE)}, updated_at = ${start}
      where tenant_id = current_tenant() and id = ${workshopId}`)
  })
  return { workshopId }
}

interface Evening extends Pick<PastWebinar, 'minutes' | 'button'> {
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
function logOf({ start, minutes, button, people, host, buttonId, content }: Evening): Dated[] {
  const at = (minute: number) => new Date(start.getTime() + minute * 60_000)
  const events: Dated[] = [
    { at: at(0), type: 'webinar.start', actorId: host.id, payload: {} },
    { at: at(1), type: 'presentation.change', actorId: host.id, payload: { mode: 'presentationAndBroadcast' } },
    { at: at(button.shown), type: 'button.show', actorId: host.id, payload: { buttonId, content } },
    { at: at(button.hidden), type: 'button.hide', actorId: host.id, payload: { buttonId } },
    { at: at(minutes), type: 'webinar.finish', actorId: host.id, payload: {} },
  ]
  for (const [place, { id, name }] of people.entries()) {
    const comes = place < 12 ? -4 + place / 4 : (place * 7) % 26
    const goes =
      place % 5 === 0 ? comes + 9 + (place % 17) : place % 7 === 0 ? button.shown + 2 + (place % 6) : minutes + 1
    const device = place % 3 === 0 ? ('phone' as const) : ('desktop' as const)
    events.push({ at: at(comes), type: 'user.connect', actorId: id, payload: { device } })
    if (goes < minutes) events.push({ at: at(goes), type: 'user.leave', actorId: id, payload: {} })
    if (goes > button.shown)
      events.push({ at: at(button.shown + 0.1), type: 'user.sawButton', actorId: id, payload: { buttonId } })
    if (goes > button.shown + 3 && place % 4 === 1)
      events.push({ at: at(button.shown + 1 + (place % 8)), type: 'user.click', actorId: id, payload: { buttonId } })
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
