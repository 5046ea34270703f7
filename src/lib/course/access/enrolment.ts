import { and, asc, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { tenant } from '#lib/tenant/table.ts'
import { accessGrant, accessOverride, lessonProgress, studyGroup } from '../learning/table.ts'
import { course, courseModule, lesson } from '../table.ts'
import { courseAccess, type GrantFacts, outlineAccess } from './access.ts'
import type { Access } from './access-reason.ts'
import type { LessonFacts } from './access-rule.ts'

export interface StudyLesson extends LessonFacts {
  moduleTitle: string
  durationMinutes: number | null
  completionRule: (typeof lesson.$inferSelect)['completionRule']
  lastOpenedAt: Date | null
}

export interface StudyGrant extends GrantFacts {
  studentId: string
  sourceType: (typeof accessGrant.$inferSelect)['sourceType']
  sourceId: string | null
  revokedReason: string | null
  /** The group that gives it. */
  group: { name: string; startAt: Date; endAt: Date | null; timeZone: string } | null
}

/** All that decides what one student has open in one course. */
export type Study = Awaited<ReturnType<typeof loadStudy>>

/**
 * Course, grants (revoked ones too), overrides and lessons with progress of one student: three statements, whatever the
 * course's size. With `asOf` what was done or said by hand later is left out. Refuses with not_found for a course that
 * is not there; a student without any grant comes with none. The caller decides who may ask.
 */
export async function loadStudy(tx: Tx, ask: { studentId: string; courseId: string; asOf?: Date }) {
  const { studentId, courseId, asOf } = ask
  const rows = await tx
    .select({ course: courseFields, zone: tenant.timeZone, grant: grantFields, group: groupFields, firstOpened })
    .from(course)
    .innerJoin(tenant, eq(tenant.id, course.tenantId))
    .leftJoin(
      accessGrant,
      and(
        eq(accessGrant.tenantId, course.tenantId),
        eq(accessGrant.courseId, course.id),
        eq(accessGrant.studentId, studentId),
      ),
    )
    .leftJoin(studyGroup, groupOfGrant)
    .where(eq(course.id, courseId))
    .orderBy(asc(accessGrant.createdAt), asc(accessGrant.id))
  const [first] = rows
  if (!first) throw new Refusal('not_found')
  const { course: facts, zone } = first
  const grants = rows.flatMap((row) => (row.grant ? [grantOf({ ...row, grant: row.grant }, asOf)] : []))
  const overrides = await loadOverrides(
    tx,
    courseId,
    or(isNull(accessOverride.studentId), eq(accessOverride.studentId, studentId)),
    asOf,
  )
  const lessons = await lessonsOf(tx, courseId, studentId)
  const seen = asOf ? lessons.map((one) => ({ ...one, ...progressAsOf(one, asOf) })) : lessons
  return { studentId, course: facts, zone, grants, overrides, lessons: seen }
}

/** Whether the student may enter the course. */
export const entryOf = ({ course, grants }: Study, now: Date): Access => courseAccess(course, grants, now)

/** Whether each of the lessons is open, in their order. */
export const accessOf = ({ course, grants, overrides, lessons }: Study, now: Date): Access[] =>
  outlineAccess(course, grants, overrides, lessons, now)

export const courseFields = {
  id: course.id,
  title: course.title,
  shortDescription: course.shortDescription,
  coverFileId: course.coverFileId,
  language: course.language,
  lessonNumbering: course.lessonNumbering,
  total: course.publishedLessonCount,
  status: course.status,
  accessStart: course.accessStart,
  accessEnd: course.accessEnd,
  progression: course.progression,
  startFrom: course.startFrom,
}

export const grantFields = {
  id: accessGrant.id,
  studentId: accessGrant.studentId,
  sourceType: accessGrant.sourceType,
  sourceId: accessGrant.sourceId,
  startsAt: accessGrant.startsAt,
  endsAt: accessGrant.endsAt,
  revokedAt: accessGrant.revokedAt,
  revokedReason: accessGrant.revokedReason,
  frozen: accessGrant.frozen,
  moduleIds: accessGrant.moduleIds,
}

export const groupFields = {
  name: studyGroup.name,
  startAt: studyGroup.startAt,
  endAt: studyGroup.endAt,
  timeZone: studyGroup.timeZone,
}

/** When the student of a grant opened a lesson of the course for the first time; asked for only where it counts. */
export const firstOpened = sql<Date | null>`case when ${course.startFrom} = 'opening' then
  (select min(p.opened_at) from lesson_progress p where p.tenant_id = ${accessGrant.tenantId}
    and p.course_id = ${accessGrant.courseId} and p.student_id = ${accessGrant.studentId}) end`.mapWith(
  (at: string | null) => (at === null ? null : new Date(at)),
)

/** Joins the group that gives a grant. */
export const groupOfGrant = and(
  eq(studyGroup.tenantId, accessGrant.tenantId),
  eq(studyGroup.id, accessGrant.sourceId),
  eq(accessGrant.sourceType, 'group'),
)

interface GrantRow {
  course: { startFrom: (typeof course.$inferSelect)['startFrom'] }
  /** The school's. */
  zone: string
  grant: Omit<typeof accessGrant.$inferSelect, 'tenantId' | 'courseId' | 'createdAt'>
  group: { name: string; startAt: Date; endAt: Date | null; timeZone: string } | null
  firstOpened: Date | null
}

/** A grant as the access function needs it: one from a group begins with the group and ends with it, or when it says itself. */
export function grantOf(
  { course: { startFrom }, zone, grant, group, firstOpened: opened }: GrantRow,
  asOf?: Date,
): StudyGrant {
  const startsAt = group && group.startAt > grant.startsAt ? group.startAt : grant.startsAt
  const starts = {
    group: group?.startAt ?? startsAt,
    grant: startsAt,
    opening: opened && asOf && opened > asOf ? null : opened,
  }
  return {
    ...grant,
    startsAt,
    endsAt: grant.endsAt ?? group?.endAt ?? null,
    start: starts[startFrom],
    group,
    groupId: grant.sourceType === 'group' ? grant.sourceId : null,
    zone: group?.timeZone ?? zone,
  }
}

/** What was said by hand of a course, by `whom`, and still holds (or held at a moment). */
export function loadOverrides(tx: Tx, courseId: string, whom: SQL | undefined, asOf?: Date) {
  const { id, studentId, groupId, lessonId, effect, days, note, by, at, endedAt } = accessOverride
  const held = asOf ? and(lte(at, asOf), or(isNull(endedAt), gt(endedAt, asOf))) : isNull(endedAt)
  return tx
    .select({ id, studentId, groupId, lessonId, effect, days, note, by, at })
    .from(accessOverride)
    .where(and(eq(accessOverride.courseId, courseId), whom, held))
}

export const lessonFields = {
  id: lesson.id,
  moduleId: courseModule.id,
  moduleTitle: courseModule.title,
  title: sql<string>`${lesson.publishedTitle}`,
  durationMinutes: lesson.durationMinutes,
  completionRule: lesson.completionRule,
  availability: lesson.availability,
  moduleAvailability: courseModule.availability,
  required: lesson.required,
  taskCount: lesson.taskCount,
}

/** What a student can be shown of a course, in its order. */
export const shownOf = (courseId: string) =>
  and(
    eq(lesson.courseId, courseId),
    sql`${lesson.publishedVersion} is not null and not ${lesson.hidden} and not ${courseModule.hidden}
      and ${lesson.deletedAt} is null and ${courseModule.deletedAt} is null`,
  )

export const moduleOfLesson = and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId))
export const inOrder = [asc(courseModule.position), asc(courseModule.id), asc(lesson.position), asc(lesson.id)] as const

