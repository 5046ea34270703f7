import { and, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Channels } from '#lib/core/live/endpoint.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow } from '#lib/core/shared/verdict.ts'
import { SubmissionId } from './review/schema.ts'
import { isWithin, loadScope, requireQueueAccess } from './review/scope.ts'
import { submission } from './table.ts'

const Member = z.uuid()

/**
 * `homework:{studentId}` sends changes of a student's homework to the student's pages and to the reviewers.
 * `review:{submissionId}` sends who has locked a submission and its state.
 */
export const homeworkChannels: Channels = {
  homework: {
    canSubscribe: (actor, [studentId]) => {
      if (hasRole(actor, ['STUDENT'])) {
        if (studentId !== actor.membershipId) throw new Refusal('not_found')
        return allow('own_work')
      }
      requireQueueAccess(actor)
      const parsed = Member.safeParse(studentId)
      if (!parsed.success) throw new Refusal('not_found')
      return inTenant(actor, async (tx) => {
        const scope = await loadScope(tx, actor)
        const submitted = await tx
          .selectDistinct({ courseId: submission.courseId })
          .from(submission)
          .where(and(eq(submission.studentId, parsed.data), ne(submission.state, 'draft')))
        if (!submitted.some(({ courseId }) => isWithin(scope, courseId))) throw new Refusal('not_found')
        return allow('reviews')
      })
    },
  },
  review: {
    canSubscribe: (actor, [id]) => {
      const parsed = SubmissionId.safeParse({ submissionId: id })
      if (!parsed.success) throw new Refusal('not_found')
      requireQueueAccess(actor)
      return inTenant(actor, async (tx) => {
        const scope = await loadScope(tx, actor)
        const [row] = await tx
          .select({ courseId: submission.courseId })
          .from(submission)
          .where(and(eq(submission.id, parsed.data.submissionId), ne(submission.state, 'draft')))
        if (!row || !isWithin(scope, row.courseId)) throw new Refusal('not_found')
        return allow('reviews')
      })
    },
  },
}
