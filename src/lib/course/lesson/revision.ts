import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { membership, user } from '#lib/user/table.ts'
import { mustEdit, mustSee } from '../permission.ts'
import { LessonId } from '../schema.ts'
import { lesson, lessonRevision } from '../table.ts'
import { noteLessons } from './pictures.ts'
import { announceSaved, mustLive } from './presence.ts'
import { weigh } from './rules.ts'
import { LessonTextOf, NameRevision, RestoreRevision } from './schema.ts'

export interface RevisionLine {
  version: number
  /** Why it was kept; a name counts before everything else. */
  kind: 'auto' | 'named' | 'restore' | 'published'
  note: string | null
  title: string
  at: Date
  /** Whose text it is. */
  by: string
}

const MOST_LINES = 200

/** Earlier texts of a lesson, newest first, one line a version, without the texts. Refuses with forbidden, not_found. */
export async function listRevisions(actor: Actor, input: { lessonId: string }): Promise<RevisionLine[]> {
  mustSee(actor)
  const { lessonId } = LessonId.parse(input)
  return inTenant(actor, async (tx) => {
    await mustLive(tx, lessonId)
    const { version, kind, note, title, at, by } = lessonRevision
    return tx
      .selectDistinctOn([version], { version, kind, note, title, at, by: nameOf })
      .from(lessonRevision)
      .leftJoin(membership, and(eq(membership.tenantId, lessonRevision.tenantId), eq(membership.id, by)))
      .leftJoin(user, eq(user.id, membership.userId))
      .where(eq(lessonRevision.lessonId, lessonId))
      .orderBy(desc(version), desc(sql`${kind} = 'named'`), desc(sql`${kind} = 'published'`), desc(at))
      .limit(MOST_LINES)
  })
}

export interface LessonText {
  version: number
  title: string
  blocks: LessonDoc
}

/**
 * One text of a lesson to read or compare: what students read, the draft, or an earlier version. Refuses with
 * forbidden, not_found.
 */
export async function getLessonText(actor: Actor, input: LessonTextOf): Promise<LessonText> {
  mustSee(actor)
  const { lessonId, of } = LessonTextOf.parse(input)
  return inTenant(actor, async (tx) => {
    const current = await load(tx, lessonId)
    if (of === 'draft' || of === current.draft.version) return current.draft
    if (of !== 'published') return loadRevision(tx, lessonId, of)
    const { version, title, blocks } = current.published
    if (version === null || title === null || blocks === null) throw new Refusal('not_found')
    return { version, title, blocks }
  })
}

/** Gives a version a name to find it by, the draft as it stands or an earlier one. Refuses as restoreRevision. */
export async function nameRevision(actor: Actor, input: NameRevision): Promise<void> {
  mustEdit(actor)
  const { lessonId, version, note } = NameRevision.parse(input)
  await inTenant(actor, async (tx) => {
    await mustLive(tx, lessonId)
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
 * Makes an earlier version the draft; what the draft was is kept among the revisions. Students see it once it is
 * published. Refuses with forbidden, plan_inactive, not_found.
 */
export async function restoreRevision(actor: Actor, input: RestoreRevision): Promise<{ version: number }> {
  mustEdit(actor)
  const { lessonId, version } = RestoreRevision.parse(input)
  return inTenant(actor, async (tx) => {
    const { draft } = await load(tx, lessonId, 'update')
    if (draft.version === version) return { version }
    const { title, blocks } = await loadRevision(tx, lessonId, version)
    await keepRevision(tx, actor, lessonId, 'restore')
    const [restored] = await tx
      .update(lesson)
      .set({ title, blocks, ...weigh(blocks.content), ...newVersion(actor) })
      .where(eq(lesson.id, lessonId))
      .returning({ version: lesson.version })
    const made = restored?.version ?? draft.version
    await noteLessons(tx, actor, eq(lesson.id, lessonId))
    await announceSaved(lessonId, made)
    return { version: made }
  })
}

/** A change of the draft that is not a save: an editor that is still open must notice it. */
export const newVersion = (actor: Actor) => ({
  version: sql`${lesson.version} + 1`,
  updatedAt: new Date(),
  updatedBy: actor.membershipId,
})

/** Keeps the draft as it stands, before something takes its place. */
export async function keepRevision(tx: Tx, actor: Actor, lessonId: string, kind: 'restore' | 'published') {
  await tx.execute(sql`insert into lesson_revision (tenant_id, lesson_id, version, kind, title, blocks, by)
    select tenant_id, id, version, ${kind}, title, blocks, coalesce(updated_by, ${actor.membershipId})
      from lesson where id = ${lessonId} and deleted_at is null on conflict do nothing`)
}

const nameOf: SQL<string> = sql`concat_ws(' ', nullif(${user.firstName}, ''), nullif(${user.lastName}, ''))`

async function load(tx: Tx, lessonId: string, lock?: 'update') {
  const { version, title, blocks, publishedVersion, publishedTitle, publishedBlocks } = lesson
  const asked = tx
    .select({
      draft: { version, title, blocks },
      published: { version: publishedVersion, title: publishedTitle, blocks: publishedBlocks },
    })
    .from(lesson)
    .where(and(eq(lesson.id, lessonId), isNull(lesson.deletedAt)))
  const [found] = await (lock ? asked.for(lock) : asked)
  if (!found) throw new Refusal('not_found')
  return found
}

async function loadRevision(tx: Tx, lessonId: string, wanted: number): Promise<LessonText> {
  const { version, title, blocks } = lessonRevision
  const [found] = await tx
    .select({ version, title, blocks })
    .from(lessonRevision)
    .where(and(eq(lessonRevision.lessonId, lessonId), eq(version, wanted)))
    .limit(1)
  if (!found) throw new Refusal('not_found')
  return found
}
