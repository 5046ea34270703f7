import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { membership, user } from '#lib/user/table.ts'
import { requireCourseEditor, requireCourseViewer } from '../permission.ts'
import { lesson, lessonRevision } from '../table.ts'
import { attachLessonFiles } from './pictures.ts'
import { announceSaved, requireLesson } from './presence.ts'
import { measureContent } from './rules.ts'
import type { GetLessonText, NameRevision, RestoreRevision } from './schema.ts'

export interface RevisionItem {
  version: number
  /** Reason of the revision; a name takes precedence. */
  kind: 'auto' | 'named' | 'restore' | 'published'
  note: string | null
  title: string
  at: Date
  /** Name of the author. */
  by: string
}

const MAX_REVISIONS = 200

/** Revisions of a lesson, newest first, one item a version, without documents. Refuses with forbidden, not_found. */
export async function listRevisions(actor: Actor, input: { lessonId: string }): Promise<RevisionItem[]> {
  requireCourseViewer(actor)
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    await requireLesson(tx, lessonId)
    const { version, kind, note, title, at, by } = lessonRevision
    return tx
      .selectDistinctOn([version], { version, kind, note, title, at, by: authorName })
      .from(lessonRevision)
      .leftJoin(membership, and(eq(membership.tenantId, lessonRevision.tenantId), eq(membership.id, by)))
      .leftJoin(user, eq(user.id, membership.userId))
      .where(eq(lessonRevision.lessonId, lessonId))
      .orderBy(desc(version), desc(sql`${kind} = 'named'`), desc(sql`${kind} = 'published'`), desc(at))
      .limit(MAX_REVISIONS)
  })
}

export interface LessonText {
  version: number
  title: string
  blocks: LessonDoc
}

/** One text of a lesson: the published one, the draft, or a revision. Refuses with forbidden, not_found. */
export async function getLessonText(actor: Actor, input: GetLessonText): Promise<LessonText> {
  requireCourseViewer(actor)
  const { lessonId, revision } = input
  return inTenant(actor, async (tx) => {
    const current = await loadTexts(tx, lessonId)
    if (revision === 'draft' || revision === current.draft.version) return current.draft
    if (revision !== 'published') return loadRevision(tx, lessonId, revision)
    const { version, title, blocks } = current.published
    if (version === null || title === null || blocks === null) throw new Refusal('not_found')
    return { version, title, blocks }
  })
}

/** Names a version, the draft or a revision. Refuses as restoreRevision. */
export async function nameRevision(actor: Actor, input: NameRevision): Promise<void> {
  requireCourseEditor(actor)
  const { lessonId, version, note } = input
  await inTenant(actor, async (tx) => {
    await requireLesson(tx, lessonId)
    const { rows } = await tx.execute(sql`
      insert into lesson_revision (tenant_id, lesson_id, version, kind, note, title, blocks, by)
      select tenant_id, lesson_id, version, 'named', ${note}, title, blocks, by from (
          select tenant_id, id as lesson_id, version, title, blocks, coalesce(updated_by, ${actor.membershipId}) as by
            from lesson where id = ${lessonId} and version = ${version}
          union all
          select tenant_id, lesson_id, version, title, blocks, by
            from lesson_revision where lesson_id = ${lessonId} and version = ${version}
        ) texts limit 1
      on conflict (tenant_id, lesson_id, version, kind) do update set note = excluded.note
      returning version`)
    if (rows.length === 0) throw new Refusal('not_found')
  })
}

/**
 * Restores a revision as the draft; the previous draft is saved as a revision. Students see it after publication.
 * Refuses with forbidden, plan_inactive, not_found.
 */
export async function restoreRevision(actor: Actor, input: RestoreRevision): Promise<{ version: number }> {
  requireCourseEditor(actor)
  const { lessonId, version } = input
  return inTenant(actor, async (tx) => {
    const { draft } = await loadTexts(tx, lessonId, 'update')
    if (draft.version === version) return { version }
    const { title, blocks } = await loadRevision(tx, lessonId, version)
    await saveRevision(tx, actor, lessonId, 'restore')
    const [restored] = await tx
      .update(lesson)
      .set({ title, blocks, ...measureContent(blocks.content), ...nextVersionFields(actor) })
      .where(eq(lesson.id, lessonId))
      .returning({ version: lesson.version })
    const savedVersion = restored?.version ?? draft.version
    await attachLessonFiles(tx, actor, eq(lesson.id, lessonId))
    await announceSaved(lessonId, savedVersion)
    return { version: savedVersion }
  })
}

/** Column values of a draft change outside the editor: open editors detect the new version. */
export const nextVersionFields = (actor: Actor) => ({
  version: sql`${lesson.version} + 1`,
  updatedAt: new Date(),
  updatedBy: actor.membershipId,
})

/** Saves the draft as a revision before it is replaced. */
export async function saveRevision(tx: Tx, actor: Actor, lessonId: string, kind: 'restore' | 'published') {
  await tx.execute(sql`insert into lesson_revision (tenant_id, lesson_id, version, kind, title, blocks, by)
    select tenant_id, id, version, ${kind}, title, blocks, coalesce(updated_by, ${actor.membershipId})
      from lesson where id = ${lessonId} and deleted_at is null on conflict do nothing`)
}

const authorName: SQL<string> = sql`concat_ws(' ', nullif(${user.firstName}, ''), nullif(${user.lastName}, ''))`

async function loadTexts(tx: Tx, lessonId: string, lock?: 'update') {
  const { version, title, blocks, publishedVersion, publishedTitle, publishedBlocks } = lesson
  const query = tx
    .select({
      draft: { version, title, blocks },
      published: { version: publishedVersion, title: publishedTitle, blocks: publishedBlocks },
    })
    .from(lesson)
    .where(and(eq(lesson.id, lessonId), isNull(lesson.deletedAt)))
  const [row] = await (lock ? query.for(lock) : query)
  if (!row) throw new Refusal('not_found')
  return row
}

async function loadRevision(tx: Tx, lessonId: string, wantedVersion: number): Promise<LessonText> {
  const { version, title, blocks } = lessonRevision
  const [row] = await tx
    .select({ version, title, blocks })
    .from(lessonRevision)
    .where(and(eq(lessonRevision.lessonId, lessonId), eq(version, wantedVersion)))
    .limit(1)
  if (!row) throw new Refusal('not_found')
  return row
}
