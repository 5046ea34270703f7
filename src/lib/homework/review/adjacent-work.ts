import { and, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { InstantKey } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { quizReview } from '#lib/quiz/review/table.ts'
import { isNewestFirst, type QueueScope, selectWork } from './queue-sql.ts'
import type { GetAdjacentWork, QueueFilter, WorkKind } from './schema.ts'
import { isWithin, loadScope, requireFilterInScope, requireQueueAccess } from './scope.ts'

/** Work before or after the one that is reviewed, with the page on which it is reviewed. */
export interface QueueStep {
  id: string
  kind: WorkKind
  href: string
}

export interface AdjacentWork {
  previous: QueueStep | null
  next: QueueStep | null
}

/**
 * The work before and after an attempt at a test in the queue that `input` filters. Refuses with forbidden, not_found.
 */
export function getAdjacentWork(actor: Actor, input: GetAdjacentWork): Promise<AdjacentWork> {
  requireQueueAccess(actor)
  const { attemptId, ...filter } = input
  const microseconds = (column: typeof quizReview.submittedAt | typeof quizReview.answerBy) =>
    sql<string | null>`(extract(epoch from ${column}) * 1000000)::bigint::text`
  return inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    await requireFilterInScope(tx, scope, filter)
    const [row] = await tx
      .select({
        courseId: quizReview.courseId,
        at: microseconds(quizReview.submittedAt),
        due: microseconds(quizReview.answerBy),
      })
      .from(quizReview)
      .where(and(eq(quizReview.attemptId, attemptId)))
    if (!row || !isWithin(scope, row.courseId)) throw new Refusal('not_found')
    const at = filter.tab === 'overdue' ? row.due : row.at
    return loadAdjacentWork(tx, { actor, filter, scope }, { at, id: attemptId })
  })
}

/** The work around a position of the queue: submissions of homework and attempts at tests in one order. */
export async function loadAdjacentWork(
  tx: Tx,
  { actor, filter, scope }: { actor: Actor; filter: QueueFilter; scope: QueueScope },
  { at, id }: { at: string | null; id: string },
): Promise<AdjacentWork> {
  const position: InstantKey | null = at === null ? null : { at, id }
  const adjacent = (isBackward: boolean) => {
    const direction = sql.raw(isNewestFirst(filter.tab) !== isBackward ? 'desc' : 'asc')
    const selected = selectWork({ actor, filter, scope, limit: 2, after: position, isBackward })
    return sql`(select json_build_object('id', x.id, 'kind', x.kind, 'href', case x.kind
        when 'test' then '/test/' || r.quiz_id || '/' || r.student_id || '?attempt=' || x.id else '/homework/' || x.id end)
      from (${selected}) x
      left join quiz_review r on x.kind = 'test' and r.tenant_id = current_tenant() and r.attempt_id = x.id
      where x.id <> ${id} order by x.at ${direction}, x.id ${direction} limit 1)`
  }
  const { rows } = await tx.execute<{ previous: QueueStep | null; next: QueueStep | null }>(
    sql`select ${position ? adjacent(true) : sql`null::json`} as previous, ${adjacent(false)} as next`,
  )
  return rows[0] ?? { previous: null, next: null }
}
