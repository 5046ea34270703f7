import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { queueTestCheck } from '../learning/test-check.ts'
import { publishedFromDraft } from '../lesson/lesson.ts'
import { attachLessonFiles } from '../lesson/pictures.ts'
import { requireCourseEditor } from '../permission.ts'
import { lesson } from '../table.ts'
import type { OutlineChanged } from './arrange.ts'
import { changedFields, readLessons, readModules, recordChange, writeLessons, writeModules } from './change.ts'
import { lockCourse } from './lesson-counts.ts'
import { lockLesson, lockModule, requireRow } from './order.ts'
import type { ChangeLessons, ChangeModule, LessonIds, LessonSettingsChange, RenameLesson } from './schema.ts'
import type { LessonFields, ModuleFields } from './table.ts'

/** Result of a change of many lessons. Lessons deleted in the meantime are omitted. */
export interface LessonsChanged extends OutlineChanged {
  /** Ids of the changed lessons. */
  changed: string[]
}

/**
 * Sets visibility, availability and completion rules of one or many lessons. Refuses with forbidden, plan_inactive,
 * not_found when none of them is in the course.
 */
export async function changeLessons(actor: Actor, input: ChangeLessons): Promise<LessonsChanged> {
  requireCourseEditor(actor)
  const { courseId, lessonIds, change } = input
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, courseId)
    return setLessons(tx, actor, { courseId, lessonIds, change })
  })
}

/** Sets fields of lessons of a locked course and records the change for undo. Refuses with not_found. */
export async function setLessons(
  tx: Tx,
  actor: Actor,
  { courseId, lessonIds, change }: { courseId: string; lessonIds: readonly string[]; change: LessonFields },
): Promise<LessonsChanged> {
  const rows = (await readLessons(tx, lessonIds)).filter((row) => row.courseId === courseId && !row.deleted)
  if (rows.length === 0) throw new Refusal('not_found')
  const lessons = rows.flatMap((row) => changedFields<LessonFields>(row, change) ?? [])
  if (lessons.length === 0) return { changeId: null, changed: [] }
  await writeLessons(
    tx,
    actor,
    lessons.map(({ id, after }) => ({ id, patch: after })),
  )
  const changed = lessons.map(({ id }) => id)
  return { changeId: await recordChange(tx, actor, courseId, { lessons }), changed }
}

/**
 * Sets a module's title, description and availability. Refuses with forbidden, plan_inactive, not_found; with conflict
 * when one of these texts differs from `previous`, with the current texts in `data`.
 */
export async function changeModule(actor: Actor, input: ChangeModule): Promise<OutlineChanged> {
  requireCourseEditor(actor)
  const { moduleId, change, previous = {} } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    const row = requireRow((await readModules(tx, [moduleId]))[0])
    const { title, description } = row
    const stale = (['title', 'description'] as const).some(
      (key) =>
        change[key] !== undefined &&
        previous[key] !== undefined &&
        previous[key] !== row[key] &&
        change[key] !== row[key],
    )
    if (stale) throw new Refusal('conflict', { fields: { form: ['outline_conflict'] }, data: { title, description } })
    const changed = changedFields<ModuleFields>(row, change)
    if (!changed) return { changeId: null }
    await writeModules(tx, actor, [{ id: moduleId, patch: changed.after }])
    return { changeId: await recordChange(tx, actor, courseId, { modules: [changed] }) }
  })
}

/**
 * Renames the draft; students see the title after publication. Refuses as changeModule, with conflict when the title
 * differs from `previousTitle`.
 */
export async function renameLesson(actor: Actor, input: RenameLesson): Promise<OutlineChanged & { version: number }> {
  requireCourseEditor(actor)
  const { lessonId, title, previousTitle } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockLesson(tx, lessonId)
    const row = requireRow((await readLessons(tx, [lessonId]))[0])
    if (previousTitle !== undefined && previousTitle !== row.title && title !== row.title) {
      throw new Refusal('conflict', { fields: { form: ['outline_conflict'] }, data: { title: row.title } })
    }
    const { changeId } = await setLessons(tx, actor, { courseId, lessonIds: [lessonId], change: { title } })
    if (changeId) await attachLessonFiles(tx, actor, eq(lesson.id, lessonId))
    const [saved] = await tx.select({ version: lesson.version }).from(lesson).where(eq(lesson.id, lessonId))
    return { changeId, version: requireRow(saved).version }
  })
}

/**
 * Publishes the drafts of lessons with text and unhides them. Lessons without text stay unchanged and are returned in
 * `empty`. Refuses with forbidden, plan_inactive, not_found.
 */
export async function publishLessons(actor: Actor, input: LessonIds): Promise<LessonsChanged & { empty: string[] }> {
  requireCourseEditor(actor)
  const { courseId, lessonIds } = input
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, courseId)
    const rows = await readDrafts(tx, courseId, lessonIds)
    if (rows.length === 0) throw new Refusal('not_found')
    const empty = rows.filter(({ words }) => words === 0).map(({ id }) => id)
    const withText = rows.filter(({ words }) => words > 0)
    const stale = withText.filter(({ version, publishedVersion }) => version !== publishedVersion)
    const hidden = withText.filter((row) => row.hidden).map(({ id }) => id)
    const changed = [...new Set([...stale.map(({ id }) => id), ...hidden])]
    if (changed.length === 0) return { changeId: null, changed, empty }
    await publishDrafts(
      tx,
      actor,
      stale.map(({ id }) => id),
    )
    const visible: LessonSettingsChange = { hidden: false }
    await writeLessons(
      tx,
      actor,
      hidden.map((id) => ({ id, patch: visible })),
    )
    const changeId = await recordChange(tx, actor, courseId, {
      published: stale.map(({ id, version, publishedVersion, publishedAt }) => {
        return { id, before: publishedVersion, before_at: publishedAt?.toISOString() ?? null, after: version }
      }),
      lessons: hidden.map((id) => ({ id, before: { hidden: true }, after: visible })),
    })
    return { changeId, changed, empty }
  })
}

function readDrafts(tx: Tx, courseId: string, lessonIds: readonly string[]) {
  const { id, words, hidden, version, publishedVersion, publishedAt } = lesson
  return tx
    .select({ id, words, hidden, version, publishedVersion, publishedAt })
    .from(lesson)
    .where(and(eq(lesson.courseId, courseId), inArray(lesson.id, [...lessonIds]), isNull(lesson.deletedAt)))
}

// Both texts are saved as revisions: the previously published one and the new one.
async function publishDrafts(tx: Tx, actor: Actor, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const idList = sql.param(ids)
  await tx.execute(sql`insert into lesson_revision (tenant_id, lesson_id, version, kind, title, blocks, by)
    select l.tenant_id, l.id, t.version, 'published', t.title, t.blocks, ${actor.membershipId}
      from lesson l cross join lateral (values (l.published_version, l.published_title, l.published_blocks),
        (l.version, l.title, l.blocks)) as t(version, title, blocks)
      where l.id = any(${idList}::uuid[]) and t.version is not null on conflict do nothing`)
  const published = await tx
    .update(lesson)
    .set(publishedFromDraft)
    .where(inArray(lesson.id, ids))
    .returning({ courseId: lesson.courseId, testIds: lesson.testIds })
  const tested = published.find(({ testIds }) => testIds.length > 0)
  if (tested) await queueTestCheck(actor, tested.courseId)
  await attachLessonFiles(tx, actor, inArray(lesson.id, ids))
}
