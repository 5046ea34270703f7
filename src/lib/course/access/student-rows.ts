import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { HOMEWORK_STATES } from '#lib/core/shared/learning.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { accessGrant, accessOverride, studyGroup } from '../learning/table.ts'
import { course, courseModule, lesson } from '../table.ts'
import {
  courseFields,
  firstOpened,
  grantFields,
  grantOf,
  groupFields,
  groupOfGrant,
  inOrder,
  lessonFields,
  loadOverrides,
  moduleOfLesson,
  type Study,
  type StudyLesson,
  shownOf,
} from './enrolment.ts'

/** One of many students before the same course. */
export interface Pupil {
  studentId: string
  name: string
  email: string
  study: Study
}

export type ClassRoom = Awaited<ReturnType<typeof loadClass>>

/**
 * Course, lessons, and all that decides what each of these students has open: five statements for any number of them, in
 * the order asked. Refuses with not_found for a course that is not there; whoever is no student of the school is left out.
 */
export async function loadClass(tx: Tx, courseId: string, studentIds: readonly string[]) {
  const [about] = await tx
    .select({ course: courseFields, zone: tenant.timeZone })
    .from(course)
    .innerJoin(tenant, eq(tenant.id, course.tenantId))
    .where(eq(course.id, courseId))
  if (!about) throw new Refusal('not_found')
  const lessons = await tx
    .select(lessonFields)
    .from(lesson)
    .innerJoin(courseModule, moduleOfLesson)
    .where(shownOf(courseId))
    .orderBy(...inOrder)
  const overrides = await loadOverrides(
    tx,
    courseId,
    or(isNull(accessOverride.studentId), inArray(accessOverride.studentId, [...studentIds])),
  )
  const rows = studentIds.length === 0 ? [] : await grantsOf(tx, courseId, studentIds)
  const progress =
    studentIds.length === 0
      ? new Map<string, Done[]>()
      : await progressOf(
          tx,
          courseId,
          studentIds,
          lessons.map(({ id }) => id),
        )
  const byStudent = Map.groupBy(rows, (row) => row.studentId)
  const saidOf = Map.groupBy(overrides, (one) => one.studentId)
  const pupils = studentIds.flatMap((studentId): Pupil[] => {
    const own = byStudent.get(studentId)
    const [person] = own ?? []
    if (!own || !person) return []
    const grants = own.flatMap(({ grant, group, firstOpened }) =>
      grant ? [grantOf({ ...about, grant, group, firstOpened })] : [],
    )
    const done = progress.get(studentId)
    const study: Study = {
      ...about,
      studentId,
      grants,
      overrides: [...(saidOf.get(studentId) ?? []), ...(saidOf.get(null) ?? [])],
      lessons: lessons.map((one, place) => withProgress(one, done?.[place] ?? UNTOUCHED)),
    }
    return [{ studentId, name: `${person.firstName} ${person.lastName}`.trim(), email: person.email, study }]
  })
  return { ...about, lessons, overrides, rows, pupils }
}

/** Field by field: of thousands on a page, spreading would be the slowest thing. */
function withProgress(one: Omit<StudyLesson, keyof Done>, done: Done): StudyLesson {
  return {
    id: one.id,
    moduleId: one.moduleId,
    moduleTitle: one.moduleTitle,
    title: one.title,
    durationMinutes: one.durationMinutes,
    completionRule: one.completionRule,
    availability: one.availability,
    moduleAvailability: one.moduleAvailability,
    required: one.required,
    taskCount: one.taskCount,
    openedAt: done.openedAt,
    lastOpenedAt: done.lastOpenedAt,
    completedAt: done.completedAt,
    homeworkState: done.homeworkState,
    homeworkAcceptedAt: done.homeworkAcceptedAt,
    testPassedAt: done.testPassedAt,
  }
}

type Done = Pick<
  StudyLesson,
  'openedAt' | 'lastOpenedAt' | 'completedAt' | 'homeworkState' | 'homeworkAcceptedAt' | 'testPassedAt'
>

const UNTOUCHED: Done = {
  openedAt: null,
  lastOpenedAt: null,
  completedAt: null,
  homeworkState: null,
  homeworkAcceptedAt: null,
  testPassedAt: null,
}

function grantsOf(tx: Tx, courseId: string, studentIds: readonly string[]) {
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
 * What each student did in each of the lessons, by its place among them. A page has fifty students by three hundred
 * lessons: as rows they would cost ten times the rest of the page, so the database writes one line a student.
 */
async function progressOf(tx: Tx, courseId: string, studentIds: readonly string[], lessonIds: readonly string[]) {
  const { rows } = await tx.execute<{ student_id: string; line: string }>(sql`
    select p.student_id, string_agg(concat(s.place, ',', ${epoch('opened_at')}, ',', ${epoch('completed_at')}, ',',
      ${epoch('homework_accepted_at')}, ',', ${epoch('test_passed_at')}, ',', p.homework_state), ';') as line
    from lesson_progress p
    join unnest(${sql.param(lessonIds)}::uuid[]) with ordinality s(lesson_id, place) on s.lesson_id = p.lesson_id
    where p.course_id = ${courseId} and p.student_id = any(${sql.param(studentIds)}::uuid[])
    group by p.student_id`)
  return new Map(rows.map(({ student_id, line }) => [student_id, doneOf(line, lessonIds.length)]))
}

/** Milliseconds since 1970; nothing where there is none. */
const epoch = (column: string) => sql`(date_part('epoch', p.${sql.identifier(column)}) * 1000)::bigint`

function doneOf(line: string, lessons: number): Done[] {
  const done = new Array<Done>(lessons).fill(UNTOUCHED)
  for (const one of line.split(';')) {
    const [place = '', opened, completed, accepted, passed, state] = one.split(',')
    done[Number(place) - 1] = {
      openedAt: momentOf(opened),
      lastOpenedAt: null,
      completedAt: momentOf(completed),
      homeworkAcceptedAt: momentOf(accepted),
      testPassedAt: momentOf(passed),
      homeworkState: HOMEWORK_STATES.find((known) => known === state) ?? null,
    }
  }
  return done
}

const momentOf = (milliseconds: string | undefined): Date | null =>
  milliseconds ? new Date(Number(milliseconds)) : null
