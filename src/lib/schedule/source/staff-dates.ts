import { type SQL, sql } from 'drizzle-orm'
import type {
  ScheduleFilters,
  ScheduleQuery,
  ScheduleResult,
  ScheduleSource,
  ScheduleViewer,
} from '#lib/core/calendar/schedule-source.ts'
import type { Tx } from '#lib/core/db/db.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import type { AccessOverrideFacts, GrantFacts } from '#lib/course/access/access.ts'
import { ruleDateUnderGrant, shiftDaysFor, totalShiftDays } from '#lib/course/learning/rule-dates.ts'
import { canEditCourse, canManageStudents } from '#lib/course/rules.ts'
import { AccessRule } from '#lib/course/schema.ts'
import { scheduleScope } from '../rules.ts'
import { dateItem, isWithinPeriod } from './date-item.ts'
import { staffCourses } from './scope-sql.ts'

/** Maximum number of groups, and of lessons and tasks with dates, that are computed for one page. */
const MAX_GROUPS = 300
const MAX_DATES = 2000

/** Lesson openings and homework deadlines as staff see them: of each running study group, and of the course. */
export const staffDateSource: ScheduleSource = { kinds: ['lesson', 'homework'], loadItems: loadStaffDates }

async function loadStaffDates(tx: Tx, actor: ScheduleViewer, query: ScheduleQuery): Promise<ScheduleResult> {
  const scope = scheduleScope(actor)
  if ((scope !== 'all' && scope !== 'assigned') || query.filters.personId) return { items: [] }
  const dates = await loadCourseDates(tx, actor, query)
  // Courses of which the reader sees dates are managed or assigned.
  const mover = {
    canMoveGroups: canManageStudents(actor, true).allow,
    canMoveCourses: canEditCourse(actor).allow,
    now: query.now,
  }
  const items = dates.rules.flatMap((rule) => {
    if (query.filters.kind && query.filters.kind !== rule.kind) return []
    return itemsOfRule(rule, dates, mover)
  })
  return { items: items.filter((item) => isWithinPeriod(item.startAt, query)) }
}

export interface DatedRule extends Record<string, unknown> {
  kind: 'lesson' | 'homework'
  id: string
  title: string
  courseId: string
  courseTitle: string
  lessonId: string
  rules: AccessRule[]
}

export interface DatedGroup extends Record<string, unknown> {
  id: string
  name: string
  courseId: string
  grant: GrantFacts
}

export interface GroupDates {
  rules: DatedRule[]
  groups: DatedGroup[]
  /** Overrides of groups and of whole courses. */
  overrides: (AccessOverrideFacts & { courseId: string })[]
}

/** Loads the rules with dates of the courses that the actor sees, and the groups to which they apply. */
export async function loadCourseDates(
  tx: Tx,
  actor: ScheduleViewer,
  { boundaries, filters }: Pick<ScheduleQuery, 'boundaries' | 'filters'>,
): Promise<GroupDates> {
  const [rules, groups, overrides] = await Promise.all([
    tx.execute<DatedRule>(datedRules(actor, filters)),
    tx.execute<GroupRow>(sql`select g.id, g.name, g.course_id as "courseId", g.start_at as "startAt",
        g.time_zone as "timeZone", g.schedule_offset_days as "scheduleOffsetDays", c.start_from as "startFrom"
      from study_group g join course c on c.tenant_id = g.tenant_id and c.id = g.course_id
      where g.tenant_id = current_tenant() and g.archived_at is null and g.finished_at is null
        and (g.end_at is null or g.end_at > ${boundaries[0]?.toISOString() ?? null})
        and ${staffCourses(actor, sql`g.course_id`)}
        and ${filters.courseId ? sql`g.course_id = ${filters.courseId}` : sql`true`}
        and ${filters.groupId ? sql`g.id = ${filters.groupId}` : sql`true`}
      order by g.start_at desc, g.id limit ${MAX_GROUPS}`),
    tx.execute<AccessOverrideFacts & { courseId: string } & Record<string, unknown>>(sql`select o.id,
        o.student_id as "studentId", o.group_id as "groupId", o.lesson_id as "lessonId", o.effect, o.days, o.at,
        o.course_id as "courseId"
      from access_override o where o.tenant_id = current_tenant() and o.ended_at is null and o.student_id is null
        and o.effect = 'shiftDays' and ${staffCourses(actor, sql`o.course_id`)}`),
  ])
  return {
    rules: rules.rows.map((row) => ({ ...row, rules: row.rules.map((rule) => parseStored(AccessRule, rule)) })),
    groups: groups.rows.map(toGroup),
    overrides: overrides.rows.map((row) => ({ ...row, at: new Date(row.at) })),
  }
}

/**
 * The instants of a rule by group, and those that they would have after a further shift.
 * @param shiftDays the days of that shift
 */
