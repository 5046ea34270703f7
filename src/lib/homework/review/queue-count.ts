import { and, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { membership, user } from '#lib/user/table.ts'
import type { MemberView } from './queue.ts'
import { idArray, type QueueScope, selectWork } from './queue-sql.ts'
import { COUNT_LIMIT } from './rules.ts'
import { QueueFilter, type QueueTab } from './schema.ts'
import { loadScope, requireQueueAccess } from './scope.ts'

/** Waiting submissions and attempts at tests for each tab; COUNT_LIMIT means that many or more. */
export interface QueueCounts {
  toCheck: number
  mine: number
  overdue: number
}

/**
 * Counts the work that waits for the actor, in one statement whose cost does not grow with the queue. Refuses
 * with forbidden.
 */
export function countReviewQueue(actor: Actor): Promise<QueueCounts> {
  requireQueueAccess(actor)
  return inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    const count = (tab: QueueTab) => {
      const selected = selectWork({
        actor,
        filter: parseStored(QueueFilter, { tab }),
        scope,
        limit: COUNT_LIMIT,
      })
      return sql`(select count(*)::int from (${selected}) w)`
    }
    const { rows } = await tx.execute<QueueCounts & Record<string, unknown>>(sql`select
      ${count('toCheck')} as "toCheck", ${count('mine')} as mine, ${count('overdue')} as overdue`)
    const [{ toCheck, mine, overdue } = { toCheck: 0, mine: 0, overdue: 0 }] = rows
    return { toCheck, mine, overdue }
  })
}

export interface Reviewer extends MemberView {
  /** Work assigned to this reviewer, at most COUNT_LIMIT. */
  waiting: number
}

/**
 * All reviewers of the tenant, with the amount of work that waits for each within the actor's courses. Refuses
 * with forbidden.
 */
export function listReviewers(actor: Actor): Promise<Reviewer[]> {
  requireQueueAccess(actor)
  return inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    const inScope = scope ? sql` and s.course_id = any(${idArray(scope)})` : sql``
    const waiting = sql<number>`(select count(*)::int from (select 1 from submission s
      where s.tenant_id = current_tenant() and s.state in ('submitted', 'in_review')
        and s.assigned_to = ${membership.id}${inScope}
      union all select 1 from quiz_review s where s.tenant_id = current_tenant() and s.state = 'waiting'
        and s.assigned_to = ${membership.id}${inScope} limit ${COUNT_LIMIT}) w)`
    return tx
      .select({
        id: membership.id,
        name: personName(user),
        waiting,
      })
      .from(membership)
      .innerJoin(user, eq(user.id, membership.userId))
      .where(
        and(sql`${membership.tenantId} = current_tenant()`, sql`${membership.blockedAt} is null`, isReviewer(scope)),
      )
      .orderBy(sql`2`)
      .limit(200)
  })
}

/** A curator sees only reviewers of the same courses. */
function isReviewer(scope: QueueScope) {
  const team = sql`${membership.accountType} <> 'ACCOUNT_TYPE_STUDENT'
    and (${membership.accountType} = 'ACCOUNT_TYPE_PRODUCT_OWNER'
      or ${membership.roles} && array['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'])`
  if (!scope) return team
  return sql`${team} and exists (select 1 from course_staff c where c.tenant_id = current_tenant()
    and c.member_id = ${membership.id} and c.course_id = any(${idArray(scope)}))`
}

export interface FilterOptions {
  courses: { id: string; title: string }[]
  /** Of the selected course only. */
  lessons: { id: string; title: string }[]
  groups: { id: string; title: string }[]
}

const MAX_COURSES = 50

/**
 * Options of the filters: the actor's courses, the latest changed first, and the lessons and groups of the selected
 * one.
 */
export function listQueueFilterOptions(
  actor: Actor,
  { courseId }: { courseId?: string | undefined },
): Promise<FilterOptions> {
  requireQueueAccess(actor)
  return inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    const selectedId = courseId ?? null
    const inScope = scope ? sql`and c.id = any(${idArray(scope)})` : sql``
    const { rows } = await tx.execute<{ choices: FilterOptions }>(sql`select json_build_object(
      'courses', (select coalesce(json_agg(json_build_object('id', c.id, 'title', c.title)), '[]') from (
        (select c.id, c.title from course c where c.tenant_id = current_tenant() and c.id = ${selectedId}::uuid ${inScope})
        union (select c.id, c.title from course c where c.tenant_id = current_tenant() ${inScope}
          order by c.updated_at desc, c.id desc limit ${MAX_COURSES})) c),
      'lessons', (select coalesce(json_agg(json_build_object('id', l.id, 'title', l.title) order by m.position, l.position), '[]')
        from lesson l join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
        join course c on c.tenant_id = l.tenant_id and c.id = l.course_id
        where l.tenant_id = current_tenant() and l.course_id = ${selectedId}::uuid ${inScope}
          and exists (select 1 from task t where t.tenant_id = l.tenant_id and t.lesson_id = l.id)),
      'groups', (select coalesce(json_agg(json_build_object('id', g.id, 'title', g.name) order by g.start_at desc), '[]')
        from study_group g join course c on c.tenant_id = g.tenant_id and c.id = g.course_id
        where g.tenant_id = current_tenant() and g.course_id = ${selectedId}::uuid and g.archived_at is null ${inScope})
      ) as choices`)
    return rows[0]?.choices ?? { courses: [], lessons: [], groups: [] }
  })
}
