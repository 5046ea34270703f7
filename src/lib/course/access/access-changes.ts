import { and, desc, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership, user } from '#lib/user/table.ts'
import { accessChange } from '../learning/table.ts'
import { isAssigned, requireAllowed } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import { course } from '../table.ts'
import type { AccessActionName } from './schema.ts'

export interface AccessChangeItem {
  id: string
  action: AccessActionName
  students: number
  note: string
  by: string
  at: Date
  undoneAt: Date | null
}

const MAX_CHANGES = 30

/** The latest changes of access in a course with their authors, newest first. Refuses with forbidden, not_found. */
export async function listAccessChanges(actor: Actor, input: { courseId: string }): Promise<AccessChangeItem[]> {
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    requireAllowed(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const [courseRow] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
    if (!courseRow) throw new Refusal('not_found')
    const rows = await tx
      .select({
        id: accessChange.id,
        requestedChange: accessChange.requestedChange,
        at: accessChange.at,
        undoneAt: accessChange.undoneAt,
        firstName: user.firstName,
        lastName: user.lastName,
        email: user.email,
      })
      .from(accessChange)
      .innerJoin(membership, and(eq(membership.tenantId, accessChange.tenantId), eq(membership.id, accessChange.by)))
      .innerJoin(user, eq(user.id, membership.userId))
      .where(eq(accessChange.courseId, courseId))
      .orderBy(desc(accessChange.at), desc(accessChange.id))
      .limit(MAX_CHANGES)
    return rows.map(({ requestedChange: request, firstName, lastName, email, ...row }) => ({
      ...row,
      action: request.change.action,
      students: request.students,
      note: request.note,
      by: `${firstName} ${lastName}`.trim() || email,
    }))
  })
}
