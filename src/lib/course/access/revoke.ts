import { and, count, desc, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { isEnrolled } from '../learning/enrolled.ts'
import { accessChange, accessGrant } from '../learning/table.ts'
import { lockCourse } from '../outline/lesson-counts.ts'
import type { GrantAccess } from '../schema.ts'
import { changeAccess } from './change-access.ts'
import { requireStudentAccount, requireStudentManager } from './grants.ts'

/**
 * `changeId` is the input of undoAccess; null when neither this call nor an earlier one of the actor revoked anything.
 */
export interface RevokedAccess {
  revoked: number
  changeId: string | null
}

/**
 * Revokes all current grants of a student in a course; progress is kept. The change is listed and can be undone. A
 * repeated call changes nothing and returns the first change, so that it can be undone after a double click too.
 * Refuses with forbidden, plan_inactive, not_found.
 */
export async function revokeAccess(actor: Actor, input: GrantAccess): Promise<RevokedAccess> {
  const { courseId, studentId } = input
  return inTenant(actor, async (tx) => {
    await requireStudentManager(tx, actor, courseId)
    await lockCourse(tx, courseId)
    await requireStudentAccount(tx, studentId)
    const [{ revoked = 0 } = {}] = await tx
      .select({ revoked: count() })
      .from(accessGrant)
      .where(and(eq(accessGrant.courseId, courseId), eq(accessGrant.studentId, studentId), isEnrolled))
    if (revoked === 0) return { revoked, changeId: await lastRevocation(tx, actor, { courseId, studentId }) }
    const { changeId } = await changeAccess(actor, {
      courseId,
      target: { studentIds: [studentId] },
      change: { action: 'revoke' },
      note: '',
    })
    return { revoked, changeId }
  })
}

async function lastRevocation(tx: Tx, actor: Actor, { courseId, studentId }: GrantAccess): Promise<string | null> {
  const [changeRow] = await tx
    .select({ changeId: accessChange.id })
    .from(accessChange)
    .where(
      and(
        eq(accessChange.courseId, courseId),
        eq(accessChange.by, actor.membershipId),
        isNull(accessChange.undoneAt),
        sql`${accessChange.requestedChange} #>> '{change,action}' = 'revoke'`,
        sql`${accessChange.requestedChange} #> '{target,studentIds}' @> ${JSON.stringify([studentId])}::jsonb`,
      ),
    )
    .orderBy(desc(accessChange.at), desc(accessChange.id))
    .limit(1)
  return changeRow?.changeId ?? null
}
