import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addDays, instantOf } from '#lib/core/shared/time-zone.ts'
import { shiftDaysFor } from '#lib/course/learning/rule-dates.ts'
import { datesOfRule, type GroupDates, loadCourseDates } from '../source/staff-dates.ts'
import type { ShiftedTest } from './schema.ts'

/** A date that a shift moves. */
export interface ShiftedDate {
  kind: 'lesson' | 'homework' | 'test' | 'meeting'
  title: string
  before: Date
  after: Date
  /** Other groups whose meeting the same event is. */
  otherGroups: string | null
}

export interface ShiftPlan {
  courseId: string
  dates: ShiftedDate[]
  /** Lessons with the total of days by which their dates move from then on. */
  lessons: { lessonId: string; days: number }[]
  /** Lessons that are open, and stay open although their date moves together with that of their homework. */
  openLessonIds: string[]
  events: { id: string; before: string; after: string }[]
  tests: { quizId: string; before: ShiftedTest | null; after: ShiftedTest }[]
  /** Confirmed registrants of the meetings. */
  people: number
}

export interface ShiftRequest {
  group: { id: string; courseId: string; timeZone: string }
  /** Local day in the zone of the group. */
  from: string
  days: number
}

/** Plans the shift of everything of a group from a day on, at the same local times. The caller checks the permission. */
export async function planShift(tx: Tx, actor: Actor, request: ShiftRequest, now: Date): Promise<ShiftPlan> {
  const { group } = request
  const boundaries = [new Date(0)]
  const [dates, meetings, tests] = await Promise.all([
    loadCourseDates(tx, actor, { boundaries, filters: { courseId: group.courseId, groupId: group.id } }),
    loadMeetings(tx, group.id),
    loadTests(tx, group),
  ])
  const lessons = planLessons(dates, request, now)
  const events = planMeetings(meetings, request, now)
  const shiftedTests = planTests(tests, request)
  return {
    courseId: group.courseId,
    dates: [...lessons.dates, ...events.dates, ...shiftedTests.dates].sort(
      (a, b) => Number(a.before) - Number(b.before),
    ),
    lessons: lessons.lessons,
    openLessonIds: lessons.openLessonIds,
    events: events.events,
    tests: shiftedTests.tests,
    people: events.people,
  }
}

const startOfShift = ({ group, from }: ShiftRequest): Date => instantOf(from, '00:00', group.timeZone)

function planLessons(courseDates: GroupDates, request: ShiftRequest, now: Date): LessonShift {
  const { group, days } = request
  const start = startOfShift(request)
  const all = courseDates.rules.flatMap((rule) => datesOfRule(rule, courseDates).map(({ at }) => ({ rule, at })))
  const lessonIds = new Set(all.filter(({ at }) => at >= start).map(({ rule }) => rule.lessonId))
  return planLessonShift(courseDates, { groupId: group.id, lessonIds, days }, now)
}

export interface LessonShift extends Pick<ShiftPlan, 'lessons' | 'openLessonIds'> {
  /** With the id of the lesson or task. */
  dates: (ShiftedDate & { id: string })[]
}

/** Plans the shift of some lessons of a group by calendar days, each together with its homework. */
export function planLessonShift(
  courseDates: GroupDates,
  { groupId, lessonIds, days }: { groupId: string; lessonIds: ReadonlySet<string>; days: number },
  now: Date,
): LessonShift {
  // The dates of a lesson and of its homework move together, because one exception moves both.
  const affected = courseDates.rules
    .filter((rule) => lessonIds.has(rule.lessonId))
    .flatMap((rule) => datesOfRule(rule, courseDates, days).map((date) => ({ rule, ...date })))
  const dates = affected.map(({ rule: { id, kind, title, lessonId }, at, shiftedAt }) => ({
    id,
    kind,
    title,
    lessonId,
    before: at,
    after: shiftedAt,
    otherGroups: null,
  }))
  const isOpen = ({ kind, before }: (typeof dates)[number]) => kind === 'lesson' && before <= now
  const open = dates.filter(isOpen)
  return {
    dates: dates.filter((date) => !isOpen(date)),
    lessons: [...lessonIds].map((lessonId) => ({
      lessonId,
      days: shiftDaysFor(courseDates.overrides, { groupId }, lessonId) + days,
    })),
    openLessonIds: open.map(({ lessonId }) => lessonId),
  }
}

