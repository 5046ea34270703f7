import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canInviteStudents } from '#lib/student/rules.ts'
import { inviteStudent } from '#lib/student/student.ts'
import { isAssigned, requireAllowed, requireLearningPlan } from '../permission.ts'
import type { InviteToCourse } from '../schema.ts'
import { course } from '../table.ts'
import { addGrant } from './grants.ts'

/**
 * Sends an invitation to the school by email and gives access to the course, in one transaction. The course may still
 * be a draft; the student can open it after its publication. An archived course accepts no new students: unprocessable.
 * Refuses with forbidden, plan_inactive, not_found, or as inviteStudent.
 */
export async function inviteToCourse(actor: Actor, input: InviteToCourse): Promise<{ studentId: string }> {
  const { courseId, email, name } = input
  return inTenant(actor, async (tx) => {
    const isAssignedToCourse = await isAssigned(tx, actor, courseId)
    requireAllowed(canInviteStudents(actor, isAssignedToCourse))
    requireLearningPlan(actor)
    const [courseRow] = await tx
      .select({ title: course.title, status: course.status })
      .from(course)
      .where(eq(course.id, courseId))
    if (!courseRow) throw new Refusal('not_found')
    if (courseRow.status === 'archived') throw formRefusal('course_archived')
    const invited = await inviteStudent(actor, {
      email,
      name,
      course: { title: courseRow.title, assigned: isAssignedToCourse },
    })
    const { studentId, invitationId } = invited
    await addGrant(tx, actor, { courseId, studentId, source: { type: 'invite', id: invitationId } })
    return { studentId }
  })
}
