import { and, asc, eq, isNull, max, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { lockCourse, recountLessons } from './counters.ts'
import { mustEdit, mustSee } from './permission.ts'
import { noteLessons } from './pictures.ts'
import {
  AddLesson,
  AddModule,
  CourseId,
  countWords,
  EMPTY_DOC,
  LessonId,
  ModuleId,
  MoveLesson,
  MoveModule,
  RenameLesson,
  RenameModule,
} from './schema.ts'
import { course, courseModule, lesson } from './table.ts'

export interface OutlineLesson {
  id: string
  title: string
  words: number
  durationMinutes: number | null
  /** Never published, published as it stands, or changed since. */
  state: 'new' | 'published' | 'changed'
}
export interface OutlineModule {
  id: string
  title: string
  description: string
  lessons: OutlineLesson[]
}

/** Modules and lessons as the author sees them, in order, without the texts. Refuses with forbidden, not_found. */
export async function getOutline(actor: Actor, input: { courseId: string }): Promise<OutlineModule[]> {
  mustSee(actor)
  const { courseId } = CourseId.parse(input)
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({
        moduleId: courseModule.id,
        moduleTitle: courseModule.title,
        description: courseModule.description,
        id: lesson.id,
        title: lesson.title,
        words: lesson.words,
        durationMinutes: lesson.durationMinutes,
        version: lesson.version,
        publishedVersion: lesson.publishedVersion,
      })
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
    if (row.moduleId === null || row.moduleTitle === null) continue
    const known = modules.get(row.moduleId)
    const module = known ?? {
      id: row.moduleId,
      title: row.moduleTitle,
      description: row.description ?? '',
      lessons: [],
    }
    if (!known) modules.set(row.moduleId, module)
    if (row.id === null || row.title === null) continue
    const { id, title, words, durationMinutes } = row
    module.lessons.push({ id, title, words: words ?? 0, durationMinutes, state: lessonState(row) })
  }
  return [...modules.values()]
}

/** How the author's draft stands to what students read. */
export function lessonState(row: { version: number | null; publishedVersion: number | null }): OutlineLesson['state'] {
  if (row.publishedVersion === null) return 'new'
  return row.publishedVersion === row.version ? 'published' : 'changed'
}

/** Adds a module at the end. Refuses with forbidden, plan_inactive, not_found. */
export async function addModule(actor: Actor, input: AddModule): Promise<{ moduleId: string }> {
  mustEdit(actor)
  const values = AddModule.parse(input)
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, values.courseId)
    const [{ last = null } = {}] = await tx
      .select({ last: max(courseModule.position) })
      .from(courseModule)
      .where(eq(courseModule.courseId, values.courseId))
    const [made] = await tx
      .insert(courseModule)
      .values({ ...values, tenantId: actor.tenantId, position: (last ?? -1) + 1 })
      .returning({ moduleId: courseModule.id })
    await recountLessons(tx, values.courseId)
    return found(made)
  })
}

/** Adds a lesson at the end of a module, empty or with a text. Refuses with forbidden, plan_inactive, not_found. */
export async function addLesson(actor: Actor, input: AddLesson): Promise<{ lessonId: string; courseId: string }> {
  mustEdit(actor)
  const { moduleId, blocks = EMPTY_DOC, ...values } = AddLesson.parse(input)
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    const [{ last = null } = {}] = await tx
      .select({ last: max(lesson.position) })
      .from(lesson)
      .where(eq(lesson.moduleId, moduleId))
    const owner = { tenantId: actor.tenantId, courseId, moduleId, updatedBy: actor.membershipId }
    const [made] = await tx
      .insert(lesson)
      .values({ ...values, ...owner, blocks, words: countWords(blocks), position: (last ?? -1) + 1 })
      .returning({ lessonId: lesson.id, courseId: lesson.courseId })
    await recountLessons(tx, courseId)
    if (made) await noteLessons(tx, actor, eq(lesson.id, made.lessonId))
    return found(made)
  })
}

/** Refuses with forbidden, plan_inactive, not_found. */
export async function renameModule(actor: Actor, input: { moduleId: string; title: string }): Promise<void> {
  mustEdit(actor)
  const { moduleId, title } = RenameModule.parse(input)
  await inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    await tx.update(courseModule).set({ title }).where(eq(courseModule.id, moduleId))
    await recountLessons(tx, courseId)
  })
}

/** Gives the draft another title; students see it when the changes are published. Refuses as renameModule. */
export async function renameLesson(
  actor: Actor,
  input: { lessonId: string; title: string },
): Promise<{ version: number }> {
  mustEdit(actor)
  const { lessonId, title } = RenameLesson.parse(input)
  return inTenant(actor, async (tx) => {
    const [changed] = await tx
      .update(lesson)
      .set({ title, version: sql`${lesson.version} + 1`, updatedAt: new Date(), updatedBy: actor.membershipId })
      .where(and(eq(lesson.id, lessonId), isNull(lesson.deletedAt)))
      .returning({ version: lesson.version })
    await noteLessons(tx, actor, eq(lesson.id, lessonId))
    return found(changed)
  })
}

