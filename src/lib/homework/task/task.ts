import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { EMPTY_DOC, filesOf } from '#lib/core/shared/lesson-doc.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { noteTasks } from '#lib/course/learning/progress.ts'
import { canEditCourse, canSeeCourse } from '#lib/course/rules.ts'
import { courseModule, lesson } from '#lib/course/table.ts'
import { attachFiles, detachFiles } from '#lib/storage/file-use.ts'
import { file } from '#lib/storage/table.ts'
import { task } from '../table.ts'
import { LessonTasks, SaveTask, TaskId, type TaskText } from './schema.ts'

export interface TaskView extends TaskText {
  id: string
  version: number
  /** Names of `fileIds`, as far as they are still there. */
  files: { id: string; name: string; size: number }[]
}

/** A lesson's tasks as their author writes them, in their order. Refuses with forbidden, not_found. */
export async function listTasks(actor: Actor, input: { lessonId: string }): Promise<TaskView[]> {
  must(canSeeCourse(actor))
  const { lessonId } = LessonTasks.parse(input)
  return inTenant(actor, async (tx) => {
    await mustLive(tx, lessonId)
    return viewsOf(tx, and(eq(task.lessonId, lessonId), isNull(task.deletedAt)))
  })
}

/** Begins a task; until it has a title students see nothing of it. Refuses with forbidden, plan_inactive, not_found. */
export async function addTask(actor: Actor, input: { lessonId: string }): Promise<{ taskId: string }> {
  mustEdit(actor)
  const { lessonId } = LessonTasks.parse(input)
  return inTenant(actor, async (tx) => {
    const { courseId } = await mustLive(tx, lessonId)
    const taskId = newId()
    const position = sql<number>`(select coalesce(max(position), 0) + 1 from task
      where tenant_id = current_tenant() and lesson_id = ${lessonId})`
    const row = { tenantId: actor.tenantId, id: taskId, courseId, lessonId, position, title: '' }
    await tx.insert(task).values({ ...row, instructions: EMPTY_DOC })
    return { taskId }
  })
}

/** What a task's place in a lesson says of it. Refuses with forbidden, not_found for one that is no more. */
export async function findTask(actor: Actor, input: { taskId: string }): Promise<{ title: string }> {
  must(canSeeCourse(actor))
  const { taskId } = TaskId.parse(input)
  return inTenant(actor, async (tx) => {
    const [found] = await tx
      .select({ title: task.title })
      .from(task)
      .where(and(eq(task.id, taskId), isNull(task.deletedAt)))
    if (!found) throw new Refusal('not_found')
    return found
  })
}

/**
 * Writes a task over the version it was written on; the same words again change nothing. Refuses with forbidden,
 * plan_inactive, not_found, invalid, and conflict with the newer task and its version.
 */
export async function saveTask(actor: Actor, input: SaveTask): Promise<{ version: number }> {
  mustEdit(actor)
  const { taskId, version, ...text } = SaveTask.parse(input)
  return inTenant(actor, async (tx) => {
    const { lessonId } = await mustTask(tx, taskId)
    const [now] = await viewsOf(tx, eq(task.id, taskId))
    if (!now) throw new Refusal('not_found')
    if (sameTask(now, text)) return { version: now.version }
    await mustBeStored(
      tx,
      text.fileIds.filter((id) => !now.fileIds.includes(id)),
    )
    if (now.version !== version) throw new Refusal('conflict', { data: { version: now.version, task: textOf(now) } })
    const next = version + 1
    await tx
      .update(task)
      .set({ ...text, version: next, updatedAt: new Date() })
      .where(eq(task.id, taskId))
    const { instructions, sampleAnswer, fileIds, title } = text
    const used = [...fileIds, ...filesOf(instructions), ...(sampleAnswer ? filesOf(sampleAnswer) : [])]
    await count(tx, lessonId)
    await attachFiles(actor, { kind: 'task', id: taskId, title }, used)
    return { version: next }
  })
}

/** Takes a task away; what was handed in stays with the school. Refuses with forbidden, plan_inactive, not_found. */
export const deleteTask = (actor: Actor, input: { taskId: string }) => turn(actor, input, true)

