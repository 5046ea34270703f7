import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { WorkshopSettings } from '../schema.ts'
import { initialRoomState } from '../session/state-rules.ts'
import { workshop, workshopSession } from '../table.ts'

interface UnlistedEvent {
  tenantId: string
  title: string
  startAt: Date
  plannedMinutes: number
  timeZone: string
  language: Locale
  createdBy: string
}

/**
 * Creates an event that is in no list, has no address and does not count towards the plan: the room of a session with a
 * mentor. It is not recorded, unless `setUnlistedRecording` changes that. The caller decides who gets a seat in it.
 */
export async function insertUnlistedEvent(tx: Tx, event: UnlistedEvent): Promise<{ workshopId: string }> {
  const workshopId = newId()
  // In a conversation of two, both send links.
  const defaults = WorkshopSettings.parse({})
  const settings = { ...defaults, record: false, chat: { ...defaults.chat, links: 'all' as const } }
  await tx.insert(workshop).values({
    ...event,
    id: workshopId,
    type: 'webinar',
    publication: 'published',
    access: 'link',
    settings,
    deletedAt: new Date(),
  })
  await tx.insert(workshopSession).values({
    tenantId: event.tenantId,
    id: newId(),
    workshopId,
    startAt: event.startAt,
    plannedMinutes: event.plannedMinutes,
    kind: 'live',
    state: initialRoomState(settings.chat, null),
  })
  return { workshopId }
}

/** Sets whether an unlisted event is recorded. Returns whether that has changed. */
export async function setUnlistedRecording(tx: Tx, workshopId: string, isOn: boolean): Promise<boolean> {
  const changed = await tx
    .update(workshop)
    .set({ settings: sql`jsonb_set(${workshop.settings}, '{record}', ${JSON.stringify(isOn)}::jsonb)` })
    .where(
      and(
        eq(workshop.id, workshopId),
        sql`(${workshop.settings} -> 'record') is distinct from ${JSON.stringify(isOn)}::jsonb`,
      ),
    )
    .returning({ id: workshop.id })
  return changed.length > 0
}
