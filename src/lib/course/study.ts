import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Picture } from '#lib/storage/storage.ts'
import { file } from '#lib/storage/table.ts'
import { type Access, courseAccess, type GrantFacts, type LessonFacts, lessonAccess } from './access.ts'
import { isVisible } from './counters.ts'
import { announceProgress } from './live.ts'
import { mustStudy } from './permission.ts'
import { coverOf, pictureFields, picturesIn, shownCover } from './pictures.ts'
import { renderLesson } from './render.ts'
import { CourseId, type LessonDoc, LessonId } from './schema.ts'
import { accessGrant, lessonProgress } from './study-table.ts'
import { course, courseModule, lesson } from './table.ts'

export interface StudiedCourse {
  id: string
  title: string
  shortDescription: string
  cover: Picture | null
  access: Access
  completed: number
  total: number
  lastOpenedAt: Date | null
  /** The lesson to go on with: the last opened that is not completed, or the first. */
  resume: { id: string; title: string } | null
}

/** The student's courses, the last opened first; one statement. Refuses with forbidden. */
export async function listMyCourses(actor: Actor): Promise<StudiedCourse[]> {
  mustStudy(actor)
  const me = actor.membershipId
  const lastOpened = sql<Date | null>`(select max(p.last_opened_at) from lesson_progress p
    where p.course_id = ${course.id} and p.student_id = ${me})`
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({
        ...about,
        cover: pictureFields,
        grant: grantFields,
        completed: sql<number>`(select count(*) from lesson_progress p
          join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
          join module m on m.tenant_id = l.tenant_id and m.id = l.module_id
          where p.course_id = ${course.id} and p.student_id = ${me}
            and p.completed_at is not null and ${isVisible})`.mapWith(Number),
        lastOpenedAt: lastOpened.mapWith(lessonProgress.lastOpenedAt),
        resume: sql<StudiedCourse['resume']>`(select jsonb_build_object('id', l.id, 'title', l.published_title)
          from lesson l join module m on m.tenant_id = l.tenant_id and m.id = l.module_id
          left join lesson_progress p on p.tenant_id = l.tenant_id and p.lesson_id = l.id and p.student_id = ${me}
          where l.course_id = ${course.id} and p.completed_at is null and ${isVisible}
          order by p.last_opened_at desc nulls last, m.position, m.id, l.position, l.id limit 1)`,
      })
      .from(accessGrant)
      .innerJoin(course, and(eq(course.tenantId, accessGrant.tenantId), eq(course.id, accessGrant.courseId)))
      .leftJoin(file, coverOf)
      .where(and(eq(accessGrant.studentId, me), isNull(accessGrant.revokedAt)))
      .orderBy(sql`${lastOpened} desc nulls last`, desc(accessGrant.startsAt)),
  )
  const now = new Date()
  const courses = new Map(rows.map((row) => [row.id, row]))
  return [...courses.values()].map((row) => {
    const { id, title, shortDescription, completed, total, lastOpenedAt, resume } = row
    const grants = rows.filter((one) => one.id === id).map((one) => one.grant)
    const access = courseAccess(row, grants, now)
    const cover = shownCover(actor, row.cover)
    return { id, title, shortDescription, cover, access, completed, total, lastOpenedAt, resume }
  })
}

export interface StudiedLesson {
  id: string
  title: string
  durationMinutes: number | null
  state: 'locked' | 'open' | 'started' | 'done'
  access: Access
}
export interface StudiedModule {
  id: string
  title: string
  lessons: StudiedLesson[]
}

/** A course as its student sees it, every locked lesson with the reason. Refuses with forbidden; not_found without a grant. */
export async function viewCourse(actor: Actor, input: { courseId: string }) {
  mustStudy(actor)
  const { courseId } = CourseId.parse(input)
  return inTenant(actor, async (tx) => {
    const enrolment = await loadEnrolment(tx, actor, courseId)
    return { ...enrolment.view, ...outlineFor(enrolment, await loadLessons(tx, actor, courseId)) }
  })
}

/**
 * A lesson for reading: its HTML, the outline with states, the neighbours; and the visit is written down. A locked lesson
 * comes without text and with the reason in `access`. Refuses with forbidden; not_found without a grant.
 */
