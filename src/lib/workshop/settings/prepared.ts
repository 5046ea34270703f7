import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { file } from '#lib/storage/table.ts'
import type { WorkshopSettings } from '../schema.ts'
import { workshop } from '../table.ts'
import { type PreparedItemsByKind, readItems } from './item.ts'
import { type EventStaff, readEventStaff } from './staff.ts'

export interface PreparedEvent {
  items: PreparedItemsByKind
  /** The PDF, unless it is deleted. */
  slides: { id: string; name: string; mime: string } | null
  settings: WorkshopSettings
  /** In assigned order; a person may have several roles. */
  staff: EventStaff[]
}

/**
 * Everything prepared for an event, for the modules that run it; the caller has checked the permission. Refuses with
 * not_found.
 */
export async function readPreparedEvent(tx: Tx, workshopId: string): Promise<PreparedEvent> {
  const [found] = await tx
    .select({ settings: workshop.settings, slides: { id: file.id, name: file.name, mime: file.mime } })
    .from(workshop)
    .leftJoin(
      file,
      and(eq(file.tenantId, workshop.tenantId), eq(file.id, workshop.slidesFileId), isNull(file.deletedAt)),
    )
    .where(and(eq(workshop.id, workshopId), isNull(workshop.deletedAt)))
  if (!found) throw new Refusal('not_found')
  return { ...found, items: await readItems(tx, workshopId), staff: await readEventStaff(tx, workshopId) }
}
