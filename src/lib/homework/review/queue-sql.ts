import { type SQL, sql } from 'drizzle-orm'
import { matchesSearch } from '#lib/core/db/search.ts'
import type { InstantKey } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { QueueFilter, QueueTab } from './schema.ts'

/** Courses whose works the actor may see; null: all of the school. */
export type Scope = readonly string[] | null

export interface Picking {
  actor: Pick<Actor, 'membershipId' | 'timeZone'>
  filter: QueueFilter
  scope: Scope
  limit: number
  /** Only what stands behind this place, or before it when `back`. */
  after?: InstantKey | null
  back?: boolean
}

// Written out, not as parameters: so the planner knows that the partial indexes of the queue fit.
const WAITING = sql.raw("s.state in ('submitted', 'in_review')")

const STATES: Record<QueueTab, SQL> = {
  toCheck: WAITING,
  mine: WAITING,
  overdue: sql`${WAITING} and s.answer_by < now()`,
  // What has been handed in anew since is found there.
  returned: sql`s.state = 'returned' and not exists (select 1 from submission n where n.tenant_id = s.tenant_id
    and n.task_id = s.task_id and n.student_id = s.student_id and n.attempt > s.attempt and n.state <> 'draft')`,
  accepted: sql`s.state = 'accepted'`,
  rejected: sql`s.state = 'rejected'`,
}

/** What waits comes longest first, what was judged latest first. */
export const isNewestFirst = (tab: QueueTab): boolean => tab === 'returned' || tab === 'accepted' || tab === 'rejected'

// The instant by which a part of the queue is ordered.
const orderColumn = (tab: QueueTab): SQL => sql.raw(tab === 'overdue' ? 's.answer_by' : 's.submitted_at')

/**
 * A statement that gives `id` and `at` of works in the queue's order. Each of its branches reads an index in order and
 * stops at the limit, so a page costs the same however many works there are: a branch a course for curators, and one
 * each for what is assigned to a person and what they hold.
 */
export function pickWorks({ actor, filter, scope, limit, after = null, back = false }: Picking): SQL {
  const { tab } = filter
  const at = orderColumn(tab)
  const down = isNewestFirst(tab) !== back
  const way = sql.raw(down ? 'desc' : 'asc')
  const wanted = [sql`s.tenant_id = current_tenant()`, STATES[tab], ...narrowing(actor, filter)]
  if (after) wanted.push(sql`(${at}, s.id) ${sql.raw(down ? '<' : '>')} (${instantOf(after)}, ${after.id}::uuid)`)
  const branch = (...more: SQL[]) => sql`(select s.id, ${at} as at from submission s
    where ${sql.join([...wanted, ...more], sql` and `)} order by ${at} ${way}, s.id ${way} limit ${limit})`
  return sql`select id, at from (${sql.join(branches(), sql` union all `)}) b order by at ${way}, id ${way} limit ${limit}`

  function branches(): SQL[] {
    const { courseId } = filter
    if (courseId && scope && !scope.includes(courseId)) return [branch(sql`false`)]
    const within = courseId ? sql`s.course_id = ${courseId}` : scope ? sql`s.course_id = any(${idArray(scope)})` : null
    const inside = within ? [within] : []
    if (tab === 'mine') {
      const me = actor.membershipId
      const held = sql`s.locked_by = ${me} and s.assigned_to is distinct from ${me}`
      return [branch(sql`s.assigned_to = ${me}`, ...inside), branch(held, ...inside)]
    }
    if (courseId || !scope) return [branch(...inside)]
    const each = branch(sql`s.course_id = c.id`)
    return [sql`(select e.id, e.at from unnest(${idArray(scope)}) c(id) cross join lateral ${each} e)`]
  }
}

/** `idArray` of none finds nothing. */
export const idArray = (ids: readonly string[]): SQL => sql`${`{${ids.join(',')}}`}::uuid[]`

function narrowing(actor: Picking['actor'], filter: QueueFilter): SQL[] {
  const { lessonId, studentId, groupId, curator, q, from, to, late } = filter
  const zone = actor.timeZone
  const named = sql`s.student_id in (select m.id from membership m join "user" u on u.id = m.user_id
    where m.tenant_id = current_tenant() and m.account_type = 'ACCOUNT_TYPE_STUDENT'
      and ${matchesSearch(q, sql`u.first_name`, sql`u.last_name`, sql`u.email`)} limit 200)`
  const grouped = sql`exists (select 1 from access_grant g where g.tenant_id = current_tenant()
    and g.student_id = s.student_id and g.course_id = s.course_id and g.source_type = 'group'
    and g.source_id = ${groupId ?? null} and g.revoked_at is null)`
  return [
    lessonId ? sql`s.lesson_id = ${lessonId}` : [],
    studentId ? sql`s.student_id = ${studentId}` : [],
    groupId ? grouped : [],
    curator === 'none' ? sql`s.assigned_to is null` : [],
    curator && curator !== 'none' ? sql`s.assigned_to = ${curator}` : [],
    q ? named : [],
    from ? sql`s.submitted_at >= (${from}::date::timestamp at time zone ${zone})` : [],
    to ? sql`s.submitted_at < ((${to}::date + 1)::timestamp at time zone ${zone})` : [],
    late ? sql`s.late` : [],
  ].flat()
}

const instantOf = ({ at }: InstantKey): SQL => sql`(timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond')`