/** Brings a task back. A second call changes nothing. Refuses as deleteTask. */
export const restoreTask = (actor: Actor, input: { taskId: string }) => turn(actor, input, false)

async function turn(actor: Actor, input: { taskId: string }, gone: boolean): Promise<void> {
  mustEdit(actor)
  const { taskId } = TaskId.parse(input)
  await inTenant(actor, async (tx) => {
    const { lessonId } = await mustTask(tx, taskId, true)
    await tx
      .update(task)
      .set({ deletedAt: gone ? new Date() : null })
      .where(eq(task.id, taskId))
    await count(tx, lessonId)
    const [now] = await viewsOf(tx, eq(task.id, taskId))
    if (gone) await detachFiles(actor, { kind: 'task', id: taskId })
    else if (now) await attachFiles(actor, { kind: 'task', id: taskId, title: now.title }, now.fileIds)
  })
}

/** Tells the course room how many tasks of a lesson must be handed in. */
async function count(tx: Tx, lessonId: string): Promise<void> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(task)
    .where(and(eq(task.lessonId, lessonId), isNull(task.deletedAt), eq(task.required, true), sql`${task.title} <> ''`))
  await noteTasks(tx, lessonId, row?.count ?? 0)
}

async function viewsOf(tx: Tx, which: ReturnType<typeof and>): Promise<TaskView[]> {
  const rows = await tx.select().from(task).where(which).orderBy(asc(task.position), asc(task.id))
  const ids = [...new Set(rows.flatMap(({ fileIds }) => fileIds))]
  const files =
    ids.length === 0
      ? []
      : await tx
          .select({ id: file.id, name: file.name, size: file.size })
          .from(file)
          .where(and(inArray(file.id, ids), eq(file.area, 'storage'), isNull(file.deletedAt)))
  return rows.map((row) => ({
    ...textOf(row),
    id: row.id,
    version: row.version,
    files: row.fileIds.flatMap((id) => files.find((one) => one.id === id) ?? []),
  }))
}

const textOf = (row: TaskText): TaskText => ({
  title: row.title,
  type: row.type,
  instructions: row.instructions,
  fileIds: row.fileIds,
  acceptTypes: row.acceptTypes,
  maxFiles: row.maxFiles,
  maxBytes: row.maxBytes,
  dueRule: row.dueRule,
  latePolicy: row.latePolicy,
  grading: row.grading,
  maxPoints: row.maxPoints,
  passPoints: row.passPoints,
  maxAttempts: row.maxAttempts,
  rubric: row.rubric,
  sampleAnswer: row.sampleAnswer,
  showSample: row.showSample,
  slaHours: row.slaHours,
  required: row.required,
})

// The database forgets the order of keys.
const sameTask = (a: TaskText, b: TaskText): boolean => written(textOf(a)) === written(textOf(b))

function written(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

async function mustTask(tx: Tx, taskId: string, deletedToo = false): Promise<{ lessonId: string }> {
  const [found] = await tx
    .select({ lessonId: task.lessonId })
    .from(task)
    .where(and(eq(task.id, taskId), deletedToo ? undefined : isNull(task.deletedAt)))
    .for('update')
  if (!found) throw new Refusal('not_found')
  return found
}

/** Refuses with not_found a file that is none of the school's storage. */
async function mustBeStored(tx: Tx, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return
  const found = await tx
    .select({ id: file.id })
    .from(file)
    .where(and(inArray(file.id, [...fileIds]), eq(file.area, 'storage'), ne(file.kind, 'folder')))
  if (found.length < new Set(fileIds).size) throw new Refusal('not_found')
}

async function mustLive(tx: Tx, lessonId: string): Promise<{ courseId: string }> {
  const [found] = await tx
    .select({ courseId: lesson.courseId })
    .from(lesson)
    .innerJoin(courseModule, and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId)))
    .where(and(eq(lesson.id, lessonId), isNull(lesson.deletedAt), isNull(courseModule.deletedAt)))
  if (!found) throw new Refusal('not_found')
  return found
}

function mustEdit(actor: Actor): void {
  must(canEditCourse(actor))
  requirePlan(actor, 'lms')
}

function must(verdict: Verdict): void {
  if (!verdict.allow) throw new Refusal('forbidden', { data: { because: verdict.because } })
}