function lessonsOf(tx: Tx, courseId: string, studentId: string): Promise<StudyLesson[]> {
  const { openedAt, lastOpenedAt, completedAt, homeworkState, homeworkAcceptedAt, testPassedAt } = lessonProgress
  return tx
    .select({
      ...lessonFields,
      openedAt,
      lastOpenedAt,
      completedAt,
      homeworkState,
      homeworkAcceptedAt,
      testPassedAt,
    })
    .from(lesson)
    .innerJoin(courseModule, moduleOfLesson)
    .leftJoin(
      lessonProgress,
      and(
        eq(lessonProgress.tenantId, lesson.tenantId),
        eq(lessonProgress.lessonId, lesson.id),
        eq(lessonProgress.studentId, studentId),
      ),
    )
    .where(shownOf(courseId))
    .orderBy(...inOrder)
}

function progressAsOf(one: StudyLesson, asOf: Date) {
  const by = (at: Date | null): Date | null => (at && at <= asOf ? at : null)
  const homeworkAcceptedAt = by(one.homeworkAcceptedAt)
  return {
    openedAt: by(one.openedAt),
    lastOpenedAt: by(one.lastOpenedAt),
    completedAt: by(one.completedAt),
    homeworkAcceptedAt,
    testPassedAt: by(one.testPassedAt),
    homeworkState: one.homeworkState === 'accepted' && !homeworkAcceptedAt ? null : one.homeworkState,
  }
}
