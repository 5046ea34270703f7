import { and, asc, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { tenant } from '#lib/tenant/table.ts'
import { accessGrant, accessOverride, lessonProgress, studyGroup } from '../learning/table.ts'
import { course, courseModule, lesson } from '../table.ts'
import { accessOfGrant, courseAccess, type GrantFacts, outlineAccess } from './access.ts'
import type { Access } from './access-reason.ts'
import type { LessonFacts } from './access-rule.ts'

export interface LessonWithProgress extends LessonFacts {
  moduleTitle: string
  durationMinutes: number | null
  completionRule: (typeof lesson.$inferSelect)['completionRule']
  lastOpenedAt: Date | null
}

/** The fields of its study group that a grant's access depends on. */
export interface GroupOfGrant {
  name: string
  startAt: Date
  endAt: Date | null
  timeZone: string
  scheduleOffsetDays: number
}

export interface EnrolmentGrant extends GrantFacts {
  studentId: string
  sourceType: (typeof accessGrant.$inferSelect)['sourceType']
  sourceId: string | null
  revokedReason: string | null
  /** Curators review the homework of the student and answer questions. */
  withReview: boolean
  /** The study group behind the grant. */
  group: GroupOfGrant | null
}

/** Everything that decides the access of one student in one course. */
export type Enrolment = Awaited<ReturnType<typeof loadEnrolment>>

/**
 * Loads the course, grants (including revoked), overrides and lessons with progress of one student, in three
 * statements. With `asOf`, later progress and overrides are ignored. Refuses with not_found for an unknown course; a
 * student without grants gets an empty list. The caller checks the permission.
 */
export async function loadEnrolment(tx: Tx, query: { studentId: string; courseId: string | SQL<string>; asOf?: Date }) {
  const { studentId, courseId, asOf } = query
  const courseRows = tx
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
  const ofStudent = or(isNull(accessOverride.studentId), eq(accessOverride.studentId, studentId))
  const [rows, overrides, lessons] = await Promise.all([
    courseRows,
    loadOverrides(tx, courseId, ofStudent, asOf),
    loadLessons(tx, courseId, studentId),
  ])
  const [firstRow] = rows
  if (!firstRow) throw new Refusal('not_found')
  const { course: facts, zone } = firstRow
  const grants = rows.flatMap((row) => (row.grant ? [buildGrant({ ...row, grant: row.grant }, asOf)] : []))
  const lessonsAsOf = asOf ? lessons.map((item) => ({ ...item, ...progressAsOf(item, asOf) })) : lessons
  return { studentId, course: facts, zone, grants, overrides, lessons: lessonsAsOf }
}

/** Access of the student to the course. */
export const courseAccessOf = ({ course, grants }: Enrolment, now: Date): Access => courseAccess(course, grants, now)

/**
 * Whether curators review the homework of the student and answer questions: at least one current grant includes it. A
 * student who has bought the course without it keeps it by another grant.
 */
export const hasCuratorSupport = ({ grants }: Pick<Enrolment, 'grants'>, now: Date): boolean =>
  grants.some((grant) => grant.withReview && accessOfGrant(grant, now).allow)

/** Access of the student to each lesson, in the order of the outline. */
export const outlineAccessOf = ({ course, grants, overrides, lessons }: Enrolment, now: Date): Access[] =>
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
  withReview: accessGrant.withReview,
  withCertificate: accessGrant.withCertificate,
  orderId: accessGrant.orderId,
}

export const groupFields = {
  name: studyGroup.name,
  startAt: studyGroup.startAt,
  endAt: studyGroup.endAt,
  timeZone: studyGroup.timeZone,
  scheduleOffsetDays: studyGroup.scheduleOffsetDays,
}

/** First opening of a lesson of the course by the grant's student; selected only where the rules count from it. */
export const firstOpened = sql<Date | null>`case when ${course.startFrom} = 'opening' then
  (select min(p.opened_at) from lesson_progress p where p.tenant_id = ${accessGrant.tenantId}
    and p.course_id = ${accessGrant.courseId} and p.student_id = ${accessGrant.studentId}) end`.mapWith(
  (at: string | null) => (at === null ? null : new Date(at)),
)

