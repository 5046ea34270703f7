import { and, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { uniqueName } from './folders.ts'
import { publishStorageEvent } from './live.ts'
import { type FileOutcome, fileOutcomeOf, inRequestOrder, lockFolders } from './outcome.ts'
import { requireStorageWrite } from './permission.ts'
import { loadPath } from './storage.ts'
import { caption, file, video } from './table.ts'
import { queueExamination } from './upload/examine.ts'
import { commitReservation, countDerivedBytes, releaseReservation, reserveBytes } from './upload/quota.ts'
import { queueVideo } from './video/video.ts'

const MAX_FILES = 2000

export interface CopyResult {
  outcomes: FileOutcome[]
  /** Ids of the top-level copies, unordered. */
  copies: string[]
}

/**
 * Copies files and folders with their content into a folder; a copy next to its original gets a number. Derived files
 * are copied too; an unfinished video is encoded again. Refuses with forbidden, plan_inactive, not_found, too_large for
 * more than 2000 files at once, unprocessable when the storage has no space.
 */
export async function copyFiles(
  actor: Actor,
  input: { fileIds: string[]; folderId: string | null },
): Promise<CopyResult> {
  requireStorageWrite(actor)
  const { fileIds, folderId } = input
  const plan = await inTenant(actor, async (tx) => {
    await loadPath(tx, folderId)
    const rows = await loadSubtree(tx, fileIds)
    const topNodes = rows.filter(({ id }) => fileIds.includes(id))
    const outcomes = inRequestOrder(
      fileIds,
      topNodes.map((row) => fileOutcomeOf(row)),
    )
    if (rows.length > MAX_FILES) throw new Refusal('too_large')
    const bytes = rows.reduce((sum, { size }) => sum + size, 0)
    await reserveBytes(tx, actor, bytes)
    return { rows, outcomes, bytes, whole: await findComplete(tx, rows) }
  })
  const ids = new Map(plan.rows.map(({ id }) => [id, newId()]))
  try {
    const derivedBytes = await copyObjects(actor.tenantId, plan, ids)
    const copies = await inTenant(actor, async (tx) => {
      await lockFolders(tx, actor)
      await loadPath(tx, folderId)
      const topNodes = await insertCopies(tx, actor, plan.rows, ids, { fileIds, folderId })
      await copyVideos(tx, actor, plan, ids)
      await commitReservation(tx, actor.tenantId, plan.bytes)
      await countDerivedBytes(tx, actor.tenantId, derivedBytes)
      await publishStorageEvent({ fileId: null, event: 'changed', folderId })
      return topNodes
    })
    return { outcomes: plan.outcomes, copies }
  } catch (error) {
    await inTenant(actor, (tx) => releaseReservation(tx, actor.tenantId, plan.bytes))
    for (const id of ids.values()) await store.removeFile(actor.tenantId, id)
    throw error
  }
}

type Row = typeof file.$inferSelect

interface CopyPlan {
  rows: readonly Row[]
  /** Files whose derived files are complete. */
  whole: ReadonlySet<string>
}

/** The rows with all descendants, parents before children. */
async function loadSubtree(tx: Tx, fileIds: readonly string[]): Promise<Row[]> {
  const { rows } = await tx.execute<{ id: string; depth: number }>(sql`
    with recursive down as (
      select id, 0 as depth from file where id in ${fileIds} and deleted_at is null
      union all
      select f.id, depth + 1 from down join file f on f.tenant_id = current_tenant() and f.parent_id = down.id
        where f.deleted_at is null)
    select id, max(depth)::int as depth from down group by id order by 2 limit ${MAX_FILES + 1}`)
  if (rows.length === 0) throw new Refusal('not_found')
  const positions = new Map(rows.map(({ id }, index) => [id, index]))
  const found = await tx
    .select()
    .from(file)
    .where(inArray(file.id, [...positions.keys()]))
  return found.sort((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0))
}

async function findComplete(tx: Tx, rows: readonly Row[]): Promise<Set<string>> {
  const done = await tx
    .select({ id: video.fileId })
    .from(video)
    .where(and(inArray(video.fileId, mediaIdsOf(rows)), eq(video.state, 'finished')))
  const images = rows.filter(({ kind, widths }) => kind === 'image' && widths.length > 0)
  return new Set([...done, ...images].map(({ id }) => id))
}

const mediaIdsOf = (rows: readonly Row[]) =>
  rows.filter(({ kind }) => kind === 'video' || kind === 'audio').map(({ id }) => id)

async function copyObjects(tenantId: string, { rows, whole }: CopyPlan, ids: Map<string, string>): Promise<number> {
  let derivedBytes = 0
  for (const { id, kind } of rows) {
    if (kind === 'folder') continue
    const [from, to] = [`${tenantId}/${id}`, `${tenantId}/${ids.get(id)}`]
    await store.copy(from, to)
    for await (const { key, size } of store.list(`${from}.made/`)) {
      const path = key.slice(`${from}.made/`.length)
      // Captions are user content; other output of an unfinished video is produced again.
      if (!whole.has(id) && !path.startsWith('captions/')) continue
      await store.copy(key, `${to}.made/${path}`)
      derivedBytes += size
    }
  }
  return derivedBytes
}

async function insertCopies(
  tx: Tx,
  actor: Actor,
  rows: readonly Row[],
  ids: Map<string, string>,
  { fileIds, folderId }: { fileIds: readonly string[]; folderId: string | null },
): Promise<string[]> {
  const usedNames = await loadNames(tx, folderId)
  const within = new Set(rows.map(({ id }) => id))
  const topIds: string[] = []
  const copies = rows.map((row) => {
    const isTop = fileIds.includes(row.id) && !within.has(row.parentId ?? '')
    const name = isTop ? uniqueName(row.name, usedNames) : row.name
    if (isTop) usedNames.add(name)
    const id = ids.get(row.id) ?? newId()
    if (isTop) topIds.push(id)
    const parentId = isTop ? folderId : (ids.get(row.parentId ?? '') ?? folderId)
    return { ...row, id, name, parentId, ownerId: actor.membershipId, createdAt: new Date(), updatedAt: new Date() }
  })
  await tx.insert(file).values(copies)
  for (const { id, sha256, kind, widths } of copies) {
    const known = sha256 !== null && (kind !== 'image' || widths.length > 0)
    if (!known && kind !== 'folder') await queueExamination(actor.tenantId, id)
  }
  return topIds
}

/** Output of a finished video or audio file is copied; the others are queued for encoding. */
async function copyVideos(tx: Tx, actor: Actor, { rows, whole }: CopyPlan, ids: Map<string, string>): Promise<void> {
  const mediaIds = mediaIdsOf(rows)
  if (mediaIds.length === 0) return
  const copyOf = (id: string) => ids.get(id) ?? id
  const videos = await tx.select().from(video).where(inArray(video.fileId, mediaIds))
  const ready = videos.filter(({ fileId }) => whole.has(fileId))
  if (ready.length > 0) await tx.insert(video).values(ready.map((row) => ({ ...row, fileId: copyOf(row.fileId) })))
  const captions = await tx.select().from(caption).where(inArray(caption.fileId, mediaIds))
  if (captions.length > 0) {
    await tx.insert(caption).values(captions.map((row) => ({ ...row, fileId: copyOf(row.fileId) })))
  }
  for (const id of mediaIds) if (!whole.has(id)) await queueVideo(tx, actor.tenantId, copyOf(id))
}

async function loadNames(tx: Tx, folderId: string | null): Promise<Set<string>> {
  const here = folderId === null ? sql`${file.parentId} is null` : eq(file.parentId, folderId)
  const rows = await tx
    .select({ name: file.name })
    .from(file)
    .where(and(here, sql`${file.deletedAt} is null`))
  return new Set(rows.map(({ name }) => name))
}
