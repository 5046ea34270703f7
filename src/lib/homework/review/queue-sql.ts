import { type SQL, sql } from 'drizzle-orm'
import { rowOfKey } from '#lib/core/db/keyset.ts'
import { matchesIndexedText } from '#lib/core/db/search.ts'
import type { InstantKey } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type QueueFilter, type QueueTab, WORK_KINDS, type WorkKind } from './schema.ts'

/** Courses whose work the actor may see; null: all of the tenant. */
export type QueueScope = readonly string[] | null

export interface QueueSelection {
  actor: Pick<Actor, 'membershipId' | 'timeZone'>
  filter: QueueFilter
  scope: QueueScope
  limit: number
  /** Only rows after this key, or before it with `isBackward`. */
  after?: InstantKey | null
  isBackward?: boolean
}

/**
 * How work of one kind is selected, with `s` as the alias of its table. Literal SQL, so that partial indexes are used.
 */
interface WorkSource {
  table: SQL
  id: SQL
  /** Work that the member has started to review, in addition to assigned work. */
  begunBy: SQL
  tabs: Partial<Record<QueueTab, SQL>>
}

const SUBMITTED = sql.raw("s.state in ('submitted', 'in_review')")
const UNREVIEWED = sql.raw("s.state = 'waiting'")

const SOURCES: Record<WorkKind, WorkSource> = {
  homework: {
    table: sql.raw('submission'),
    id: sql.raw('s.id'),
    begunBy: sql.raw('s.locked_by'),
    tabs: {
      toCheck: SUBMITTED,
      mine: SUBMITTED,
      overdue: sql`${SUBMITTED} and s.answer_by < now()`,
      // A newer attempt replaces it in the queue.
      returned: sql`s.state = 'returned' and not exists (select 1 from submission n where n.tenant_id = s.tenant_id
        and n.task_id = s.task_id and n.student_id = s.student_id and n.attempt > s.attempt and n.state <> 'draft')`,
      accepted: sql`s.state = 'accepted'`,
      rejected: sql`s.state = 'rejected'`,
    },
  },
  test: {
    table: sql.raw('quiz_review'),
    id: sql.raw('s.attempt_id'),
    begunBy: sql.raw('s.edited_by'),
    tabs: {
      toCheck: UNREVIEWED,
      mine: UNREVIEWED,
      overdue: sql`${UNREVIEWED} and s.answer_by < now()`,
      graded: sql.raw("s.state = 'reviewed'"),
    },
  },
}

/** Waiting work is ordered oldest first, reviewed work newest first. */
export const isNewestFirst = (tab: QueueTab): boolean => tab !== 'toCheck' && tab !== 'mine' && tab !== 'overdue'

// The column by which a tab is sorted.
const orderColumn = (tab: QueueTab): SQL => sql.raw(tab === 'overdue' ? 's.answer_by' : 's.submitted_at')

/**
 * Builds a statement that selects `id`, `at` and `kind` of work in the order of the queue. Each branch reads an index in
 * order and stops at the limit, so the cost of a page does not depend on the amount of work: one branch a kind for each
 * course of a curator, and one each for assigned work and for work that was begun.
 */
export function selectWork(selection: QueueSelection): SQL {
  const { filter, limit, isBackward: back = false } = selection
  const direction = sql.raw(isNewestFirst(filter.tab) !== back ? 'desc' : 'asc')
  const branches = WORK_KINDS.flatMap((kind) => branchesOf(kind, selection))
  if (branches.length === 0) return sql`select null::uuid as id, null::timestamptz as at, '' as kind where false`
  return sql`select id, at, kind from (${sql.join(branches, sql` union all `)}) b order by at ${direction}, id ${direction} limit ${limit}`
}

function branchesOf(
  kind: WorkKind,
  { actor, filter, scope, limit, after = null, isBackward: back = false }: QueueSelection,
): SQL[] {
  const { tab, courseId } = filter
  const source = SOURCES[kind]
  const inTab = source.tabs[tab]
  // Tests belong to no lesson and are never late.
  const isExcluded = kind === 'test' && (filter.lessonId !== undefined || filter.late)
  if (!inTab || isExcluded || (filter.kind && filter.kind !== kind)) return []
  const sortKey = orderColumn(tab)
  const isDescending = isNewestFirst(tab) !== back
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const conditions = [sql`s.tenant_id = current_tenant()`, inTab, ...filterConditions(actor, filter)]
  if (after) conditions.push(sql`(${sortKey}, ${source.id}) ${sql.raw(isDescending ? '<' : '>')} ${rowOfKey(after)}`)
  const branch = (
    ...more: SQL[]
  ) => sql`(select ${source.id} as id, ${sortKey} as at, ${sql.raw(`'${kind}'`)} as kind from ${source.table} s
    where ${sql.join([...conditions, ...more], sql` and `)} order by ${sortKey} ${direction}, ${source.id} ${direction} limit ${limit})`
  if (courseId && scope && !scope.includes(courseId)) return [branch(sql`false`)]
  const within = courseId ? sql`s.course_id = ${courseId}` : scope ? sql`s.course_id = any(${idArray(scope)})` : null
  const courseCondition = within ? [within] : []
  if (tab === 'mine') {
    const memberId = actor.membershipId
    const begunByMember = sql`${source.begunBy} = ${memberId} and s.assigned_to is distinct from ${memberId}`
    return [branch(sql`s.assigned_to = ${memberId}`, ...courseCondition), branch(begunByMember, ...courseCondition)]
  }
  if (courseId || !scope) return [branch(...courseCondition)]
  const perCourse = branch(sql`s.course_id = c.id`)
  return [sql`(select e.id, e.at, e.kind from unnest(${idArray(scope)}) c(id) cross join lateral ${perCourse} e)`]
}

/** Selects no rows for an empty list. */
export const idArray = (ids: readonly string[]): SQL => sql`${`{${ids.join(',')}}`}::uuid[]`

function filterConditions(actor: QueueSelection['actor'], filter: QueueFilter): SQL[] {
  const { lessonId, studentId, groupId, curator, q, from, to, late } = filter
  const zone = actor.timeZone
  const byStudentName = sql`s.student_id in (select m.id from membership m join "user" u on u.id = m.user_id
    where m.tenant_id = current_tenant() and m.account_type = 'ACCOUNT_TYPE_STUDENT'
      and ${matchesIndexedText(q, sql`u.search`, sql`u.search_ascii`)} limit 200)`
  const inGroup = sql`exists (select 1 from enrolled_grants() g
    where g.student_id = s.student_id and g.course_id = s.course_id and g.source_type = 'group'
    and g.source_id = ${groupId ?? null})`
  return [
    lessonId ? sql`s.lesson_id = ${lessonId}` : [],
    studentId ? sql`s.student_id = ${studentId}` : [],
    groupId ? inGroup : [],
    curator === 'none' ? sql`s.assigned_to is null` : [],
    curator && curator !== 'none' ? sql`s.assigned_to = ${curator}` : [],
    q ? byStudentName : [],
    from ? sql`s.submitted_at >= (${from}::date::timestamp at time zone ${zone})` : [],
    to ? sql`s.submitted_at < ((${to}::date + 1)::timestamp at time zone ${zone})` : [],
    late ? sql`s.late` : [],
  ].flat()
}
