import { and, asc, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { studentView } from '../table.ts'
import { requireStudentAdministrator } from './list.ts'
import type { SaveView, ViewId } from './schema.ts'

const MAX_VIEWS = 30

export interface StudentView {
  id: string
  name: string
  /** The query of the list's URL, without `?`. */
  query: string
}

/** The views that the actor has saved, by name. Refuses with forbidden. */
export function listViews(actor: Actor): Promise<StudentView[]> {
  requireStudentAdministrator(actor)
  return inTenant(actor, (tx) =>
    tx
      .select({ id: studentView.id, name: studentView.name, query: studentView.query })
      .from(studentView)
      .where(eq(studentView.memberId, actor.membershipId))
      .orderBy(asc(studentView.name)),
  )
}

/**
 * Saves a view under a name, replacing the actor's view of the same name. Refuses with forbidden and, for more than 30,
 * unprocessable.
 */
export async function saveView(actor: Actor, input: SaveView): Promise<{ viewId: string }> {
  requireStudentAdministrator(actor)
  const { name, query } = input
  return inTenant(actor, async (tx) => {
    const [saved] = await tx
      .insert(studentView)
      .values({ tenantId: actor.tenantId, memberId: actor.membershipId, name, query })
      .onConflictDoUpdate({
        target: [studentView.tenantId, studentView.memberId, studentView.name],
        set: { query },
      })
      .returning({ viewId: studentView.id })
    const { rows } = await tx.execute<{ views: number }>(
      sql`select count(*)::int as views from student_view where member_id = ${actor.membershipId}`,
    )
    if (!saved || (rows[0]?.views ?? 0) > MAX_VIEWS)
      throw new Refusal('unprocessable', { fields: { name: ['too_many_views'] } })
    return saved
  })
}

/** Deletes a view of the actor. Refuses with forbidden, not_found. */
export async function deleteView(actor: Actor, input: ViewId): Promise<void> {
  requireStudentAdministrator(actor)
  const { viewId } = input
  const deleted = await inTenant(actor, (tx) =>
    tx
      .delete(studentView)
      .where(and(eq(studentView.id, viewId), eq(studentView.memberId, actor.membershipId)))
      .returning({ id: studentView.id }),
  )
  if (deleted.length === 0) throw new Refusal('not_found')
}
