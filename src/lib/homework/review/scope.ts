import { and, eq, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { courseStaff } from '#lib/course/table.ts'
import { isActingAs } from '#lib/team/deputy.ts'
import type { QueueScope } from './queue-sql.ts'
import { canReview } from './rules.ts'
import type { QueueFilter } from './schema.ts'

/** Refuses with forbidden an actor who never reviews. A curator without courses sees an empty queue. */
export function requireQueueAccess(actor: Actor): void {
  const verdict = canReview(actor, true)
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

/** As requireQueueAccess, for changes: refuses with plan_inactive when the tenant's plan for learning has expired. */
export function requireReviewing(actor: Actor): void {
  requireQueueAccess(actor)
  requirePlan(actor, 'lms')
}

/**
 * The courses whose submissions the actor is responsible for, also as the deputy of a member on vacation; null: all.
 * Queries the database for curators only.
 */
export async function loadScope(tx: Tx, actor: Actor): Promise<QueueScope> {
  if (canReview(actor, false).allow) return null
  const rows = await tx
    .selectDistinct({ courseId: courseStaff.courseId })
    .from(courseStaff)
    .where(and(eq(courseStaff.tenantId, actor.tenantId), isActingAs(courseStaff.memberId, actor.membershipId)))
  return rows.map(({ courseId }) => courseId)
}

/** Refuses with not_found a filter by a row that does not exist in the tenant or in the actor's courses. */
export async function requireFilterInScope(tx: Tx, scope: QueueScope, filter: Partial<QueueFilter>): Promise<void> {
  const { courseId = null, lessonId = null, groupId = null, studentId = null, curator } = filter
  const member = curator && curator !== 'none' ? curator : null
  if (!courseId && !lessonId && !groupId && !studentId && !member) return
  const isInTenant = (id: string | null, table: string) =>
    sql`(${id}::uuid is null or exists (select 1 from ${sql.identifier(table)} where tenant_id = current_tenant() and id = ${id}))`
  const { rows } = await tx.execute<{ known: boolean }>(sql`select ${isInTenant(courseId, 'course')}
    and ${isInTenant(lessonId, 'lesson')} and ${isInTenant(groupId, 'study_group')} and ${isInTenant(studentId, 'membership')}
    and ${isInTenant(member, 'membership')} as known`)
  if (!rows[0]?.known || (courseId && !isWithin(scope, courseId))) throw new Refusal('not_found')
}

/** Whether a submission of this course is within a scope. */
export const isWithin = (scope: QueueScope, courseId: string): boolean => scope === null || scope.includes(courseId)