export async function openLesson(actor: Actor, input: { lessonId: string }) {
  mustStudy(actor)
  const { lessonId } = LessonId.parse(input)
  return inTenant(actor, async (tx) => {
    const reading = await loadReading(tx, actor, lessonId)
    const { access, text, here } = reading
    if (access.allow) await recordVisit(tx, actor, lessonId, reading.enrolment.view.course.id)
    const order = reading.outline.modules.flatMap((one) => one.lessons)
    return {
      ...{ course: reading.enrolment.view.course, ...reading.outline, access },
      lesson: { id: lessonId, title: here.title, completedAt: here.completedAt, durationMinutes: here.durationMinutes },
      html: access.allow ? renderLesson(text, await picturesIn(tx, actor, text)) : null,
      ...{ previous: order[reading.index - 1] ?? null, next: order[reading.index + 1] ?? null },
    }
  })
}

/** Marks a lesson as done; again keeps the first moment. Refuses with forbidden (locked, with the reason), not_found. */
export const completeLesson = (actor: Actor, input: { lessonId: string }) => markLesson(actor, input, true)

/** Takes the mark back. Refuses as completeLesson. */
export const reopenLesson = (actor: Actor, input: { lessonId: string }) => markLesson(actor, input, false)

async function markLesson(actor: Actor, input: { lessonId: string }, done: boolean) {
  mustStudy(actor)
  const { lessonId } = LessonId.parse(input)
  return inTenant(actor, async (tx) => {
    const { access, enrolment, outline, here, index } = await loadReading(tx, actor, lessonId)
    if (!access.allow) throw new Refusal('forbidden', { data: { because: access.because } })
    const courseId = enrolment.view.course.id
    const completedAt = done ? (here.completedAt ?? new Date()) : null
    await tx
      .insert(lessonProgress)
      .values({ tenantId: actor.tenantId, studentId: actor.membershipId, lessonId, courseId, completedAt })
      .onConflictDoUpdate({
        target: [lessonProgress.tenantId, lessonProgress.studentId, lessonProgress.lessonId],
        set: { completedAt: done ? sql`coalesce(${lessonProgress.completedAt}, now())` : null },
      })
    const before = here.completedAt === null ? 0 : 1
    const completed = outline.completed - before + (done ? 1 : 0)
    const next = outline.modules.flatMap((one) => one.lessons)[index + 1] ?? null
    await announceProgress(actor, courseId, { completed, total: outline.total })
    return { courseId, completedAt, completed, total: outline.total, nextLessonId: next?.id ?? null }
  })
}

const about = {
  id: course.id,
  title: course.title,
  shortDescription: course.shortDescription,
  coverFileId: course.coverFileId,
  total: course.publishedLessonCount,
  status: course.status,
  accessStart: course.accessStart,
  accessEnd: course.accessEnd,
  progression: course.progression,
}

const grantFields = {
  startsAt: accessGrant.startsAt,
  endsAt: accessGrant.endsAt,
  revokedAt: accessGrant.revokedAt,
  frozen: accessGrant.frozen,
  moduleIds: accessGrant.moduleIds,
}

type Enrolment = Awaited<ReturnType<typeof loadEnrolment>>

async function loadEnrolment(tx: Tx, actor: Actor, courseId: string) {
  const rows = await tx
    .select({ ...about, language: course.language, lessonNumbering: course.lessonNumbering, grant: grantFields })
    .from(accessGrant)
    .innerJoin(course, and(eq(course.tenantId, accessGrant.tenantId), eq(course.id, accessGrant.courseId)))
    .where(
      and(
        eq(accessGrant.courseId, courseId),
        eq(accessGrant.studentId, actor.membershipId),
        isNull(accessGrant.revokedAt),
      ),
    )
  const [facts] = rows
  if (!facts) throw new Refusal('not_found')
  const grants: GrantFacts[] = rows.map((row) => row.grant)
  const { id, title, shortDescription, coverFileId, language, lessonNumbering } = facts
  const view = {
    course: { id, title, shortDescription, coverFileId, language, lessonNumbering },
    access: courseAccess(facts, grants, new Date()),
  }
  return { facts, grants, view }
}

type LessonRow = LessonFacts & { moduleTitle: string; durationMinutes: number | null; lastOpenedAt: Date | null }

