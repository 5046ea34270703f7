import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { notifyManagers } from '#lib/notification/notify-school-team.ts'
import { workshopStaff } from '#lib/workshop/table.ts'
import type { AutoPlan } from '../plan.ts'

/**
 * Notifies the managers of the school and the hosts that a session has no video that can be played; once for a session
 * before its start, and once after it.
 */
export async function notifyVideoProblem(
  tx: Tx,
  { id, startAt }: { id: string; startAt: Date | null },
  { workshopId, title }: Pick<AutoPlan, 'workshopId' | 'title'>,
  now = new Date(),
): Promise<void> {
  const hosts = await tx
    .select({ memberId: workshopStaff.memberId })
    .from(workshopStaff)
    .where(and(eq(workshopStaff.workshopId, workshopId), eq(workshopStaff.role, 'host')))
  const isDue = startAt !== null && startAt <= now
  await notifyManagers(tx, {
    kind: 'auto_video_missing',
    key: `auto_video/${id}/${isDue ? 'start' : 'before'}`,
    memberIds: hosts.map(({ memberId }) => memberId),
    data: { subject: title, ...(startAt && { at: startAt.toISOString() }) },
    link: `/workshops/auto-webinar/${workshopId}?tab=schedule#video`,
  })
}