interface MeetingRow extends Record<string, unknown> {
  id: string
  title: string
  startAt: string
  timeZone: string
  people: number
  otherGroups: string | null
}

async function loadMeetings(tx: Tx, groupId: string): Promise<MeetingRow[]> {
  const { rows } = await tx.execute<MeetingRow>(sql`select w.id, w.title, w.start_at as "startAt",
      w.time_zone as "timeZone",
      (select count(*)::int from registration r where r.tenant_id = w.tenant_id and r.workshop_id = w.id
        and r.state = 'confirmed') as people,
      (select string_agg(g.name, ', ' order by g.name) from group_meeting o
        join study_group g on g.tenant_id = o.tenant_id and g.id = o.group_id
        where o.tenant_id = w.tenant_id and o.workshop_id = w.id and o.group_id <> ${groupId}) as "otherGroups"
    from group_meeting gm join workshop w on w.tenant_id = gm.tenant_id and w.id = gm.workshop_id
    where gm.tenant_id = current_tenant() and gm.group_id = ${groupId} and w.start_at is not null
      and w.deleted_at is null and w.archived_at is null and w.canceled_at is null
    order by w.start_at, w.id`)
  return rows
}

function planMeetings(rows: readonly MeetingRow[], request: ShiftRequest, now: Date) {
  const start = startOfShift(request)
  const moved = rows
    .map((row) => ({ ...row, before: new Date(row.startAt) }))
    .filter(({ before }) => before >= start && before > now)
    .map((row) => ({ ...row, after: addDays(row.before, request.days, row.timeZone) }))
  return {
    dates: moved.map(({ title, before, after, otherGroups }) => ({
      kind: 'meeting' as const,
      title,
      before,
      after,
      otherGroups,
    })),
    events: moved.map(({ id, before, after }) => ({ id, before: before.toISOString(), after: after.toISOString() })),
    people: moved.reduce((sum, { people }) => sum + people, 0),
  }
}

interface TestRow extends Record<string, unknown> {
  quizId: string
  title: string
  openAt: string | null
  closeAt: string | null
  override: ShiftedTest | null
}

async function loadTests(tx: Tx, { id, courseId }: ShiftRequest['group']): Promise<TestRow[]> {
  const { rows } = await tx.execute<TestRow>(sql`select q.id as "quizId", q.title, q.open_at as "openAt",
      q.close_at as "closeAt", case when o.id is not null then jsonb_build_object('openAt', o.open_at,
        'closeAt', o.close_at, 'timeLimitSec', o.time_limit_sec, 'extraAttempts', o.extra_attempts,
        'extraTimeSec', o.extra_time_sec) end as override
    from quiz q left join quiz_override o on o.tenant_id = q.tenant_id and o.quiz_id = q.id and o.group_id = ${id}
    where q.tenant_id = current_tenant() and q.course_id = ${courseId} and q.deleted_at is null
    order by q.id`)
  return rows
}

function planTests(rows: readonly TestRow[], request: ShiftRequest) {
  const { group, days } = request
  const start = startOfShift(request)
  const dates: ShiftedDate[] = []
  const tests: ShiftPlan['tests'] = []
  for (const { quizId, title, openAt, closeAt, override } of rows) {
    const move = (own: string | null | undefined, ofQuiz: string | null) => {
      const at = own ?? ofQuiz
      const before = at ? new Date(at) : null
      return before && before >= start ? { before, after: addDays(before, days, group.timeZone) } : null
    }
    const [opens, closes] = [move(override?.openAt, openAt), move(override?.closeAt, closeAt)]
    if (!opens && !closes) continue
    if (closes) dates.push({ kind: 'test', title, ...closes, otherGroups: null })
    const before = override && { ...override, openAt: isoOf(override.openAt), closeAt: isoOf(override.closeAt) }
    const kept = before ?? { openAt: null, closeAt: null, timeLimitSec: null, extraAttempts: 0, extraTimeSec: 0 }
    const after = {
      ...kept,
      openAt: opens ? opens.after.toISOString() : kept.openAt,
      closeAt: closes ? closes.after.toISOString() : kept.closeAt,
    }
    tests.push({ quizId, before, after })
  }
  return { dates, tests }
}

const isoOf = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString())