export function datesOfRule(
  rule: DatedRule,
  { groups, overrides }: GroupDates,
  shiftDays = 0,
): { group: DatedGroup; at: Date; shiftedAt: Date }[] {
  const own = overrides.filter(({ courseId }) => courseId === rule.courseId)
  const dates: { group: DatedGroup; at: Date; shiftedAt: Date }[] = []
  for (const group of groups) {
    if (group.courseId !== rule.courseId) continue
    const days = totalShiftDays(own, group.grant, rule.lessonId)
    const at = ruleDateUnderGrant(rule.rules, group.grant, days)
    const shiftedAt = shiftDays === 0 ? at : ruleDateUnderGrant(rule.rules, group.grant, days + shiftDays)
    if (at && shiftedAt) dates.push({ group, at, shiftedAt })
  }
  return dates
}

/**
 * The date of the course itself, for students without a group, and whether it is a fixed date that can be changed: not
 * the date of a module, and not one of several conditions. Null when the rule has no date without a group.
 */
export function courseDateOfRule(
  rule: DatedRule,
  { overrides }: Pick<GroupDates, 'overrides'>,
): { at: Date; isFixed: boolean } | null {
  const shift = shiftDaysFor(
    overrides.filter(({ courseId, groupId }) => courseId === rule.courseId && groupId === null),
    { groupId: null },
    rule.lessonId,
  )
  const at = ruleDateUnderGrant(rule.rules, WITHOUT_GROUP, shift)
  const own = rule.rules.at(-1)
  const others = rule.rules.slice(0, -1)
  const isFixed = shift === 0 && own?.mode === 'date' && others.every(({ mode }) => mode === 'open')
  return at && { at, isFixed }
}

function itemsOfRule(rule: DatedRule, dates: GroupDates, mover: DateMover): ScheduleItem[] {
  const { kind, id, title, courseId, courseTitle } = rule
  const href = `/course/edit/${courseId}`
  const ofGroups = datesOfRule(rule, dates).map(({ group, at: startAt }) => {
    const fields = { title, startAt, context: `${courseTitle} · ${group.name}`, href }
    return dateItem(kind, `${id}.${group.id}`, fields, mover.canMoveGroups && startAt > mover.now)
  })
  if (ofGroups.length > 0) return ofGroups
  const found = courseDateOfRule(rule, dates)
  if (!found) return []
  const isMovable = mover.canMoveCourses && found.isFixed && found.at > mover.now
  return [dateItem(kind, id, { title, startAt: found.at, context: courseTitle, href }, isMovable)]
}

/** What the reader may move: dates of groups by exceptions, dates of courses by their rules; only coming ones. */
interface DateMover {
  canMoveGroups: boolean
  canMoveCourses: boolean
  now: Date
}

// Without a start only the rules with a fixed date have a time.
const WITHOUT_GROUP: GrantFacts = {
  id: '',
  startsAt: new Date(0),
  endsAt: null,
  revokedAt: null,
  frozen: [],
  moduleIds: null,
  start: null,
  groupId: null,
  zone: 'UTC',
}

interface GroupRow extends Record<string, unknown> {
  id: string
  name: string
  courseId: string
  startAt: string
  timeZone: string
  scheduleOffsetDays: number
  startFrom: 'group' | 'grant' | 'opening'
}

function toGroup({
  id,
  name,
  courseId,
  startAt: start,
  timeZone,
  scheduleOffsetDays,
  startFrom,
}: GroupRow): DatedGroup {
  const startAt = new Date(start)
  const grant: GrantFacts = {
    ...WITHOUT_GROUP,
    id,
    startsAt: startAt,
    start: startFrom === 'opening' ? null : startAt,
    groupId: id,
    scheduleOffsetDays,
    zone: timeZone,
  }
  return { id, name, courseId, grant }
}

const HAS_DATE = '"mode": "(date|afterStart)"'

function datedRules(actor: ScheduleViewer, { courseId, groupId, kind }: ScheduleFilters): SQL {
  const ofCourse = sql`c.tenant_id = current_tenant() and c.status <> 'archived' and ${staffCourses(actor, sql`c.id`)}
    and ${courseId ? sql`c.id = ${courseId}` : sql`true`}
    and ${groupId ? sql`exists (select 1 from study_group g where g.tenant_id = c.tenant_id and g.course_id = c.id and g.id = ${groupId})` : sql`true`}`
  const lesson = sql`l.published_version is not null and not l.hidden and not m.hidden and l.deleted_at is null
    and m.deleted_at is null`
  return sql`
    select 'lesson' as kind, l.id, l.published_title as title, c.id as "courseId", c.title as "courseTitle",
      l.id as "lessonId", jsonb_build_array(m.availability, l.availability) as rules
    from course c join lesson l on l.tenant_id = c.tenant_id and l.course_id = c.id
    join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where ${ofCourse} and ${lesson} and ${kind !== 'homework'}
      and (l.availability::text ~ ${HAS_DATE} or m.availability::text ~ ${HAS_DATE})
    union all
    select 'homework', t.id, t.title, c.id, c.title, t.lesson_id, jsonb_build_array(t.due_rule)
    from course c join task t on t.tenant_id = c.tenant_id and t.course_id = c.id
    join lesson l on l.tenant_id = t.tenant_id and l.id = t.lesson_id
    join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where ${ofCourse} and ${lesson} and ${kind !== 'lesson'} and t.due_rule is not null and t.deleted_at is null
      and t.title <> ''
    order by kind, id limit ${MAX_DATES}`
}