/** One place up (-1) or down (1); at the edge nothing changes. Refuses as renameModule. */
export async function moveModule(actor: Actor, input: { moduleId: string; by: -1 | 1 }): Promise<void> {
  mustEdit(actor)
  const { moduleId, by } = MoveModule.parse(input)
  await inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    const order = await moduleOrder(tx, courseId)
    const at = order.indexOf(moduleId)
    const other = order[at + by]
    if (other === undefined) return
    order[at + by] = moduleId
    order[at] = other
    await tx.execute(sql`update module set position = o.n from ${numbered(order)}
      where module.id = o.id and module.position is distinct from o.n`)
    await recountLessons(tx, courseId)
  })
}

/** One place up or down; past the edge of its module a lesson goes over into the next one. Refuses as renameModule. */
export async function moveLesson(actor: Actor, input: { lessonId: string; by: -1 | 1 }): Promise<void> {
  mustEdit(actor)
  const { lessonId, by } = MoveLesson.parse(input)
  await inTenant(actor, async (tx) => {
    const { courseId, moduleId } = await lockLesson(tx, lessonId)
    const order = await lessonOrder(tx, moduleId)
    const at = order.indexOf(lessonId)
    const other = order[at + by]
    if (other !== undefined) {
      order[at + by] = lessonId
      order[at] = other
      await placeLessons(tx, moduleId, order)
      return recountLessons(tx, courseId)
    }
    const modules = await moduleOrder(tx, courseId)
    const target = modules[modules.indexOf(moduleId) + by]
    if (target === undefined) return
    const there = await lessonOrder(tx, target)
    await placeLessons(tx, target, by === 1 ? [lessonId, ...there] : [...there, lessonId])
    await recountLessons(tx, courseId)
  })
}

/** Puts a module with its lessons aside; restoreModule brings it back. Refuses as renameModule. */
export const deleteModule = (actor: Actor, input: { moduleId: string }) => markModule(actor, input, new Date())
export const restoreModule = (actor: Actor, input: { moduleId: string }) => markModule(actor, input, null)

/** Puts a lesson aside; restoreLesson brings it back to its place. Refuses as renameModule. */
export const deleteLesson = (actor: Actor, input: { lessonId: string }) => markLesson(actor, input, new Date())
export const restoreLesson = (actor: Actor, input: { lessonId: string }) => markLesson(actor, input, null)

async function markModule(actor: Actor, input: { moduleId: string }, deletedAt: Date | null): Promise<void> {
  mustEdit(actor)
  const { moduleId } = ModuleId.parse(input)
  await inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId, 'any')
    await tx.update(courseModule).set({ deletedAt }).where(eq(courseModule.id, moduleId))
    await recountLessons(tx, courseId)
    await noteLessons(tx, actor, eq(lesson.moduleId, moduleId))
  })
}

async function markLesson(actor: Actor, input: { lessonId: string }, deletedAt: Date | null): Promise<void> {
  mustEdit(actor)
  const { lessonId } = LessonId.parse(input)
  await inTenant(actor, async (tx) => {
    const { courseId } = await lockLesson(tx, lessonId, 'any')
    await tx.update(lesson).set({ deletedAt }).where(eq(lesson.id, lessonId))
    await recountLessons(tx, courseId)
    await noteLessons(tx, actor, eq(lesson.id, lessonId))
  })
}

async function lockModule(tx: Tx, moduleId: string, which: 'living' | 'any' = 'living'): Promise<{ courseId: string }> {
  const [row] = await tx
    .select({ courseId: courseModule.courseId })
    .from(courseModule)
    .where(and(eq(courseModule.id, moduleId), which === 'any' ? undefined : isNull(courseModule.deletedAt)))
  const { courseId } = found(row)
  await lockCourse(tx, courseId)
  return { courseId }
}

// Looked up again behind the lock: whoever held it may have moved the lesson.
async function lockLesson(tx: Tx, lessonId: string, which: 'living' | 'any' = 'living') {
  const place = async () => {
    const [row] = await tx
      .select({ courseId: lesson.courseId, moduleId: lesson.moduleId })
      .from(lesson)
      .where(and(eq(lesson.id, lessonId), which === 'any' ? undefined : isNull(lesson.deletedAt)))
    return found(row)
  }
  await lockCourse(tx, (await place()).courseId)
  return place()
}

async function moduleOrder(tx: Tx, courseId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: courseModule.id })
    .from(courseModule)
    .where(and(eq(courseModule.courseId, courseId), isNull(courseModule.deletedAt)))
    .orderBy(asc(courseModule.position), asc(courseModule.id))
  return rows.map((row) => row.id)
}

async function lessonOrder(tx: Tx, moduleId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: lesson.id })
    .from(lesson)
    .where(and(eq(lesson.moduleId, moduleId), isNull(lesson.deletedAt)))
    .orderBy(asc(lesson.position), asc(lesson.id))
  return rows.map((row) => row.id)
}

async function placeLessons(tx: Tx, moduleId: string, order: string[]): Promise<void> {
  await tx.execute(sql`update lesson set position = o.n, module_id = ${moduleId} from ${numbered(order)}
    where lesson.id = o.id and (lesson.position, lesson.module_id) is distinct from (o.n, ${moduleId}::uuid)`)
}

function numbered(order: string[]) {
  return sql`(select id, (n - 1)::int as n from unnest(${sql.param(order)}::uuid[]) with ordinality as u(id, n)) o`
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new Refusal('not_found')
  return row
}
