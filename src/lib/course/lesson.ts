import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { lockCourse, recountLessons } from './counters.ts'
import { lessonState } from './outline.ts'
import { mustEdit, mustSee } from './permission.ts'
import { noteLessons } from './pictures.ts'
import { countWords, LessonId, SaveLesson } from './schema.ts'
import { lesson, lessonRevision } from './table.ts'

/** An automatic revision is kept of the first change after this many minutes without one. */
const REVISION_MINUTES = 5

/** A lesson as its author sees it: the draft, its version, and how it stands to what students read. */
export async function getLesson(actor: Actor, input: { lessonId: string }) {
  mustSee(actor)
  const { lessonId } = LessonId.parse(input)
  const row = await inTenant(actor, (tx) => load(tx, lessonId))
  return { ...row, state: lessonState(row) }
}
export type LessonDraft = Awaited<ReturnType<typeof getLesson>>

/**
 * Saves the draft over the version it was written on. Refuses with conflict when somebody saved in between, the newer
 * text in `data`; the same text sent again (its answer was lost on the way) is a success.
 * Refuses with forbidden, plan_inactive, not_found.
 */
export async function saveLesson(actor: Actor, input: SaveLesson): Promise<{ version: number; savedAt: Date }> {
  mustEdit(actor)
  const { lessonId, version, title, blocks } = SaveLesson.parse(input)
  return inTenant(actor, async (tx) => {
    await keepRevision(tx, actor, lessonId, 'auto')
    const savedAt = new Date()
    const [saved] = await tx
      .update(lesson)
      .set({
        ...{ title, blocks, words: countWords(blocks), updatedAt: savedAt, updatedBy: actor.membershipId },
        version: sql`${lesson.version} + 1`,
      })
      .where(and(eq(lesson.id, lessonId), eq(lesson.version, version), isNull(lesson.deletedAt)))
      .returning({ version: lesson.version })
    if (saved) {
      await noteLessons(tx, actor, eq(lesson.id, lessonId))
      return { version: saved.version, savedAt }
    }
    const current = await load(tx, lessonId)
    if (current.title === title && sameJson(current.blocks, blocks)) {
      return { version: current.version, savedAt: current.updatedAt }
    }
    throw new Refusal('conflict', {
      fields: { form: ['lesson_version_conflict'] },
      data: { version: current.version, title: current.title, blocks: current.blocks },
    })
  })
}

/** Shows the draft to students. A second call changes nothing. Refuses with forbidden, plan_inactive, not_found. */
export async function publishLesson(actor: Actor, input: { lessonId: string }): Promise<{ version: number }> {
  mustEdit(actor)
  const { lessonId } = LessonId.parse(input)
  return inTenant(actor, async (tx) => {
    const { courseId, version, publishedVersion } = await load(tx, lessonId)
    if (publishedVersion === version) return { version }
    await lockCourse(tx, courseId)
    await keepRevision(tx, actor, lessonId, 'published')
    const [published] = await tx
      .update(lesson)
      .set(asDrafted)
      .where(eq(lesson.id, lessonId))
      .returning({ version: lesson.version })
    await recountLessons(tx, courseId)
    await noteLessons(tx, actor, eq(lesson.id, lessonId))
    return published ?? { version }
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
    const { version, publishedVersion, publishedBlocks } = await load(tx, lessonId)
    if (publishedVersion === null || publishedBlocks === null) throw new Refusal('unprocessable')
    if (publishedVersion === version) return { version }
    await keepRevision(tx, actor, lessonId, 'restore')
    // A new version, not the old number: an editor that is still open must notice.
    const next = sql`${lesson.version} + 1`
    const [discarded] = await tx
      .update(lesson)
      .set({
        ...{ title: sql`${lesson.publishedTitle}`, blocks: publishedBlocks, words: countWords(publishedBlocks) },
        ...{ version: next, publishedVersion: next, updatedAt: new Date(), updatedBy: actor.membershipId },
      })
      .where(eq(lesson.id, lessonId))
      .returning({ version: lesson.version })
    await noteLessons(tx, actor, eq(lesson.id, lessonId))
    return discarded ?? { version }
  })
}

/** Earlier texts of a lesson, newest first, the last fifty. Refuses with forbidden, not_found. */
export async function listRevisions(actor: Actor, input: { lessonId: string }) {
  mustSee(actor)
  const { lessonId } = LessonId.parse(input)
  return inTenant(actor, async (tx) => {
    await load(tx, lessonId)
    return tx
      .select({
        version: lessonRevision.version,
        kind: lessonRevision.kind,
        title: lessonRevision.title,
        blocks: lessonRevision.blocks,
        at: lessonRevision.at,
      })
      .from(lessonRevision)
      .where(eq(lessonRevision.lessonId, lessonId))
      .orderBy(desc(lessonRevision.at))
      .limit(50)
  })
}

/** Makes the draft what students read. */
export const asDrafted = {
  publishedTitle: sql`${lesson.title}`,
  publishedBlocks: sql`${lesson.blocks}`,
  publishedVersion: sql`${lesson.version}`,
  publishedAt: sql`now()`,
}

async function load(tx: Tx, lessonId: string) {
  const [found] = await tx
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
  if (!found) throw new Refusal('not_found')
  return found
}

/** Keeps the text as it stands before a change; of automatic ones one in a few minutes. */
async function keepRevision(tx: Tx, actor: Actor, lessonId: string, kind: 'auto' | 'restore' | 'published') {
  const throttle =
    kind === 'auto'
      ? sql`and not exists (select 1 from lesson_revision r where r.lesson_id = l.id and r.kind = 'auto'
          and r.at > now() - make_interval(mins => ${REVISION_MINUTES}))`
      : sql``
  await tx.execute(sql`insert into lesson_revision (tenant_id, lesson_id, version, kind, title, blocks, by)
    select l.tenant_id, l.id, l.version, ${kind}, l.title, l.blocks, ${actor.membershipId}
      from lesson l where l.id = ${lessonId} and l.deleted_at is null ${throttle} on conflict do nothing`)
}

// PostgreSQL's jsonb forgets the order of keys, so two equal texts may come in different orders.
function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