function loadLessons(tx: Tx, actor: Actor, courseId: string): Promise<LessonRow[]> {
  return tx
    .select({
      id: lesson.id,
      moduleId: courseModule.id,
      moduleTitle: courseModule.title,
      title: sql<string>`${lesson.publishedTitle}`,
      durationMinutes: lesson.durationMinutes,
      availability: lesson.availability,
      moduleAvailability: courseModule.availability,
      required: lesson.required,
      openedAt: lessonProgress.openedAt,
      lastOpenedAt: lessonProgress.lastOpenedAt,
      completedAt: lessonProgress.completedAt,
    })
    .from(lesson)
    .innerJoin(courseModule, and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId)))
    .leftJoin(
      lessonProgress,
      and(
        eq(lessonProgress.tenantId, lesson.tenantId),
        eq(lessonProgress.lessonId, lesson.id),
        eq(lessonProgress.studentId, actor.membershipId),
      ),
    )
    .where(
      and(
        eq(lesson.courseId, courseId),
        sql`${lesson.publishedVersion} is not null and not ${lesson.hidden} and not ${courseModule.hidden}
          and ${lesson.deletedAt} is null and ${courseModule.deletedAt} is null`,
      ),
    )
    .orderBy(asc(courseModule.position), asc(courseModule.id), asc(lesson.position), asc(lesson.id))
}

function outlineFor({ facts, grants }: Enrolment, lessons: LessonRow[]) {
  const now = new Date()
  const modules = new Map<string, StudiedModule>()
  for (const row of lessons) {
    const module = modules.get(row.moduleId) ?? { id: row.moduleId, title: row.moduleTitle, lessons: [] }
    modules.set(row.moduleId, module)
    const access = lessonAccess(facts, grants, lessons, row.id, now)
    const state = access.allow ? (row.completedAt ? 'done' : row.openedAt ? 'started' : 'open') : 'locked'
    module.lessons.push({ id: row.id, title: row.title, durationMinutes: row.durationMinutes, state, access })
  }
  const shown = [...modules.values()]
  const all = shown.flatMap((one) => one.lessons)
  const completed = lessons.filter((row) => row.completedAt !== null).length
  const last = lessons.filter((row) => row.lastOpenedAt && !row.completedAt).sort(latestFirst)[0]
  const resume =
    all.find((one) => one.id === last?.id && one.state !== 'locked') ?? all.find(isToRead) ?? all.find(isOpen)
  return { modules: shown, completed, total: lessons.length, resumeLessonId: resume?.id ?? null }
}

const isToRead = ({ state }: StudiedLesson): boolean => state === 'open' || state === 'started'
const isOpen = ({ state }: StudiedLesson): boolean => state !== 'locked'
const latestFirst = (a: LessonRow, b: LessonRow): number => Number(b.lastOpenedAt) - Number(a.lastOpenedAt)

async function loadReading(tx: Tx, actor: Actor, lessonId: string) {
  const [found] = await tx
    .select({ courseId: lesson.courseId, blocks: lesson.publishedBlocks })
    .from(lesson)
    .where(eq(lesson.id, lessonId))
  if (!found?.blocks) throw new Refusal('not_found')
  const text: LessonDoc = found.blocks
  const enrolment = await loadEnrolment(tx, actor, found.courseId)
  const lessons = await loadLessons(tx, actor, found.courseId)
  const index = lessons.findIndex((one) => one.id === lessonId)
  const here = lessons[index]
  if (!here) throw new Refusal('not_found')
  const access = lessonAccess(enrolment.facts, enrolment.grants, lessons, lessonId, new Date())
  // The visit happens now, so what waits for it to be opened is open in this very answer.
  if (access.allow) here.openedAt ??= new Date()
  return { enrolment, text, here, index, access, outline: outlineFor(enrolment, lessons) }
}

async function recordVisit(tx: Tx, actor: Actor, lessonId: string, courseId: string): Promise<void> {
  await tx
    .insert(lessonProgress)
    .values({ tenantId: actor.tenantId, studentId: actor.membershipId, lessonId, courseId, lastOpenedAt: new Date() })
    .onConflictDoUpdate({
      target: [lessonProgress.tenantId, lessonProgress.studentId, lessonProgress.lessonId],
      set: { lastOpenedAt: new Date() },
    })
}
