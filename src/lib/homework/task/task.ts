import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { EMPTY_DOC, filesOf } from '#lib/core/shared/lesson-doc.ts'
import { stableJson } from '#lib/core/shared/merge.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { setTaskCount } from '#lib/course/learning/progress.ts'
import { canEditCourse, canSeeCourse } from '#lib/course/rules.ts'
import { courseModule, lesson } from '#lib/course/table.ts'
import { attachFiles, detachFiles } from '#lib/storage/file-use.ts'
import { file } from '#lib/storage/table.ts'
import { task } from '../table.ts'
import type { SaveTask, TaskText } from './schema.ts'

export interface LessonTaskView extends TaskText {
  id: string
  version: number
  /** Names of the `fileIds` that still exist. */
  files: { id: string; name: string; size: number }[]
}

/** The tasks of a lesson for their author, in order. Refuses with forbidden, not_found. */
export async function listTasks(actor: Actor, input: { lessonId: string }): Promise<LessonTaskView[]> {
  requireAllowed(canSeeCourse(actor))
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    await requireLesson(tx, lessonId)
    return loadViews(tx, and(eq(task.lessonId, lessonId), isNull(task.deletedAt)))
  })
}

/**
 * Creates a task; it is not visible to students until it has a title. Refuses with forbidden, plan_inactive, not_found.
 */
export async function addTask(actor: Actor, input: { lessonId: string }): Promise<{ taskId: string }> {
  requireEditing(actor)
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await requireLesson(tx, lessonId)
    const taskId = newId()
    const position = sql<number>`(select coalesce(max(position), 0) + 1 from task
      where tenant_id = current_tenant() and lesson_id = ${lessonId})`
    const row = { tenantId: actor.tenantId, id: taskId, courseId, lessonId, position, title: '' }
    await tx.insert(task).values({ ...row, instructions: EMPTY_DOC })
    return { taskId }
  })
}

/** The title of a task. Refuses with forbidden, and not_found for a deleted one. */
export async function findTask(actor: Actor, input: { taskId: string }): Promise<{ title: string }> {
  requireAllowed(canSeeCourse(actor))
  const { taskId } = input
  return inTenant(actor, async (tx) => {
    const [row] = await tx
      .select({ title: task.title })
      .from(task)
      .where(and(eq(task.id, taskId), isNull(task.deletedAt)))
    if (!row) throw new Refusal('not_found')
    return row
  })
}

/**
 * Saves a task based on `version`; the same content again changes nothing. Refuses with forbidden, plan_inactive,
 * not_found, invalid, and conflict with the newer task and its version.
 */
export async function saveTask(actor: Actor, input: SaveTask): Promise<{ version: number }> {
  requireEditing(actor)
  const { taskId, version, ...text } = input
  return inTenant(actor, async (tx) => {
    const { lessonId } = await requireTask(tx, taskId)
    const [current] = await loadViews(tx, eq(task.id, taskId))
    if (!current) throw new Refusal('not_found')
    if (isSameTask(current, text)) return { version: current.version }
    await requireStoredFiles(
      tx,
      text.fileIds.filter((id) => !current.fileIds.includes(id)),
    )
    if (current.version !== version)
      throw new Refusal('conflict', { data: { version: current.version, task: toTaskText(current) } })
    const nextVersion = version + 1
    await tx
      .update(task)
      .set({ ...text, version: nextVersion, updatedAt: new Date() })
      .where(eq(task.id, taskId))
    const { instructions, sampleAnswer, fileIds, title } = text
    const usedFileIds = [...fileIds, ...filesOf(instructions), ...(sampleAnswer ? filesOf(sampleAnswer) : [])]
    await updateTaskCount(tx, lessonId)
    await attachFiles(actor, { kind: 'task', id: taskId, title }, usedFileIds)
    return { version: nextVersion }
  })
}

/** Deletes a task; submissions are kept. Refuses with forbidden, plan_inactive, not_found. */
export const deleteTask = (actor: Actor, input: { taskId: string }) => setDeleted(actor, input, true)

/** Restores a task. A second call changes nothing. Refuses as deleteTask. */
export const restoreTask = (actor: Actor, input: { taskId: string }) => setDeleted(actor, input, false)

async function setDeleted(actor: Actor, input: { taskId: string }, isDeleted: boolean): Promise<void> {
  requireEditing(actor)
  const { taskId } = input
  await inTenant(actor, async (tx) => {
    const { lessonId } = await requireTask(tx, taskId, true)
    await tx
      .update(task)
      .set({ deletedAt: isDeleted ? new Date() : null })
      .where(eq(task.id, taskId))
    await updateTaskCount(tx, lessonId)
    const [current] = await loadViews(tx, eq(task.id, taskId))
    if (isDeleted) await detachFiles(actor, { kind: 'task', id: taskId })
    else if (current) await attachFiles(actor, { kind: 'task', id: taskId, title: current.title }, current.fileIds)
  })
}

/** Updates the number of required tasks of a lesson in the course module. */
async function updateTaskCount(tx: Tx, lessonId: string): Promise<void> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(task)
    .where(and(eq(task.lessonId, lessonId), isNull(task.deletedAt), eq(task.required, true), sql`${task.title} <> ''`))
  await setTaskCount(tx, lessonId, row?.count ?? 0)
}

async function loadViews(tx: Tx, condition: ReturnType<typeof and>): Promise<LessonTaskView[]> {
  const rows = await tx.select().from(task).where(condition).orderBy(asc(task.position), asc(task.id))
  const ids = [...new Set(rows.flatMap(({ fileIds }) => fileIds))]
  const files =
    ids.length === 0
      ? []
      : await tx
          .select({ id: file.id, name: file.name, size: file.size })
          .from(file)
          .where(and(inArray(file.id, ids), eq(file.area, 'storage'), isNull(file.deletedAt)))
  return rows.map((row) => ({
    ...toTaskText(row),
    id: row.id,
    version: row.version,
    files: row.fileIds.flatMap((id) => files.find((file) => file.id === id) ?? []),
  }))
}

const toTaskText = (row: TaskText): TaskText => ({
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

// JSON columns do not preserve the order of keys.
const isSameTask = (a: TaskText, b: TaskText): boolean => stableJson(toTaskText(a)) === stableJson(toTaskText(b))

async function requireTask(tx: Tx, taskId: string, includeDeleted = false): Promise<{ lessonId: string }> {
  const [row] = await tx
    .select({ lessonId: task.lessonId })
    .from(task)
    .where(and(eq(task.id, taskId), includeDeleted ? undefined : isNull(task.deletedAt)))
    .for('update')
  if (!row) throw new Refusal('not_found')
  return row
}

/** Refuses with not_found a file that is not in the tenant's storage. */
async function requireStoredFiles(tx: Tx, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return
  const rows = await tx
    .select({ id: file.id })
    .from(file)
    .where(and(inArray(file.id, [...fileIds]), eq(file.area, 'storage'), ne(file.kind, 'folder')))
  if (rows.length < new Set(fileIds).size) throw new Refusal('not_found')
}

async function requireLesson(tx: Tx, lessonId: string): Promise<{ courseId: string }> {
  const [row] = await tx
    .select({ courseId: lesson.courseId })
    .from(lesson)
    .innerJoin(courseModule, and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId)))
    .where(and(eq(lesson.id, lessonId), isNull(lesson.deletedAt), isNull(courseModule.deletedAt)))
  if (!row) throw new Refusal('not_found')
  return row
}

function requireEditing(actor: Actor): void {
  requireAllowed(canEditCourse(actor))
  requirePlan(actor, 'lms')
}

function requireAllowed(verdict: Verdict): void {
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}
