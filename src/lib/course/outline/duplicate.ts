import { and, asc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { countWords, EMPTY_DOC, type LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { attachLessonFiles } from '../lesson/pictures.ts'
import { requireCourseEditor } from '../permission.ts'
import type { AccessRule } from '../schema.ts'
import { courseModule, lesson } from '../table.ts'
import type { OutlineChanged } from './arrange.ts'
import { recordChange } from './change.ts'
import { lockCourse } from './lesson-counts.ts'
import { lessonOrders, lockModule, moduleOrder, requireRow, writeLessonOrder, writeModuleOrder } from './order.ts'
import { creationChange } from './outline.ts'
import type { DuplicateLessons, DuplicateModule } from './schema.ts'

/** Ids of a lesson and of its copy. */
interface LessonPair {
  from: string
  to: string
}

/**
 * Copies the tasks of lessons. Injected, because the homework module depends on this one. Returns the new task id by
 * the old one.
 */
export type CopyTasks = (
  tx: Tx,
  actor: Actor,
  options: { courseId: string; pairs: LessonPair[]; shift: (rule: AccessRule) => AccessRule },
) => Promise<Map<string, string>>

/**
 * Copies the tests of a course to another one. Injected, because the quiz module depends on this one. Returns the new test
 * id by the old one.
 */
export type CopyTests = (
  tx: Tx,
  actor: Actor,
  options: { from: string; courseId: string; shift: (at: Date) => Date },
) => Promise<Map<string, string>>

/**
 * Copies lessons as drafts, each after its original, with homework unless `tasks` is false. Refuses with forbidden,
 * plan_inactive, not_found when none of them is in the course.
 */
export async function duplicateLessons(
  actor: Actor,
  input: DuplicateLessons,
  copyTasks: CopyTasks,
): Promise<OutlineChanged & { lessonIds: string[] }> {
  requireCourseEditor(actor)
  const { courseId, lessonIds, tasks } = input
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, courseId)
    const rows = await tx
      .select({ id: lesson.id, moduleId: lesson.moduleId, title: lesson.title })
      .from(lesson)
      .where(and(eq(lesson.courseId, courseId), inArray(lesson.id, lessonIds), isNull(lesson.deletedAt)))
    if (rows.length === 0) throw new Refusal('not_found')
    const copies = rows.map(({ id, moduleId, title }) => {
      return { from: id, to: newId(), moduleId, title: copyTitle(actor, title), position: 0 }
    })
    await copyLessons(tx, actor, { courseId, copies, copyTasks: tasks ? copyTasks : null })
    const copyOf = new Map(copies.map(({ from, to }) => [from, to]))
    const orders = await lessonOrders(tx, [...new Set(rows.map(({ moduleId }) => moduleId))])
    const copyIds = new Set(copyOf.values())
    for (const [moduleId, order] of Object.entries(orders)) {
      const newOrder = order
        .filter((id) => !copyIds.has(id))
        .flatMap((id) => [id, ...(copyOf.has(id) ? [copyOf.get(id) ?? id] : [])])
      await writeLessonOrder(tx, moduleId, newOrder)
    }
    const ids = [...copyIds]
    return { lessonIds: ids, changeId: await recordChange(tx, actor, courseId, { lessons: ids.map(creationChange) }) }
  })
}

/** Copies a module with its lessons, inserted after it. Refuses with forbidden, plan_inactive, not_found. */
export async function duplicateModule(
  actor: Actor,
  input: DuplicateModule,
  copyTasks: CopyTasks,
): Promise<OutlineChanged & { moduleId: string }> {
  requireCourseEditor(actor)
  const { moduleId: from, tasks } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, from)
    const order = await moduleOrder(tx, courseId)
    const [row] = await tx.select().from(courseModule).where(eq(courseModule.id, from))
    const { id: _, title, ...rest } = requireRow(row)
    const [created] = await tx
      .insert(courseModule)
      .values({ ...rest, title: copyTitle(actor, title) })
      .returning({ id: courseModule.id })
    const moduleId = requireRow(created).id
    await writeModuleOrder(tx, order.toSpliced(order.indexOf(from) + 1, 0, moduleId))
    const lessons = (await lessonOrders(tx, [from]))[from] ?? []
    const copies = lessons.map((id, position) => ({ from: id, to: newId(), moduleId, title: null, position }))
    await copyLessons(tx, actor, { courseId, copies, copyTasks: tasks ? copyTasks : null })
    return { moduleId, changeId: await recordChange(tx, actor, courseId, { modules: [creationChange(moduleId)] }) }
  })
}

export interface LessonCopy extends LessonPair {
  moduleId: string
  /** Null keeps the title. */
  title: string | null
  position: number
}

