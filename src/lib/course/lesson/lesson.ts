import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { queueTestCheck } from '../learning/test-check.ts'
import { lockCourse, recountLessons } from '../outline/lesson-counts.ts'
import { lessonState } from '../outline/outline.ts'
import { requireCourseEditor, requireCourseViewer } from '../permission.ts'
import { lesson } from '../table.ts'
import { attachLessonFiles } from './pictures.ts'
import { announceLessonPublished, announceSaved } from './presence.ts'
import { nextVersionFields, saveRevision } from './revision.ts'
import { measureContent } from './rules.ts'
import type { PublishLesson } from './schema.ts'

/** A lesson for its author: the draft, its version and its publication state. */
export async function getLesson(actor: Actor, input: { lessonId: string }) {
  requireCourseViewer(actor)
  const { lessonId } = input
  const row = await inTenant(actor, (tx) => loadDraft(tx, lessonId))
  return { ...row, state: lessonState(row) }
}
export type LessonDraft = Awaited<ReturnType<typeof getLesson>>

/**
 * Publishes the draft. A second call changes nothing. With `version`, the draft that the author has seen: refuses with
 * conflict when it has changed. Refuses with forbidden, plan_inactive, not_found.
 */
export async function publishLesson(actor: Actor, input: PublishLesson): Promise<{ version: number }> {
  requireCourseEditor(actor)
  const { lessonId, version: seenVersion } = input
  return inTenant(actor, async (tx) => {
    const { courseId, version, publishedVersion, testIds } = await loadDraft(tx, lessonId)
    if (publishedVersion === version && (seenVersion ?? version) === version) return { version }
    await lockCourse(tx, courseId)
    await saveRevision(tx, actor, lessonId, 'published')
    const [published] = await tx
      .update(lesson)
      .set(publishedFromDraft)
      .where(and(eq(lesson.id, lessonId), seenVersion === undefined ? undefined : eq(lesson.version, seenVersion)))
      .returning({ version: lesson.version, testIds: lesson.testIds })
    if (!published) throw new Refusal('conflict', { fields: { form: ['lesson_version_conflict'] } })
    await recountLessons(tx, courseId)
    await attachLessonFiles(tx, actor, eq(lesson.id, lessonId))
    if (!isDeepStrictEqual(published.testIds, testIds)) await queueTestCheck(actor, courseId)
    await announceLessonPublished(lessonId, published.version)
    return { version: published.version }
  })
}

/**
 * Discards unpublished changes; they stay in the revisions. Refuses with forbidden, plan_inactive, not_found, and with
 * unprocessable for a lesson that was never published.
 */
export async function discardLesson(actor: Actor, input: { lessonId: string }): Promise<{ version: number }> {
  requireCourseEditor(actor)
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    const { version, publishedVersion, publishedBlocks } = await loadDraft(tx, lessonId, 'update')
    if (publishedVersion === null || publishedBlocks === null) throw new Refusal('unprocessable')
    if (publishedVersion === version) return { version }
    await saveRevision(tx, actor, lessonId, 'restore')
    const [discarded] = await tx
      .update(lesson)
      .set({
        title: sql`${lesson.publishedTitle}`,
        blocks: publishedBlocks,
        ...measureContent(publishedBlocks.content),
        ...nextVersionFields(actor),
        publishedVersion: sql`${lesson.version} + 1`,
      })
      .where(eq(lesson.id, lessonId))
      .returning({ version: lesson.version })
    await attachLessonFiles(tx, actor, eq(lesson.id, lessonId))
    const made = discarded ?? { version }
    await announceSaved(lessonId, made.version)
    return made
  })
}

/** Column values that publish the draft. */
export const publishedFromDraft = {
  publishedTitle: sql`${lesson.title}`,
  publishedBlocks: sql`${lesson.blocks}`,
  publishedVersion: sql`${lesson.version}`,
  publishedAt: sql`now()`,
}

// With `lock`, no other save can happen before the end of the transaction.
async function loadDraft(tx: Tx, lessonId: string, lock?: 'update') {
  const query = tx
    .select({
      id: lesson.id,
      courseId: lesson.courseId,
      moduleId: lesson.moduleId,
      title: lesson.title,
      blocks: lesson.blocks,
      words: lesson.words,
      version: lesson.version,
      durationMinutes: lesson.durationMinutes,
      publishedVersion: lesson.publishedVersion,
      publishedBlocks: lesson.publishedBlocks,
      testIds: lesson.testIds,
      publishedAt: lesson.publishedAt,
      updatedAt: lesson.updatedAt,
    })
    .from(lesson)
    .where(and(eq(lesson.id, lessonId), isNull(lesson.deletedAt)))
  const [row] = await (lock ? query.for(lock) : query)
  if (!row) throw new Refusal('not_found')
  return row
}
