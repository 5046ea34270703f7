import { and, asc, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { EMPTY_DOC } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { instantOfWallTime } from '#lib/core/shared/time-zone.ts'
import { membership, user } from '#lib/user/table.ts'
import { loadGroups } from '../group/group.ts'
import { isEnrolled } from '../learning/enrolled.ts'
import { lessonParts, loadLessonFiles } from '../learning/lesson-parts.ts'
import { courseSummary, studentOutline } from '../learning/student-outline.ts'
import { accessGrant } from '../learning/table.ts'
import { isAssigned, requireAllowed, requireCourseViewer } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import { lesson } from '../table.ts'
import type { Access } from './access-reason.ts'
import {
  buildGrant,
  courseAccessOf,
  type Enrolment,
  type GroupOfGrant,
  type LessonWithProgress,
  loadEnrolment,
  outlineAccessOf,
} from './enrolment.ts'
import type { PreviewCourse } from './schema.ts'

/**
 * Shows a course or a lesson as a student, a group member or a new student sees it at a moment, with the functions that
 * enforce access. Writes neither visits nor progress. Refuses with forbidden (previewing as a student or group requires
 * the right to manage them), not_found.
 */
export async function previewCourse(actor: Actor, input: PreviewCourse, locale: Locale) {
  requireCourseViewer(actor)
  const { courseId, studentId, groupId, lessonId, assumeCompleted, at: wallTime } = input
  return inTenant(actor, async (tx) => {
    const manages = canManageStudents(actor, await isAssigned(tx, actor, courseId))
    if (studentId || groupId) requireAllowed(manages)
    const groups = manages.allow ? await loadGroups(tx, courseId) : []
    const group = groups.find(({ id }) => id === groupId)
    if (groupId && !group) throw new Refusal('not_found')
    const zone = group?.timeZone ?? actor.tenantTimeZone
    const at = wallTime ? instantOfWallTime(Date.parse(`${wallTime}:00Z`), zone) : new Date()
    const stored = await loadEnrolment(tx, { studentId: studentId ?? NO_STUDENT_ID, courseId, asOf: at })
    if (studentId && stored.grants.length === 0) throw new Refusal('not_found')
    const enrolled = studentId ? stored : { ...stored, grants: [previewGrant(stored, group, at)] }
    const enrolment = assumeCompleted ? withLessonsDone(enrolled, at) : enrolled
    const results = outlineAccessOf(enrolment, at)
    return {
      course: courseSummary(enrolment),
      at,
      zone,
      access: courseAccessOf(enrolment, at),
      ...studentOutline(enrolment, results),
      lesson: lessonId ? await loadPreviewedLesson(tx, actor, enrolment, { lessonId, answers: results, locale }) : null,
      groups: groups
        .filter(({ archivedAt, id }) => !archivedAt || id === groupId)
        .map(({ id, name }) => ({ id, name })),
      students: manages.allow ? await listStudentChoices(tx, courseId, studentId) : [],
    }
  })
}

const NO_STUDENT_ID = '00000000-0000-0000-0000-000000000000'

/** The grant of a student who joined the group in time, or who gets access at that moment. */
function previewGrant(enrolment: Enrolment, group: (GroupOfGrant & { id: string }) | undefined, at: Date) {
  const grant = {
    id: 'preview',
    studentId: NO_STUDENT_ID,
    startsAt: group?.startAt ?? at,
    endsAt: null,
    frozen: [],
    moduleIds: null,
    revokedAt: null,
    revokedReason: null,
    ...(group
      ? { sourceType: 'group' as const, sourceId: group.id }
      : { sourceType: 'manual' as const, sourceId: null }),
  }
  return buildGrant({ ...enrolment, grant, group: group ?? null, firstOpened: group?.startAt ?? at })
}

/** The enrolment with every lesson completed and accepted at its opening, so that only the schedule decides. */
function withLessonsDone(enrolment: Enrolment, at: Date): Enrolment {
  const startedAt = new Date(Math.min(at.getTime(), ...enrolment.grants.map(({ startsAt }) => startsAt.getTime())))
  const progress = {
    openedAt: startedAt,
    completedAt: startedAt,
    homeworkAcceptedAt: startedAt,
    testPassedAt: startedAt,
  }
  return { ...enrolment, lessons: enrolment.lessons.map((item) => ({ ...item, ...progress })) }
}

interface PreviewedLesson {
  lessonId: string
  answers: readonly Access[]
  locale: Locale
}

async function loadPreviewedLesson(
  tx: Tx,
  actor: Actor,
  enrolment: Enrolment,
  { lessonId, answers, locale }: PreviewedLesson,
) {
  const index = enrolment.lessons.findIndex(({ id }) => id === lessonId)
  const current = enrolment.lessons[index]
  const access = answers[index]
  if (!current || !access) throw new Refusal('not_found')
  const summary = { id: current.id, title: current.title, durationMinutes: current.durationMinutes, access }
  const toLink = (item: LessonWithProgress | undefined) => item && { id: item.id, title: item.title }
  const adjacent = {
    previous: toLink(enrolment.lessons[index - 1]) ?? null,
    next: toLink(enrolment.lessons[index + 1]) ?? null,
  }
  if (!access.allow) return { ...summary, ...adjacent, parts: null }
  const [[text], files] = await Promise.all([
    tx.select({ blocks: lesson.publishedBlocks }).from(lesson).where(eq(lesson.id, lessonId)),
    loadLessonFiles(tx, actor, lessonId),
  ])
  const { parts } = lessonParts(actor, text?.blocks ?? EMPTY_DOC, files, locale)
  return { ...summary, ...adjacent, parts }
}

/** Students for the selection: the first 200 by name, and always the selected one. */
async function listStudentChoices(tx: Tx, courseId: string, studentId: string | undefined) {
  const rows = await tx
    .selectDistinct({ id: membership.id, firstName: user.firstName, lastName: user.lastName, email: user.email })
    .from(accessGrant)
    .innerJoin(membership, and(eq(membership.tenantId, accessGrant.tenantId), eq(membership.id, accessGrant.studentId)))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(accessGrant.courseId, courseId), studentId ? undefined : isEnrolled))
    .orderBy(asc(user.lastName), asc(user.firstName), asc(membership.id))
    .limit(MAX_CHOICES)
  const students = rows.map(({ id, firstName, lastName, email }) => ({
    id,
    name: `${firstName} ${lastName}`.trim() || email,
  }))
  if (!studentId || students.some(({ id }) => id === studentId)) return students
  const [selected] = await tx
    .select({ id: membership.id, firstName: user.firstName, lastName: user.lastName, email: user.email })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.id, studentId))
  return selected
    ? [{ id: selected.id, name: `${selected.firstName} ${selected.lastName}`.trim() || selected.email }, ...students]
    : students
}

const MAX_CHOICES = 200
