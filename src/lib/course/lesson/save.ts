import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filesOf, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { requireCourseEditor } from '../permission.ts'
import { lesson } from '../table.ts'
import { attachLessonFiles } from './pictures.ts'
import { announceSaved } from './presence.ts'
import { isTooLarge, type LessonSize, measureContent, updateSize } from './rules.ts'
import type { LessonChange, SaveLesson } from './schema.ts'

/** An automatic revision is saved at the first change after this many minutes without one. */
const REVISION_MINUTES = 5

/**
 * Saves changed blocks of the draft, its title, or both, based on `version`. Only changed blocks are transferred.
 * Refuses with conflict when the draft has a newer version, with the newer text and its author in `data`; also when the
 * sender saved the newer text and the response was lost. Refuses with invalid when the change does not fit the document
 * or makes it too large; with forbidden, plan_inactive, not_found.
 */
export async function saveLesson(actor: Actor, save: SaveLesson): Promise<{ version: number; savedAt: Date }> {
  requireCourseEditor(actor)
  const { lessonId, version, change } = save
  return inTenant(actor, async (tx) => {
    const before = await loadDraftState(tx, lessonId, change)
    if (before.version !== version) throw await conflictRefusal(tx, lessonId)
    const size = change ? sizeAfter(before, change) : null
    const savedAt = new Date()
    const skipsRevision = !save.chosen && before.hasRecentRevision
    const newVersion = await writeDraft(tx, actor, { ...save, savedAt, weight: size, skipsRevision })
    if (newVersion === null) throw await conflictRefusal(tx, lessonId)
    const isRenamed = save.title !== undefined && save.title !== before.title
    if (isRenamed || (change && !hasSameFiles(before.gone, change.insert))) {
      await attachLessonFiles(tx, actor, eq(lesson.id, lessonId))
    }
    if (save.tab) await announceSaved(lessonId, newVersion, save.tab)
    return { version: newVersion, savedAt }
  })
}

interface DraftState {
  version: number
  title: string
  words: number
  nodes: number | null
  characters: number | null
  length: number
  /** There is a recent automatic revision. */
  hasRecentRevision: boolean
  /** Blocks that the change removes. */
  gone: LessonNode[]
  /** All blocks, when the document was never measured. */
  all: LessonNode[] | null
}

const NO_CHANGE: LessonChange = { at: 0, remove: 0, insert: [] }

async function loadDraftState(tx: Tx, lessonId: string, change: LessonChange = NO_CHANGE): Promise<DraftState> {
  const { at, remove } = change
  const { rows } = await tx.execute<Record<keyof DraftState, never>>(sql`
    select version, title, words, nodes, characters, jsonb_array_length(blocks -> 'content') as length,
        ${selectBlocks(at, at + remove - 1)} as gone,
        exists (select 1 from lesson_revision r where r.lesson_id = ${lessonId} and r.kind = 'auto'
          and r.at > now() - make_interval(mins => ${REVISION_MINUTES})) as "hasRecentRevision",
        case when nodes is null or characters is null then blocks -> 'content' end as all
      from lesson where id = ${lessonId} and deleted_at is null`)
  const [row] = rows
  if (!row) throw new Refusal('not_found')
  return row
}

function sizeAfter(before: DraftState, change: LessonChange): LessonSize {
  const { words, nodes, characters, length, gone, all } = before
  const { at, remove, insert } = change
  if (at + remove > length || length - remove + insert.length < 1) refuseLesson('format')
  const sizeBefore = nodes === null || characters === null ? measureContent(all ?? []) : { words, nodes, characters }
  const size = updateSize(sizeBefore, gone, insert)
  if (isTooLarge(size)) refuseLesson('lesson_content')
  return size
}

function refuseLesson(reason: string): never {
  throw new Refusal('invalid', { fields: { change: [reason] } })
}

type DraftWrite = z.output<typeof SaveLesson> & { savedAt: Date; weight: LessonSize | null; skipsRevision: boolean }

// One statement saves the previous text as a revision, when due, and applies the change.
async function writeDraft(tx: Tx, actor: Actor, save: DraftWrite): Promise<number | null> {
  const { lessonId, version, title, change, savedAt, weight, skipsRevision } = save
  const isExpectedVersion = sql`id = ${lessonId} and version = ${version} and deleted_at is null`
  const contentUpdate =
    change && weight
      ? sql`, blocks = ${changedBlocks(change)}, words = ${weight.words}, nodes = ${weight.nodes},
      characters = ${weight.characters}`
      : sql``
  const titleUpdate = title === undefined ? sql`` : sql`, title = ${title}`
  const saveRevision = sql`with saved_revision as (
      insert into lesson_revision (tenant_id, lesson_id, version, kind, title, blocks, by)
      select tenant_id, id, version, 'auto', title, blocks, coalesce(updated_by, ${actor.membershipId})
        from lesson where ${isExpectedVersion} on conflict do nothing)`
  const { rows } = await tx.execute<{ version: number }>(sql`${skipsRevision ? sql`` : saveRevision}
    update lesson set version = version + 1, updated_at = ${savedAt.toISOString()}, updated_by = ${actor.membershipId}
        ${titleUpdate} ${contentUpdate}
      where ${isExpectedVersion} returning version`)
  return rows[0]?.version ?? null
}

// Most changes replace one block: then the rest of the document is copied unparsed.
function changedBlocks({ at, remove, insert }: LessonChange) {
  if (remove === 1 && insert.length === 1) {
    return sql`jsonb_set(blocks, array['content', ${String(at)}], ${JSON.stringify(insert[0])}::jsonb)`
  }
  return sql`jsonb_set(blocks, '{content}',
    ${selectBlocks(0, at - 1)} || ${JSON.stringify(insert)}::jsonb || ${selectBlocks(at + remove, 20_000)})`
}

// In lax mode an empty range selects nothing.
function selectBlocks(first: number, last: number) {
  const range = JSON.stringify({ first, last })
  return sql`jsonb_path_query_array(blocks, 'lax $.content[$first to $last]', ${range}::jsonb)`
}

function hasSameFiles(removed: LessonNode[], added: LessonNode[]): boolean {
  const [before, after] = [removed, added].map((content) => new Set(filesOf({ type: 'doc', content })))
  return before?.symmetricDifference(after ?? new Set()).size === 0
}

async function conflictRefusal(tx: Tx, lessonId: string): Promise<Refusal> {
  const { rows } = await tx.execute(sql`
    select l.version, l.title, l.blocks, concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')) as by
      from lesson l left join membership m on m.tenant_id = l.tenant_id and m.id = l.updated_by
        left join "user" u on u.id = m.user_id
      where l.id = ${lessonId} and l.deleted_at is null`)
  const [data] = rows
  if (!data) return new Refusal('not_found')
  return new Refusal('conflict', { fields: { form: ['lesson_version_conflict'] }, data })
}
