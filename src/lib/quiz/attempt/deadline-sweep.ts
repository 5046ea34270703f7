import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { settleAttempt } from './finish.ts'
import { quizAttempt } from './table.ts'

const BATCH = 100

/**
 * Ends the attempts of all tenants whose time is over, as reading them would. Returns the number of examined rows.
 * Attempts that another process has locked are skipped.
 */
export function sweepDeadlines(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'quiz.sweepDeadlines', dueSql: DUE_ATTEMPTS, now }, async (tenantId) => {
    let seen = 0
    let after = ''
    for (;;) {
      const ids = await dueAttempts(tenantId, now, after)
      const last = ids.at(-1)
      if (last === undefined) return seen
      for (const id of ids) await settleOne(tenantId, id, now)
      seen += ids.length
      after = last
    }
  })
}

const DUE_ATTEMPTS =
  "select 1 from quiz_attempt where state in ('inProgress', 'overdue') and deadline_at is not null and deadline_at < $1"

async function dueAttempts(tenantId: string, now: Date, after: string): Promise<string[]> {
  const rows = await inTenant({ tenantId }, (tx) =>
    tx
      .select({ id: quizAttempt.id })
      .from(quizAttempt)
      .where(
        and(
          inArray(quizAttempt.state, ['inProgress', 'overdue']),
          lt(quizAttempt.deadlineAt, now),
          after ? gt(quizAttempt.id, after) : undefined,
        ),
      )
      .orderBy(asc(quizAttempt.id))
      .limit(BATCH),
  )
  return rows.map(({ id }) => id)
}

function settleOne(tenantId: string, attemptId: string, now: Date): Promise<unknown> {
  return inTenant({ tenantId }, async (tx) => {
    const [row] = await tx
      .select()
      .from(quizAttempt)
      .where(eq(quizAttempt.id, attemptId))
      .for('update', { skipLocked: true })
    return row && settleAttempt(tx, row, now)
  })
}
