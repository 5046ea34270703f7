import { and, asc, eq, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { atWall } from '#lib/core/shared/zone.ts'
import { membership, user } from '#lib/user/table.ts'
import { aboutCourse, outlineOf } from '../learning/study-outline.ts'
import { openParts } from '../learning/study-parts.ts'
import { accessGrant } from '../learning/table.ts'
import { isAssigned, must, mustSee } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import { lesson } from '../table.ts'
import type { Access } from './access-reason.ts'
import { accessOf, entryOf, grantOf, loadStudy, type Study, type StudyLesson } from './enrolment.ts'
import { groupsOf } from './group.ts'
import { AskPreview } from './schema.ts'

/**
 * A course, or one of its lessons, as a student, a group or a new student will see it at a moment, by the function that
 * enforces access. Nothing is written down, neither visits nor progress. Refuses with forbidden (a student or a group
 * asks for the right to manage them), not_found.
 */
export async function previewCourse(actor: Actor, input: AskPreview, locale: Locale) {
  mustSee(actor)
  const { courseId, studentId, groupId, lessonId, diligent, at: clock } = AskPreview.parse(input)
  return inTenant(actor, async (tx) => {
    const manages = canManageStudents(actor, await isAssigned(tx, actor, courseId))
    if (studentId || groupId) must(manages)
    const groups = manages.allow ? await groupsOf(tx, courseId) : []
    const group = groups.find(({ id }) => id === groupId)
    if (groupId && !group) throw new Refusal('not_found')
    const zone = group?.timeZone ?? actor.tenantTimeZone
    const at = clock ? atWall(Date.parse(`${clock}:00Z`), zone) : new Date()
    const loaded = await loadStudy(tx, { studentId: studentId ?? NOBODY, courseId, asOf: at })
    if (studentId && loaded.grants.length === 0) throw new Refusal('not_found')
    const enrolled = studentId ? loaded : { ...loaded, grants: [strangersGrant(loaded, group, at)] }
    const study = diligent ? inTime(enrolled, at) : enrolled
    const answers = accessOf(study, at)
    return {
      course: aboutCourse(study),
      at,
      zone,
      access: entryOf(study, at),
      ...outlineOf(study, answers),
      lesson: lessonId ? await lessonAt(tx, actor, study, { lessonId, answers, locale }) : null,
      groups: groups
        .filter(({ archivedAt, id }) => !archivedAt || id === groupId)
        .map(({ id, name }) => ({ id, name })),
      students: manages.allow ? await someStudents(tx, courseId, studentId) : [],
    }
  })
}

const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The grant that somebody would have who joined the group on time, or was let in at that moment. */
function strangersGrant(
  study: Study,
  group: { id: string; name: string; startAt: Date; endAt: Date | null; timeZone: string } | undefined,
  at: Date,
) {
  const grant = {
    id: 'preview',
    studentId: NOBODY,
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
  return grantOf({ ...study, grant, group: group ?? null, firstOpened: group?.startAt ?? at })
}

/** As if each lesson were completed, and its homework accepted, as soon as it opened: leaves the schedule alone. */
function inTime(study: Study, at: Date): Study {
  const begun = new Date(Math.min(at.getTime(), ...study.grants.map(({ startsAt }) => startsAt.getTime())))
  const done = { openedAt: begun, completedAt: begun, homeworkAcceptedAt: begun, testPassedAt: begun }
  return { ...study, lessons: study.lessons.map((one) => ({ ...one, ...done })) }
}

interface Asked {
  lessonId: string
  answers: readonly Access[]
  locale: Locale
}

async function lessonAt(tx: Tx, actor: Actor, study: Study, { lessonId, answers, locale }: Asked) {
  const index = study.lessons.findIndex(({ id }) => id === lessonId)
  const here = study.lessons[index]
  const access = answers[index]
  if (!here || !access) throw new Refusal('not_found')
  const about = { id: here.id, title: here.title, durationMinutes: here.durationMinutes, access }
  const neighbour = (one: StudyLesson | undefined) => one && { id: one.id, title: one.title }
  const beside = {
    previous: neighbour(study.lessons[index - 1]) ?? null,
    next: neighbour(study.lessons[index + 1]) ?? null,
  }
  if (!access.allow) return { ...about, ...beside, parts: null }
  const [text] = await tx.select({ blocks: lesson.publishedBlocks }).from(lesson).where(eq(lesson.id, lessonId))
  const blocks: LessonDoc = text?.blocks ?? { type: 'doc', content: [{ type: 'paragraph' }] }
  const { parts } = await openParts(tx, actor, blocks, locale)
  return { ...about, ...beside, parts }
}

/** Students to choose from: of a big course the first by name, and always the one that is looked through. */
async function someStudents(tx: Tx, courseId: string, studentId: string | undefined) {
  const rows = await tx
    .selectDistinct({ id: membership.id, firstName: user.firstName, lastName: user.lastName, email: user.email })
    .from(accessGrant)
    .innerJoin(membership, and(eq(membership.tenantId, accessGrant.tenantId), eq(membership.id, accessGrant.studentId)))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(accessGrant.courseId, courseId), studentId ? undefined : isNull(accessGrant.revokedAt)))
    .orderBy(asc(user.lastName), asc(user.firstName), asc(membership.id))
    .limit(CHOICES)
  const students = rows.map(({ id, firstName, lastName, email }) => ({
    id,
    name: `${firstName} ${lastName}`.trim() || email,
  }))
  if (!studentId || students.some(({ id }) => id === studentId)) return students
  const [one] = await tx
    .select({ id: membership.id, firstName: user.firstName, lastName: user.lastName, email: user.email })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.id, studentId))
  return one ? [{ id: one.id, name: `${one.firstName} ${one.lastName}`.trim() || one.email }, ...students] : students
}

const CHOICES = 200
