import { and, asc, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { studyGroup } from '#lib/course/learning/table.ts'
import { requireLearningPlan } from '#lib/course/permission.ts'
import { membership, user } from '#lib/user/table.ts'
import { lockQuiz } from './lock-quiz.ts'
import { requireReviewer } from './permission.ts'
import type { OverrideId, SetOverride } from './schema.ts'
import { quizOverride } from './table.ts'

export interface OverrideView {
  id: string
  studentId: string | null
  groupId: string | null
  /** Name of the student or group. */
  name: string
  openAt: Date | null
  closeAt: Date | null
  timeLimitSec: number | null
  extraAttempts: number
  extraTimeSec: number
}

/**
 * Sets the exception of a student or group, replacing an earlier one. Refuses with forbidden, plan_inactive, not_found
 * (test, student, group).
 */
export async function setOverride(actor: Actor, values: SetOverride): Promise<{ overrideId: string }> {
  requireLearningPlan(actor)
  return inTenant(actor, async (tx) => {
    await requireReviewer(tx, actor, values.quizId)
    const { courseId } = await lockQuiz(tx, values.quizId)
    await requireTarget(tx, values, courseId)
    const columns = {
      ...values,
      openAt: values.openAt === null ? null : new Date(values.openAt),
      closeAt: values.closeAt === null ? null : new Date(values.closeAt),
      by: actor.membershipId,
      at: new Date(),
    }
    const [row] = await tx
      .insert(quizOverride)
      .values({ tenantId: actor.tenantId, ...columns })
      .onConflictDoUpdate({
        target: [quizOverride.tenantId, quizOverride.quizId, quizOverride.studentId, quizOverride.groupId],
        set: columns,
      })
      .returning({ id: quizOverride.id })
    if (!row) throw new Error('an override that was written is not there')
    return { overrideId: row.id }
  })
}

/** Removes an exception; a second call does nothing. Refuses with forbidden, not_found (test). */
export async function removeOverride(
  actor: Actor,
  { quizId, overrideId }: OverrideId,
): Promise<{ overrideId: string }> {
  requireLearningPlan(actor)
  return inTenant(actor, async (tx) => {
    await requireReviewer(tx, actor, quizId)
    await tx.delete(quizOverride).where(and(eq(quizOverride.id, overrideId), eq(quizOverride.quizId, quizId)))
    return { overrideId }
  })
}

/** The exceptions of a test by name. The caller has checked the permission. */
export function listOverrides(tx: Tx, quizId: string): Promise<OverrideView[]> {
  return tx
    .select({
      id: quizOverride.id,
      studentId: quizOverride.studentId,
      groupId: quizOverride.groupId,
      name: sql<string>`coalesce(${studyGroup.name}, ${personName(user)})`,
      openAt: quizOverride.openAt,
      closeAt: quizOverride.closeAt,
      timeLimitSec: quizOverride.timeLimitSec,
      extraAttempts: quizOverride.extraAttempts,
      extraTimeSec: quizOverride.extraTimeSec,
    })
    .from(quizOverride)
    .leftJoin(studyGroup, and(eq(studyGroup.tenantId, quizOverride.tenantId), eq(studyGroup.id, quizOverride.groupId)))
    .leftJoin(
      membership,
      and(eq(membership.tenantId, quizOverride.tenantId), eq(membership.id, quizOverride.studentId)),
    )
    .leftJoin(user, eq(user.id, membership.userId))
    .where(eq(quizOverride.quizId, quizId))
    .orderBy(asc(quizOverride.groupId), asc(quizOverride.at))
}

async function requireTarget(
  tx: Tx,
  { studentId, groupId }: { studentId: string | null; groupId: string | null },
  courseId: string | null,
): Promise<void> {
  const [row] = studentId
    ? await tx
        .select({ id: membership.id })
        .from(membership)
        .where(and(eq(membership.id, studentId), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
    : await tx
        .select({ id: studyGroup.id })
        .from(studyGroup)
        .where(and(eq(studyGroup.id, groupId ?? ''), courseId ? eq(studyGroup.courseId, courseId) : sql`false`))
  if (!row) throw new Refusal('not_found')
}
