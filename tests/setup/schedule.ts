import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { loadSchedule } from '#lib/schedule/schedule.ts'
import { ScheduleRequest } from '#lib/schedule/schema.ts'
import { createWorkshop } from './parsed/workshop.ts'

/** A published event with a time, without the checks before the publication. */
export async function createEvent(owner: Actor, title: string, startAt: Date): Promise<string> {
  const { workshopId } = await createWorkshop(owner, { type: 'webinar', title, timeZone: 'Europe/Kyiv' })
  await inTenant(owner, (tx) =>
    tx.execute(sql`update workshop set start_at = ${startAt.toISOString()}, publication = 'published',
      published_at = now(), updated_at = now() where tenant_id = current_tenant() and id = ${workshopId}`),
  )
  return workshopId
}

/** Kinds and titles of the items that an actor sees in a period, in order. */
export async function listTitles(
  actor: Actor,
  request: Record<string, string> = {},
  now = new Date(),
): Promise<string[]> {
  const { days } = await loadSchedule(actor, ScheduleRequest.parse(request), now)
  return days.flatMap(({ items }) => items.map(({ kind, title }) => `${kind} ${title}`))
}
