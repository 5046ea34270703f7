import { and, asc, eq, isNull, max } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { countWords, EMPTY_DOC } from '#lib/core/shared/lesson-doc.ts'
import { attachLessonFiles } from '../lesson/pictures.ts'
import { requireCourseEditor, requireCourseViewer } from '../permission.ts'
import type { AddLesson, AddModule } from '../schema.ts'
import { course, courseModule, lesson } from '../table.ts'
import type { OutlineChanged } from './arrange.ts'
import { recordChange } from './change.ts'
import { lockCourse } from './lesson-counts.ts'
import { lessonOrders, lockModule, requireInCourse, requireRow, writeLessonOrder } from './order.ts'
import { moveTogether } from './rules.ts'
import type { AddLessons, OutlineLesson, OutlineModule } from './schema.ts'

/** Outline of a course for its authors, without documents. Refuses with forbidden, not_found. */
export async function getOutline(actor: Actor, input: { courseId: string }): Promise<OutlineModule[]> {
  requireCourseViewer(actor)
  const { courseId } = input
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({ module: moduleFields, lesson: lessonFields })
      .from(course)
      .leftJoin(
        courseModule,
        and(
          eq(courseModule.tenantId, course.tenantId),
          eq(courseModule.courseId, course.id),
          isNull(courseModule.deletedAt),
        ),
      )
      .leftJoin(
        lesson,
        and(eq(lesson.tenantId, courseModule.tenantId), eq(lesson.moduleId, courseModule.id), isNull(lesson.deletedAt)),
      )
      .where(eq(course.id, courseId))
      .orderBy(asc(courseModule.position), asc(courseModule.id), asc(lesson.position), asc(lesson.id)),
  )
  if (rows.length === 0) throw new Refusal('not_found')
  const modules = new Map<string, OutlineModule>()
  for (const row of rows) {
    if (!row.module) continue
    const module = modules.get(row.module.id) ?? { ...row.module, lessons: [] }
    modules.set(module.id, module)
    if (!row.lesson) continue
    const { version, publishedVersion, ...fields } = row.lesson
    module.lessons.push({ ...fields, state: lessonState({ version, publishedVersion }) })
  }
  return [...modules.values()]
}

const moduleFields = {
  id: courseModule.id,
  title: courseModule.title,
  description: courseModule.description,
  hidden: courseModule.hidden,
  availability: courseModule.availability,
}

const lessonFields = {
  id: lesson.id,
  title: lesson.title,
  words: lesson.words,
  durationMinutes: lesson.durationMinutes,
  hidden: lesson.hidden,
  required: lesson.required,
  freePreview: lesson.freePreview,
  availability: lesson.availability,
  completionRule: lesson.completionRule,
  taskCount: lesson.taskCount,
  version: lesson.version,
  publishedVersion: lesson.publishedVersion,
}

/** Publication state of a draft. */
export function lessonState(row: { version: number | null; publishedVersion: number | null }): OutlineLesson['state'] {
  if (row.publishedVersion === null) return 'new'
  return row.publishedVersion === row.version ? 'published' : 'changed'
}

/** Adds a module at the end. Refuses with forbidden, plan_inactive, not_found. */
export async function addModule(actor: Actor, values: AddModule): Promise<OutlineChanged & { moduleId: string }> {
  requireCourseEditor(actor)
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, values.courseId)
    const [{ last = null } = {}] = await tx
      .select({ last: max(courseModule.position) })
      .from(courseModule)
      .where(eq(courseModule.courseId, values.courseId))
    const [created] = await tx
      .insert(courseModule)
      .values({ ...values, tenantId: actor.tenantId, position: (last ?? -1) + 1 })
      .returning({ moduleId: courseModule.id })
    const { moduleId } = requireRow(created)
    return {
      moduleId,
      changeId: await recordChange(tx, actor, values.courseId, { modules: [creationChange(moduleId)] }),
    }
  })
}

/** Adds a lesson at the end of a module, empty or with a text. Refuses with forbidden, plan_inactive, not_found. */
export async function addLesson(actor: Actor, input: AddLesson): Promise<{ lessonId: string; courseId: string }> {
  requireCourseEditor(actor)
  const { moduleId, blocks = EMPTY_DOC, ...values } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    const [{ last = null } = {}] = await tx
      .select({ last: max(lesson.position) })
      .from(lesson)
      .where(eq(lesson.moduleId, moduleId))
    const owner = { tenantId: actor.tenantId, courseId, moduleId, updatedBy: actor.membershipId }
    const [created] = await tx
      .insert(lesson)
      .values({ ...values, ...owner, blocks, words: countWords(blocks), position: (last ?? -1) + 1 })
      .returning({ lessonId: lesson.id, courseId: lesson.courseId })
    const { lessonId } = requireRow(created)
    await attachLessonFiles(tx, actor, eq(lesson.id, lessonId))
    await recordChange(tx, actor, courseId, { lessons: [creationChange(lessonId)] })
    return { lessonId, courseId }
  })
}

/**
 * Adds empty lessons by their titles, at the end of a module or before one of its lessons. Refuses with forbidden,
 * plan_inactive, not_found.
 */
export async function addLessons(actor: Actor, input: AddLessons): Promise<OutlineChanged & { lessonIds: string[] }> {
  requireCourseEditor(actor)
  const { moduleId, titles, beforeId = null } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    await requireInCourse(tx, courseId, 'lesson', beforeId)
    const order = (await lessonOrders(tx, [moduleId]))[moduleId] ?? []
    const owner = { tenantId: actor.tenantId, courseId, moduleId, updatedBy: actor.membershipId }
    const created = await tx
      .insert(lesson)
      .values(titles.map((title, index) => ({ ...owner, title, blocks: EMPTY_DOC, position: order.length + index })))
      .returning({ id: lesson.id })
    const lessonIds = created.map(({ id }) => id)
    // The whole order is written: with deleted lessons, positions have gaps and duplicates.
    await writeLessonOrder(tx, moduleId, moveTogether(order, lessonIds, beforeId))
    return { lessonIds, changeId: await recordChange(tx, actor, courseId, { lessons: lessonIds.map(creationChange) }) }
  })
}

/** The change record of a created row: undo moves it to the trash. */
export const creationChange = (id: string) => ({ id, before: { deleted: true }, after: { deleted: false } })
