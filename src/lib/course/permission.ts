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
export function must(verdict: Verdict): void {
  if (!verdict.allow) throw new Refusal('forbidden', { data: { because: verdict.because } })
}

/** Refuses whoever may not read courses as staff. */
export function mustSee(actor: Actor): void {
  must(canSeeCourse(actor))
}

/** Refuses whoever may not write courses, and everybody while the school's plan for learning has lapsed. */
export function mustEdit(actor: Actor): void {
  must(canEditCourse(actor))
  mustWritePlan(actor)
}

/** A lapsed plan leaves everything readable and nothing writable for staff. */
export function mustWritePlan(actor: Actor): void {
  requirePlan(actor, 'lms')
}

export function mustStudy(actor: Actor): void {
  must(canStudy(actor))
}

/** Whether the actor stands in the course's staff. Asks the database only for curators: the rest need no assignment. */
export async function isAssigned(tx: Tx, actor: Actor, courseId: string): Promise<boolean> {
  if (!hasRole(actor, ['CURATOR'])) return false
  const [row] = await tx
    .select({ role: courseStaff.role })
    .from(courseStaff)
    .where(and(eq(courseStaff.courseId, courseId), eq(courseStaff.memberId, actor.membershipId)))
    .limit(1)
  return row !== undefined
}
