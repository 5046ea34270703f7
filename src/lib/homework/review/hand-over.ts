import { and, count, eq, inArray } from 'drizzle-orm'
import { Refusal } from '#lib/core/http/refusal.ts'
import { courseStaff } from '#lib/course/table.ts'
import { countReviewsOf, handOverReviews } from '#lib/quiz/review/assign-reviews.ts'
import type { TeamAssignments } from '#lib/team/assignments.ts'
import { submission } from '../table.ts'
import { canReview } from './rules.ts'

const isWaitingFor = (memberId: string) =>
  and(eq(submission.assignedTo, memberId), inArray(submission.state, ['draft', 'submitted', 'in_review', 'returned']))

/** Submissions and attempts at tests that are assigned to team members, for the removal of a member. */
export const homeworkAssignments: TeamAssignments['homework'] = {
  async count(tx, memberId) {
    const [[row], reviews] = await Promise.all([
      tx.select({ submissions: count() }).from(submission).where(isWaitingFor(memberId)),
      countReviewsOf(tx, memberId),
    ])
    return (row?.submissions ?? 0) + reviews
  },

  async handOver(tx, memberId, heir) {
    const heirId = heir?.memberId ?? null
    const [submissions, reviewCourses] = await Promise.all([
      tx
        .update(submission)
        .set({ assignedTo: heirId, updatedAt: new Date() })
        .where(isWaitingFor(memberId))
        .returning({ courseId: submission.courseId }),
      handOverReviews(tx, memberId, heirId),
    ])
    const moved = [...submissions.map(({ courseId }) => courseId), ...reviewCourses]
    if (moved.length === 0 || !heir) return
    const actor = { roles: [...heir.roles] }
    if (canReview(actor, false).allow) return
    const assigned = await tx
      .select({ courseId: courseStaff.courseId })
      .from(courseStaff)
      .where(eq(courseStaff.memberId, heir.memberId))
    const courses = new Set(assigned.map(({ courseId }) => courseId))
    if (!canReview(actor, true).allow || moved.some((courseId) => !courses.has(courseId))) {
      throw new Refusal('unprocessable', { fields: { homeworkHeirId: ['heir_unsuitable'] } })
    }
  },
}
