import { and, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { lockCourse, recountLessons } from '../outline/lesson-counts.ts'
import { lessonState } from '../outline/outline.ts'
import { mustEdit, mustSee } from '../permission.ts'
import { LessonId } from '../schema.ts'
import { lesson } from '../table.ts'
import { noteLessons } from './pictures.ts'
import { announcePublished, announceSaved } from './presence.ts'
import { keepRevision, newVersion } from './revision.ts'
import { weigh } from './rules.ts'
import { PublishLesson } from './schema.ts'

/** A lesson as its author sees it: the draft, its version, and how it stands to what students read. */
export async function getLesson(actor: Actor, input: { lessonId: string }) {
  mustSee(actor)
  const { lessonId } = LessonId.parse(input)
  const row = await inTenant(actor, (tx) => load(tx, lessonId))
  return { ...row, state: lessonState(row) }
}
export type LessonDraft = Awaited<ReturnType<typeof getLesson>>

/**
 * Shows the draft to students. A second call changes nothing. With `version`, the draft that the author has seen: refuses
 * with conflict when it has changed meanwhile. Refuses with forbidden, plan_inactive, not_found.
 */
export async function publishLesson(actor: Actor, input: PublishLesson): Promise<{ version: number }> {
  mustEdit(actor)
  const { lessonId, version: seen } = PublishLesson.parse(input)
  return inTenant(actor, async (tx) => {
    const { courseId, version, publishedVersion } = await load(tx, lessonId)
    if (publishedVersion === version && (seen ?? version) === version) return { version }
    await lockCourse(tx, courseId)
    await keepRevision(tx, actor, lessonId, 'published')
    const [published] = await tx
      .update(lesson)
      .set(asDrafted)
      .where(and(eq(lesson.id, lessonId), seen === undefined ? undefined : eq(lesson.version, seen)))
      .returning({ version: lesson.version })
    if (!published) throw new Refusal('conflict', { fields: { form: ['lesson_version_conflict'] } })
    await recountLessons(tx, courseId)
    await noteLessons(tx, actor, eq(lesson.id, lessonId))
    await announcePublished(lessonId, published.version)
    return published
  })
}

/**
 * Throws the unpublished changes away; they stay in the revisions. Refuses with forbidden, plan_inactive, not_found,
 * and with unprocessable for a lesson that was never published.
 */
export async function discardLesson(actor: Actor, input: { lessonId: string }): Promise<{ version: number }> {
  mustEdit(actor)
  const { lessonId } = LessonId.parse(input)
  return inTenant(actor, async (tx) => {
    const { version, publishedVersion, publishedBlocks } = await load(tx, lessonId, 'update')
    if (publishedVersion === null || publishedBlocks === null) throw new Refusal('unprocessable')
    if (publishedVersion === version) return { version }
    await keepRevision(tx, actor, lessonId, 'restore')
    const [discarded] = await tx
      .update(lesson)
      .set({
        title: sql`${lesson.publishedTitle}`,
        blocks: publishedBlocks,
        ...weigh(publishedBlocks.content),
        ...newVersion(actor),
        publishedVersion: sql`${lesson.version} + 1`,
      })
      .where(eq(lesson.id, lessonId))
      .returning({ version: lesson.version })
    await noteLessons(tx, actor, eq(lesson.id, lessonId))
    const made = discarded ?? { version }
    await announceSaved(lessonId, made.version)
    return made
  })
}

/** Makes the draft what students read. */
export const asDrafted = {
  publishedTitle: sql`${lesson.title}`,
  publishedBlocks: sql`${lesson.blocks}`,
  publishedVersion: sql`${lesson.version}`,
  publishedAt: sql`now()`,
}

// For a change that another save must not come between.
async function load(tx: Tx, lessonId: string, lock?: 'update') {
  const asked = tx
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
      publishedAt: lesson.publishedAt,
      updatedAt: lesson.updatedAt,
    })
    .from(lesson)
    .where(and(eq(lesson.id, lessonId), isNull(lesson.deletedAt)))
  const [found] = await (lock ? asked.for(lock) : asked)
  if (!found) throw new Refusal('not_found')
  return found
}
