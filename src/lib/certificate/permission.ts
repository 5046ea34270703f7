import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { isAssigned, requireAllowed, requireLearningPlan } from '#lib/course/permission.ts'
import { course } from '#lib/course/table.ts'
import { canClaimCertificate, canManageCertificates, canSeeCertificates } from './rules.ts'

/** Refuses with forbidden, or with plan_inactive when the learning plan has expired. */
export function requireCertificateManager(actor: Actor): void {
  requireAllowed(canManageCertificates(actor))
  requireLearningPlan(actor)
}

/**
 * Refuses with forbidden an actor who may not see the certificates of a course, and with not_found an unknown course.
 */
export async function requireCertificateViewer(tx: Tx, actor: Actor, courseId: string): Promise<void> {
  requireAllowed(canSeeCertificates(actor, await isAssigned(tx, actor, courseId)))
  await requireCourseTitle(tx, courseId)
}

/** The title of a course. Refuses with not_found. */
export async function requireCourseTitle(tx: Tx, courseId: string): Promise<string> {
  const [row] = await tx.select({ title: course.title }).from(course).where(eq(course.id, courseId))
  if (!row) throw new Refusal('not_found')
  return row.title
}

/** Refuses with forbidden an actor who is not a student. */
export function requireClaimant(actor: Actor): void {
  requireAllowed(canClaimCertificate(actor))
}
