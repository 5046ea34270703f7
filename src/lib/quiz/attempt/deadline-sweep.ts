import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
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
    const items: string[] = []
    for (let page = await dueAttempts(tenantId, now, ''); page.length > 0; ) {
      items.push(...page)
      page = await dueAttempts(tenantId, now, page.at(-1) ?? '')
    }
    const task = { job: 'quiz.sweepDeadlines', tenantId, items, idOf: (id: string) => id }
    return forEachItem(task, async (id) => void (await settleOne(tenantId, id, now)))
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
