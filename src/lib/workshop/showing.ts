import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { emptyRoom } from './state-rules.ts'
import { workshop, workshopSession } from './table.ts'

/**
 * The session of an auto-webinar's showing that begins at an instant, made when it is missing; two at once make one.
 * `made` says that it was. Refuses with not_found for what is no auto-webinar.
 */
export async function openShowing(
  tx: Tx,
  workshopId: string,
  { startAt, minutes }: { startAt: Date; minutes: number },
): Promise<{ sessionId: string; made: boolean }> {
  const { tenantId, settings, slidesFileId } = workshop
  const [of] = await tx
    .select({ tenantId, settings, slidesFileId })
    .from(workshop)
    .where(and(eq(workshop.id, workshopId), eq(workshop.type, 'autoWebinar')))
  if (!of) throw new Refusal('not_found')
  const facts = {
    tenantId: of.tenantId,
    id: newId(),
    workshopId,
    kind: 'auto' as const,
    startAt,
    plannedMinutes: minutes,
  }
  const [made] = await tx
    .insert(workshopSession)
    .values({ ...facts, state: emptyRoom(of.settings.chat, of.slidesFileId) })
    .onConflictDoNothing({
      target: [workshopSession.tenantId, workshopSession.workshopId, workshopSession.startAt],
      where: sql`kind = 'auto'`,
    })
    .returning({ sessionId: workshopSession.id })
  if (made) return { ...made, made: true }
  const [there] = await tx
    .select({ sessionId: workshopSession.id })
    .from(workshopSession)
    .where(
      and(
        eq(workshopSession.workshopId, workshopId),
        eq(workshopSession.kind, 'auto'),
        eq(workshopSession.startAt, startAt),
      ),
    )
  if (!there) throw new Refusal('not_found')
  return { ...there, made: false }
}