/** Copies lessons as unpublished drafts; the number of statements does not depend on the number of lessons. */
export async function copyLessons(
  tx: Tx,
  actor: Actor,
  options: {
    courseId: string
    copies: LessonCopy[]
    copyTasks: CopyTasks | null
    /** The new tests by the old ones, when the copies are in another course; otherwise the lessons keep their tests. */
    tests?: ReadonlyMap<string, string>
    shift?: (rule: AccessRule) => AccessRule
  },
): Promise<void> {
  const { courseId, copies, copyTasks, tests, shift = (rule) => rule } = options
  if (copies.length === 0) return
  // The database computes the tests of the text.
  const { testIds: _, ...columns } = getTableColumns(lesson)
  const sqlNull = sql`null`
  const copied = tx
    .select({
      ...columns,
      id: sql`c."to"`.as('id'),
      courseId: sql`${courseId}::uuid`.as('course_id'),
      moduleId: sql`c.module`.as('module_id'),
      title: sql`coalesce(c.title, ${lesson.title})`.as('title'),
      position: sql`c.position`.as('position'),
      version: sql`1`.as('version'),
      publishedTitle: sqlNull.as('published_title'),
      publishedBlocks: sql`null::jsonb`.as('published_blocks'),
      publishedVersion: sql`null::int`.as('published_version'),
      publishedAt: sql`null::timestamptz`.as('published_at'),
      taskCount: (copyTasks ? sql`${lesson.taskCount}` : sql`0`).as('task_count'),
      updatedBy: sql`${actor.membershipId}::uuid`.as('updated_by'),
      createdAt: sql`now()`.as('created_at'),
      updatedAt: sql`now()`.as('updated_at'),
      deletedAt: sql`null::timestamptz`.as('deleted_at'),
      deletedBy: sql`null::uuid`.as('deleted_by'),
    })
    .from(lesson)
    .innerJoin(
      sql`jsonb_to_recordset(${JSON.stringify(copies.map(({ moduleId: module, ...copy }) => ({ ...copy, module })))}::jsonb)
          as c("from" uuid, "to" uuid, module uuid, title text, position int)`,
      sql`c."from" = ${lesson.id}`,
    )
  // As SQL: drizzle expects the generated column among the selected ones.
  await tx.insert(lesson).select(copied.getSQL())
  const pairs = copies.map(({ from, to }) => ({ from, to }))
  const ids = pairs.map(({ to }) => to)
  const tasks = copyTasks ? await copyTasks(tx, actor, { courseId, pairs, shift }) : new Map<string, string>()
  await replaceCopiedIds(tx, ids, { tasks, tests })
  await attachLessonFiles(tx, actor, inArray(lesson.id, ids))
}

/** «Вступ (копія)», within the maximum length of a title. */
export function copyTitle(actor: Actor, title: string): string {
  const copy = (original: string) => getTranslator(actor.locale)('outline:copyOf', { title: original })
  const [full, available] = [copy(title), 160 - copy('').length]
  return full.length <= 160 ? full : copy(`${title.slice(0, available - 1).trimEnd()}…`)
}

interface CopiedIds {
  tasks: ReadonlyMap<string, string>
  tests: ReadonlyMap<string, string> | undefined
}

/** Replaces ids in copied documents; blocks of tasks that were not copied are removed, those of tests become empty. */
async function replaceCopiedIds(tx: Tx, ids: string[], copied: CopiedIds): Promise<void> {
  const rows = await tx
    .select({ id: lesson.id, blocks: lesson.blocks })
    .from(lesson)
    .where(and(inArray(lesson.id, ids), sql`jsonb_path_exists(${lesson.blocks}, ${COPIED_BLOCKS})`))
    .orderBy(asc(lesson.id))
  if (rows.length === 0) return
  const updates = rows.map(({ id, blocks }) => {
    const doc = withNewIds(blocks, copied)
    return { id, blocks: doc, words: countWords(doc) }
  })
  // The size has changed; the next save measures it.
  await tx.execute(sql`update lesson l set blocks = c.blocks, words = c.words, nodes = null, characters = null
    from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb) as c(id uuid, blocks jsonb, words int) where l.id = c.id`)
}

const COPIED_BLOCKS = sql.raw(`'$.content[*] ? (@.type == "task" || @.type == "test")'`)

function withNewIds(doc: LessonDoc, { tasks, tests }: CopiedIds): LessonDoc {
  const content = doc.content.flatMap((node): LessonNode[] => {
    if (node.type === 'test' && tests)
      return [{ ...node, attrs: { testId: tests.get(String(node.attrs?.testId)) ?? null } }]
    if (node.type !== 'task') return [node]
    const taskId = tasks.get(String(node.attrs?.taskId))
    return taskId ? [{ ...node, attrs: { ...node.attrs, taskId } }] : []
  })
  return content.length > 0 ? { ...doc, content } : EMPTY_DOC
}
