import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership, user } from '#lib/user/table.ts'
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
import { accessGrant, accessOverride, lessonProgress, studyGroup } from './study-table.ts'
import { course, courseModule, lesson } from './table.ts'

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
  const progress = studentIds.length === 0 ? new Map() : await progressOf(tx, courseId, studentIds)
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
      ...{ ...about, studentId, grants },
      overrides: [...(saidOf.get(studentId) ?? []), ...(saidOf.get(null) ?? [])],
      lessons: lessons.map((one) => ({ ...one, ...(done?.get(one.id) ?? UNTOUCHED) })),
    }
    return [{ studentId, name: `${person.firstName} ${person.lastName}`.trim(), email: person.email, study }]
  })
  return { ...about, lessons, overrides, rows, pupils }
}

type Done = Pick<
  StudyLesson,
  'openedAt' | 'lastOpenedAt' | 'completedAt' | 'homeworkState' | 'homeworkAcceptedAt' | 'testPassedAt'
>

const UNTOUCHED: Done = {
  ...{ openedAt: null, lastOpenedAt: null, completedAt: null },
  ...{ homeworkState: null, homeworkAcceptedAt: null, testPassedAt: null },
}

function grantsOf(tx: Tx, courseId: string, studentIds: readonly string[]) {
  return tx
    .select({
      ...{ studentId: membership.id, firstName: user.firstName, lastName: user.lastName, email: user.email },
      ...{ grant: grantFields, group: groupFields, firstOpened },
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

async function progressOf(tx: Tx, courseId: string, studentIds: readonly string[]) {
  const { studentId, lessonId, openedAt, lastOpenedAt, completedAt } = lessonProgress
  const { homeworkState, homeworkAcceptedAt, testPassedAt } = lessonProgress
  const rows = await tx
    .select({
      ...{ studentId, lessonId, openedAt, lastOpenedAt, completedAt },
      ...{ homeworkState, homeworkAcceptedAt, testPassedAt },
    })
    .from(lessonProgress)
    .where(and(eq(lessonProgress.courseId, courseId), inArray(studentId, [...studentIds])))
  const found = new Map<string, Map<string, Done>>()
  for (const { studentId, lessonId, ...done } of rows) {
    const own = found.get(studentId) ?? new Map<string, Done>()
    found.set(studentId, own)
    own.set(lessonId, done)
  }
  return found
}
