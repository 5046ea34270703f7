import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { SUBMISSION_STATES } from '#lib/core/shared/learning.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { accessGrant, accessOverride, studyGroup } from '../learning/table.ts'
import { course, courseModule, lesson } from '../table.ts'
import {
  buildGrant,
  courseFields,
  type Enrolment,
  firstOpened,
  grantFields,
  groupFields,
  groupOfGrant,
  type LessonWithProgress,
  lessonFields,
  loadOverrides,
  moduleOfLesson,
  outlineOrder,
  visibleLessons,
} from './enrolment.ts'

/** One of the students of a course. */
export interface RosterStudent {
  studentId: string
  name: string
  email: string
  enrolment: Enrolment
}

export type CourseRoster = Awaited<ReturnType<typeof loadCourseRoster>>

/**
 * Loads the course, its lessons and the enrolments of the given students in five statements, in the given order.
 * Refuses with not_found for an unknown course; members who are not students are omitted.
 */
export async function loadCourseRoster(tx: Tx, courseId: string, studentIds: readonly string[]) {
  const [courseRow] = await tx
    .select({ course: courseFields, zone: tenant.timeZone })
    .from(course)
    .innerJoin(tenant, eq(tenant.id, course.tenantId))
    .where(eq(course.id, courseId))
  if (!courseRow) throw new Refusal('not_found')
  const lessons = await tx
    .select(lessonFields)
    .from(lesson)
    .innerJoin(courseModule, moduleOfLesson)
    .where(visibleLessons(courseId))
    .orderBy(...outlineOrder)
  const overrides = await loadOverrides(
    tx,
    courseId,
    or(isNull(accessOverride.studentId), inArray(accessOverride.studentId, [...studentIds])),
  )
  const rows = studentIds.length === 0 ? [] : await selectGrants(tx, courseId, studentIds)
  const progress =
    studentIds.length === 0
      ? new Map<string, LessonProgressFields[]>()
      : await loadProgress(
          tx,
          courseId,
          studentIds,
          lessons.map(({ id }) => id),
        )
  const byStudent = Map.groupBy(rows, (row) => row.studentId)
  const overridesByStudent = Map.groupBy(overrides, (item) => item.studentId)
  const students = studentIds.flatMap((studentId): RosterStudent[] => {
    const studentRows = byStudent.get(studentId)
    const [person] = studentRows ?? []
    if (!studentRows || !person) return []
    const grants = studentRows.flatMap(({ grant, group, firstOpened }) =>
      grant ? [buildGrant({ ...courseRow, grant, group, firstOpened })] : [],
    )
    const progressOfStudent = progress.get(studentId)
    const study: Enrolment = {
      ...courseRow,
      studentId,
      grants,
      overrides: [...(overridesByStudent.get(studentId) ?? []), ...(overridesByStudent.get(null) ?? [])],
      lessons: lessons.map((item, index) => withProgress(item, progressOfStudent?.[index] ?? NO_PROGRESS)),
    }
    return [{ studentId, name: `${person.firstName} ${person.lastName}`.trim(), email: person.email, enrolment: study }]
  })
  return { ...courseRow, lessons, overrides, rows, students }
}

/** Copied field by field: spreading thousands of objects is slow. */
function withProgress(
  lesson: Omit<LessonWithProgress, keyof LessonProgressFields>,
  progress: LessonProgressFields,
): LessonWithProgress {
  return {
    id: lesson.id,
    moduleId: lesson.moduleId,
    moduleTitle: lesson.moduleTitle,
    title: lesson.title,
    durationMinutes: lesson.durationMinutes,
    completionRule: lesson.completionRule,
    availability: lesson.availability,
    moduleAvailability: lesson.moduleAvailability,
    required: lesson.required,
    taskCount: lesson.taskCount,
    openedAt: progress.openedAt,
    lastOpenedAt: progress.lastOpenedAt,
    completedAt: progress.completedAt,
    homeworkState: progress.homeworkState,
    homeworkAcceptedAt: progress.homeworkAcceptedAt,
    testPassedAt: progress.testPassedAt,
  }
}

type LessonProgressFields = Pick<
  LessonWithProgress,
  'openedAt' | 'lastOpenedAt' | 'completedAt' | 'homeworkState' | 'homeworkAcceptedAt' | 'testPassedAt'
>

const NO_PROGRESS: LessonProgressFields = {
  openedAt: null,
  lastOpenedAt: null,
  completedAt: null,
  homeworkState: null,
  homeworkAcceptedAt: null,
  testPassedAt: null,
}

function selectGrants(tx: Tx, courseId: string, studentIds: readonly string[]) {
  return tx
    .select({
      studentId: membership.id,
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
      grant: grantFields,
      group: groupFields,
      firstOpened,
    })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .innerJoin(course, and(eq(course.tenantId, membership.tenantId), eq(course.id, courseId)))
    .leftJoin(
      accessGrant,
      and(
        eq(accessGrant.tenantId, membership.tenantId),
        eq(accessGrant.courseId, courseId),
        eq(accessGrant.studentId, membership.id),
      ),
    )
    .leftJoin(studyGroup, groupOfGrant)
    .where(and(inArray(membership.id, [...studentIds]), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
    .orderBy(accessGrant.createdAt, accessGrant.id)
}

/**
 * Progress of each student by the position of the lesson. A page has 50 students and 300 lessons: separate rows would
 * cost ten times the rest of the page, so the database packs one string per student.
 */
async function loadProgress(tx: Tx, courseId: string, studentIds: readonly string[], lessonIds: readonly string[]) {
  const { rows } = await tx.execute<{ student_id: string; packed: string }>(sql`
    select p.student_id, string_agg(concat(s.place, ',', ${epochMs('opened_at')}, ',', ${epochMs('completed_at')}, ',',
      ${epochMs('homework_accepted_at')}, ',', ${epochMs('test_passed_at')}, ',', p.homework_state), ';') as packed
    from lesson_progress p
    join unnest(${sql.param(lessonIds)}::uuid[]) with ordinality s(lesson_id, place) on s.lesson_id = p.lesson_id
    where p.course_id = ${courseId} and p.student_id = any(${sql.param(studentIds)}::uuid[])
    group by p.student_id`)
  return new Map(rows.map(({ student_id, packed }) => [student_id, parseProgress(packed, lessonIds.length)]))
}

/** Milliseconds since 1970, or null. */
const epochMs = (column: string) => sql`(date_part('epoch', p.${sql.identifier(column)}) * 1000)::bigint`

function parseProgress(packed: string, lessonCount: number): LessonProgressFields[] {
  const progress = new Array<LessonProgressFields>(lessonCount).fill(NO_PROGRESS)
  for (const entry of packed.split(';')) {
    const [position = '', opened, completed, accepted, passed, state] = entry.split(',')
    progress[Number(position) - 1] = {
      openedAt: parseInstant(opened),
      lastOpenedAt: null,
      completedAt: parseInstant(completed),
      homeworkAcceptedAt: parseInstant(accepted),
      testPassedAt: parseInstant(passed),
      homeworkState: SUBMISSION_STATES.find((known) => known === state) ?? null,
    }
  }
  return progress
}

const parseInstant = (milliseconds: string | undefined): Date | null =>
  milliseconds ? new Date(Number(milliseconds)) : null
