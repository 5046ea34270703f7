import { and, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Channels } from '#lib/core/live/door.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { allow } from '#lib/core/shared/verdict.ts'
import { SubmissionId } from './review/schema.ts'
import { isWithin, mustSeeQueue, scopeOf } from './review/scope.ts'
import { submission } from './table.ts'

const Member = z.uuid()

/**
 * `homework:{studentId}` tells a student's pages, and those who judge the work, that something was said about it.
 * `desk:{id}` tells those who look at a work who holds it and what became of it.
 */
export const homeworkChannels: Channels = {
  homework: {
    canSubscribe: (actor, [studentId]) => {
      if (hasRole(actor, ['STUDENT'])) {
        if (studentId !== actor.membershipId) throw new Refusal('not_found')
        return allow('own_work')
      }
      mustSeeQueue(actor)
      const asked = Member.safeParse(studentId)
      if (!asked.success) throw new Refusal('not_found')
      return inTenant(actor, async (tx) => {
        const scope = await scopeOf(tx, actor)
        const works = await tx
          .selectDistinct({ courseId: submission.courseId })
          .from(submission)
          .where(and(eq(submission.studentId, asked.data), ne(submission.state, 'draft')))
        if (!works.some(({ courseId }) => isWithin(scope, courseId))) throw new Refusal('not_found')
        return allow('reviews')
      })
    },
  },
  desk: {
    canSubscribe: (actor, [id]) => {
      const asked = SubmissionId.safeParse({ submissionId: id })
      if (!asked.success) throw new Refusal('not_found')
      mustSeeQueue(actor)
      return inTenant(actor, async (tx) => {
        const scope = await scopeOf(tx, actor)
        const [found] = await tx
          .select({ courseId: submission.courseId })
          .from(submission)
          .where(and(eq(submission.id, asked.data.submissionId), ne(submission.state, 'draft')))
        if (!found || !isWithin(scope, found.courseId)) throw new Refusal('not_found')
        return allow('reviews')
      })
    },
  },
}
