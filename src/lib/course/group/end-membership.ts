import { and, eq, sql } from 'drizzle-orm'
import type { AuditActor } from '#lib/audit/audit.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { recordStudentEntries } from '#lib/student/audit.ts'
import { endStreamsOfMembers } from '#lib/user/member.ts'
import { isEnrolled } from '../learning/enrolled.ts'
import { accessGrant, studyGroup } from '../learning/table.ts'
import { lockCourse } from '../outline/lesson-counts.ts'
import { course } from '../table.ts'

/**
 * Ends the membership of a student in a group, in the caller's transaction and without an actor whose permission is
 * checked; other grants stay. Returns false for a student who is not a member. Refuses with not_found.
 */
export async function endMembership(
  tx: Tx,
  actor: AuditActor,
  { courseId, groupId, studentId }: { courseId: string; groupId: string; studentId: string },
): Promise<boolean> {
  const { title } = await lockCourse(tx, courseId)
  const ended = await tx
    .update(accessGrant)
    .set({ revokedAt: new Date(), revokedReason: 'left_group' })
    .where(
      and(
        eq(accessGrant.courseId, courseId),
        eq(accessGrant.studentId, studentId),
        eq(accessGrant.sourceType, 'group'),
        eq(accessGrant.sourceId, groupId),
        isEnrolled,
      ),
    )
    .returning({ id: accessGrant.id })
  if (ended.length === 0) return false
  await endStreamsOfMembers(tx, [studentId])
  await tx
    .update(course)
    .set({ studentCount: sql`${course.studentCount} - 1` })
    .where(
      and(
        eq(course.id, courseId),
        sql`not exists (select from enrolled_grants() g where g.course_id = ${course.id}
          and g.student_id = ${studentId})`,
      ),
    )
  const [group] = await tx.select({ name: studyGroup.name }).from(studyGroup).where(eq(studyGroup.id, groupId))
  const after = { course: title, change: 'removeFromGroup', group: group?.name ?? '' }
  await recordStudentEntries(tx, actor, 'student.access_changed', [{ studentId, after }])
  return true
}