/** Joins the study group of a grant. */
export const groupOfGrant = and(
  eq(studyGroup.tenantId, accessGrant.tenantId),
  eq(studyGroup.id, accessGrant.sourceId),
  eq(accessGrant.sourceType, 'group'),
)

interface GrantRow {
  course: { startFrom: (typeof course.$inferSelect)['startFrom'] }
  /** Time zone of the tenant. */
  zone: string
  grant: Omit<
    typeof accessGrant.$inferSelect,
    'tenantId' | 'orderId' | 'courseId' | 'createdAt' | 'withReview' | 'withCertificate'
  > & {
    withReview?: boolean
  }
  group: GroupOfGrant | null
  firstOpened: Date | null
}

/**
 * Builds the input of the access functions; a grant of a group starts with the group and ends with it unless it has its
 * own end.
 */
export function buildGrant(
  { course: { startFrom }, zone, grant, group, firstOpened: opened }: GrantRow,
  asOf?: Date,
): EnrolmentGrant {
  const startsAt = group && group.startAt > grant.startsAt ? group.startAt : grant.startsAt
  const starts = {
    group: group?.startAt ?? startsAt,
    grant: startsAt,
    opening: opened && asOf && opened > asOf ? null : opened,
  }
  return {
    ...grant,
    withReview: grant.withReview ?? true,
    startsAt,
    endsAt: grant.endsAt ?? group?.endAt ?? null,
    start: starts[startFrom],
    group,
    groupId: grant.sourceType === 'group' ? grant.sourceId : null,
    zone: group?.timeZone ?? zone,
    scheduleOffsetDays: group?.scheduleOffsetDays ?? 0,
  }
}

/** Overrides of a course within `scope` that are in force now, or at `asOf`. */
export function loadOverrides(tx: Tx, courseId: string | SQL<string>, scope: SQL | undefined, asOf?: Date) {
  const { id, studentId, groupId, lessonId, effect, days, note, by, at, endedAt } = accessOverride
  const isInForce = asOf ? and(lte(at, asOf), or(isNull(endedAt), gt(endedAt, asOf))) : isNull(endedAt)
  return tx
    .select({ id, studentId, groupId, lessonId, effect, days, note, by, at })
    .from(accessOverride)
    .where(and(eq(accessOverride.courseId, courseId), scope, isInForce))
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

/** Condition: lessons of a course that students can see. */
export const visibleLessons = (courseId: string | SQL<string>) =>
  and(
    eq(lesson.courseId, courseId),
    sql`${lesson.publishedVersion} is not null and not ${lesson.hidden} and not ${courseModule.hidden}
      and ${lesson.deletedAt} is null and ${courseModule.deletedAt} is null`,
  )

export const moduleOfLesson = and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId))
export const outlineOrder = [
  asc(courseModule.position),
  asc(courseModule.id),
  asc(lesson.position),
  asc(lesson.id),
] as const

function loadLessons(tx: Tx, courseId: string | SQL<string>, studentId: string): Promise<LessonWithProgress[]> {
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
    .where(visibleLessons(courseId))
    .orderBy(...outlineOrder)
}

function progressAsOf(progress: LessonWithProgress, asOf: Date) {
  const upTo = (at: Date | null): Date | null => (at && at <= asOf ? at : null)
  const homeworkAcceptedAt = upTo(progress.homeworkAcceptedAt)
  return {
    openedAt: upTo(progress.openedAt),
    lastOpenedAt: upTo(progress.lastOpenedAt),
    completedAt: upTo(progress.completedAt),
    homeworkAcceptedAt,
    testPassedAt: upTo(progress.testPassedAt),
    homeworkState: progress.homeworkState === 'accepted' && !homeworkAcceptedAt ? null : progress.homeworkState,
  }
}
