import { and, eq } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { canEditCourse, canSeeCourse, canStudy } from './rules.ts'
import { courseStaff } from './table.ts'

/** Refuses with forbidden unless the verdict allows. */
export function requireAllowed(verdict: Verdict): void {
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

/** Refuses with forbidden unless the actor may read courses as a member of staff. */
export function requireCourseViewer(actor: Actor): void {
  requireAllowed(canSeeCourse(actor))
}

/**
 * Refuses with forbidden unless the actor may edit courses, and with plan_inactive when the tenant's learning plan has
 * expired.
 */
export function requireCourseEditor(actor: Actor): void {
  requireAllowed(canEditCourse(actor))
  requireLearningPlan(actor)
}

/** Refuses with plan_inactive. With an expired plan, staff can read everything and write nothing. */
export function requireLearningPlan(actor: Actor): void {
  requirePlan(actor, 'lms')
}

export function requireStudent(actor: Actor): void {
  requireAllowed(canStudy(actor))
}

/**
 * Whether the actor is assigned to the course. Only curators are looked up in the database: the other roles need no
 * assignment.
 */
export async function isAssigned(tx: Tx, actor: Actor, courseId: string): Promise<boolean> {
  if (!hasRole(actor, ['CURATOR'])) return false
  const [row] = await tx
    .select({ role: courseStaff.role })
    .from(courseStaff)
    .where(and(eq(courseStaff.courseId, courseId), eq(courseStaff.memberId, actor.membershipId)))
    .limit(1)
  return row !== undefined
}
