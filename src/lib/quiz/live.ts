import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Channels } from '#lib/core/live/endpoint.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { AttemptId } from './attempt/schema.ts'
import { quizAttempt } from './attempt/table.ts'
import { requireReviewer } from './permission.ts'
import { canTakeQuiz } from './rules.ts'

/** `attempt:{attemptId}` sends saves and the end of an attempt to its student's devices and to its reviewers. */
export const quizChannels: Channels = {
  attempt: {
    canSubscribe: (actor, [id]) => {
      const parsed = AttemptId.safeParse({ attemptId: id })
      if (!parsed.success) throw new Refusal('not_found')
      return inTenant(actor, async (tx) => {
        const [row] = await tx
          .select({ studentId: quizAttempt.studentId, quizId: quizAttempt.quizId })
          .from(quizAttempt)
          .where(eq(quizAttempt.id, parsed.data.attemptId))
        if (!row) throw new Refusal('not_found')
        if (hasRole(actor, ['STUDENT'])) {
          if (row.studentId !== actor.membershipId) throw new Refusal('not_found')
          return canTakeQuiz(actor, { isOwn: true })
        }
        await requireReviewer(tx, actor, row.quizId)
        return { allow: true, reason: 'reviews' }
      })
    },
  },
}
