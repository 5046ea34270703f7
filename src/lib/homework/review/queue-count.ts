import { and, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/stored.ts'
import { membership, user } from '#lib/user/table.ts'
import type { PersonView } from './queue.ts'
import { idArray, pickWorks, type Scope } from './queue-sql.ts'
import { COUNT_MOST } from './rules.ts'
import { QueueFilter, type QueueTab } from './schema.ts'
import { mustSeeQueue, scopeOf } from './scope.ts'

/** Works that wait, by part of the queue; COUNT_MOST stands for that many and more. */
export interface QueueCounts {
  toCheck: number
  mine: number
  overdue: number
}

/** How many works wait for the actor; one statement whose cost does not grow with the queue. Refuses with forbidden. */
export function countQueue(actor: Actor): Promise<QueueCounts> {
  mustSeeQueue(actor)
  return inTenant(actor, async (tx) => {
    const scope = await scopeOf(tx, actor)
    const count = (tab: QueueTab) => {
      const picked = pickWorks({ actor, filter: parseStored(QueueFilter, { tab }), scope, limit: COUNT_MOST })
      return sql`(select count(*)::int from (${picked}) w)`
    }
    const { rows } = await tx.execute<QueueCounts & Record<string, unknown>>(sql`select
      ${count('toCheck')} as "toCheck", ${count('mine')} as mine, ${count('overdue')} as overdue`)
    const [{ toCheck, mine, overdue } = { toCheck: 0, mine: 0, overdue: 0 }] = rows
    return { toCheck, mine, overdue }
  })
}

export interface Reviewer extends PersonView {
  /** Works that wait for this person, COUNT_MOST at most. */
  waiting: number
}

/** Everybody who may review in the school and what waits for each within the actor's courses. Refuses with forbidden. */
export function listReviewers(actor: Actor): Promise<Reviewer[]> {
  mustSeeQueue(actor)
  return inTenant(actor, async (tx) => {
    const scope = await scopeOf(tx, actor)
    const inScope = scope ? sql` and s.course_id = any(${idArray(scope)})` : sql``
    const waiting = sql<number>`(select count(*)::int from (select 1 from submission s
      where s.tenant_id = current_tenant() and s.state in ('submitted', 'in_review')
        and s.assigned_to = ${membership.id}${inScope} limit ${COUNT_MOST}) w)`
    return tx
      .select({
        id: membership.id,
        name: sql<string>`coalesce(nullif(trim(${user.firstName} || ' ' || ${user.lastName}), ''), ${user.email})`,
        waiting,
      })
      .from(membership)
      .innerJoin(user, eq(user.id, membership.userId))
      .where(and(sql`${membership.tenantId} = current_tenant()`, sql`${membership.blockedAt} is null`, reviews(scope)))
      .orderBy(sql`2`)
      .limit(200)
  })
}

/** For a curator only those who share a course with them, and themselves. */
function reviews(scope: Scope) {
  const team = sql`${membership.accountType} <> 'ACCOUNT_TYPE_STUDENT'
    and (${membership.accountType} = 'ACCOUNT_TYPE_PRODUCT_OWNER'
      or ${membership.roles} && array['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'])`
  if (!scope) return team
  return sql`${team} and exists (select 1 from course_staff c where c.tenant_id = current_tenant()
    and c.member_id = ${membership.id} and c.course_id = any(${idArray(scope)}))`
}

export interface QueueChoices {
  courses: { id: string; title: string }[]
  /** Those of the chosen course only. */
  lessons: { id: string; title: string }[]
  groups: { id: string; title: string }[]
}

const MOST_COURSES = 50

/** What the filters offer: the actor's courses, the latest changed first, and what the chosen one has. */
export function listChoices(actor: Actor, { courseId }: { courseId?: string | undefined }): Promise<QueueChoices> {
  mustSeeQueue(actor)
  return inTenant(actor, async (tx) => {
    const scope = await scopeOf(tx, actor)
    const chosen = courseId ?? null
    const inScope = scope ? sql`and c.id = any(${idArray(scope)})` : sql``
    const { rows } = await tx.execute<{ choices: QueueChoices }>(sql`select json_build_object(
      'courses', (select coalesce(json_agg(json_build_object('id', c.id, 'title', c.title)), '[]') from (
        (select c.id, c.title from course c where c.tenant_id = current_tenant() and c.id = ${chosen}::uuid ${inScope})
        union (select c.id, c.title from course c where c.tenant_id = current_tenant() ${inScope}
          order by c.updated_at desc, c.id desc limit ${MOST_COURSES})) c),
      'lessons', (select coalesce(json_agg(json_build_object('id', l.id, 'title', l.title) order by m.position, l.position), '[]')
        from lesson l join module m on m.tenant_id = l.tenant_id and m.id = l.module_id
        join course c on c.tenant_id = l.tenant_id and c.id = l.course_id
        where l.tenant_id = current_tenant() and l.course_id = ${chosen}::uuid ${inScope}
          and exists (select 1 from task t where t.tenant_id = l.tenant_id and t.lesson_id = l.id)),
      'groups', (select coalesce(json_agg(json_build_object('id', g.id, 'title', g.name) order by g.start_at desc), '[]')
        from study_group g join course c on c.tenant_id = g.tenant_id and c.id = g.course_id
        where g.tenant_id = current_tenant() and g.course_id = ${chosen}::uuid and g.archived_at is null ${inScope})
      ) as choices`)
    return rows[0]?.choices ?? { courses: [], lessons: [], groups: [] }
  })
}
