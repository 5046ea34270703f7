import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { runUnlessBackup } from '#lib/core/backup/lock.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { FILE_TRASH_DAYS, type FileArea, type FileUserKind } from '#lib/core/shared/stored-file.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { folderNames, uniqueName } from './folders.ts'
import { publishStorageEvent } from './live.ts'
import { type FileOutcome, type FileUse, fileOutcomeOf, inRequestOrder, lockFolders } from './outcome.ts'
import { requireStorageWrite } from './permission.ts'
import type { DeleteFiles } from './schema.ts'
import { file, fileUse, video } from './table.ts'
import { countDerivedBytes, releaseBytes } from './upload/quota.ts'
import { isVideoOutput } from './video/derived-key.ts'

const BATCH = 200

/**
 * Moves files and folders with their content into the trash. Files in use are kept, and their users returned, unless
 * `sure`. Refuses with forbidden, plan_inactive, and not_found when none of them exists.
 */
export async function deleteFiles(actor: Actor, input: DeleteFiles): Promise<{ outcomes: FileOutcome[] }> {
  requireStorageWrite(actor)
  const { fileIds, sure } = input
  return inTenant(actor, async (tx) => {
    await lockFolders(tx, actor)
    const rows = await tx
      .select({ id: file.id, name: file.name, parentId: file.parentId })
      .from(file)
      .where(and(inArray(file.id, fileIds), eq(file.area, 'storage'), isNull(file.deletedAt)))
    const uses = sure ? new Map<string, FileUse[]>() : await findUses(tx, fileIds)
    const outcomes = rows.map((row) => {
      const used = uses.get(row.id) ?? []
      return fileOutcomeOf(row, used.length > 0 ? 'in_use' : null, used)
    })
    const ordered = inRequestOrder(fileIds, outcomes)
    const deletedIds = outcomes.filter(({ done }) => done).map(({ fileId }) => fileId)
    if (deletedIds.length > 0) {
      // Selected rows below another selected row belong to the topmost one.
      await tx.execute(sql`
        with recursive down as (
          select id, id as top, 0 as depth from file where id in ${deletedIds} and deleted_at is null
          union all
          select f.id, down.top, depth + 1 from down
            join file f on f.tenant_id = current_tenant() and f.parent_id = down.id where f.deleted_at is null),
        taken as (select distinct on (id) id, top from down order by id, depth desc)
        update file set deleted_at = now(), deleted_with = taken.top from taken
        where file.tenant_id = current_tenant() and file.id = taken.id`)
      await publishStorageEvent({ fileId: null, event: 'changed' })
    }
    return { outcomes: ordered }
  })
}

/**
 * Restores deleted files to their folder, or to the top when it no longer exists. A number is appended to the name of a
 * folder that is already in use. Refuses with forbidden, plan_inactive, and not_found when none of them is in the
 * trash.
 */
export async function restoreFiles(actor: Actor, input: { fileIds: string[] }): Promise<{ outcomes: FileOutcome[] }> {
  requireStorageWrite(actor)
  const { fileIds } = input
  return inTenant(actor, async (tx) => {
    await lockFolders(tx, actor)
    const rows = await loadTrashed(tx, fileIds)
    const ordered = inRequestOrder(
      fileIds,
      rows.map((row) => fileOutcomeOf(row)),
    )
    for (const { id, name, kind, parentId, parentGone } of rows) {
      const targetId = parentGone ? null : parentId
      const newName = kind === 'folder' ? uniqueName(name, await folderNames(tx, targetId)) : name
      if (targetId !== parentId || newName !== name) {
        await tx.update(file).set({ parentId: targetId, name: newName }).where(eq(file.id, id))
      }
      await tx.update(file).set({ deletedAt: null, deletedWith: null }).where(eq(file.deletedWith, id))
    }
    await publishStorageEvent({ fileId: null, event: 'changed' })
    return { outcomes: ordered }
  })
}

/**
 * Permanently deletes files in the trash and releases their bytes; files in use are kept. Refuses with forbidden,
 * plan_inactive, and not_found when none of them is in the trash.
 */
export async function purgeFiles(actor: Actor, input: { fileIds: string[] }): Promise<{ outcomes: FileOutcome[] }> {
  requireStorageWrite(actor)
  const { fileIds } = input
  return { outcomes: inRequestOrder(fileIds, await purgeRows(actor.tenantId, fileIds)) }
}

/**
 * Permanently deletes all unused files in the trash. Returns the number of rows. Refuses with forbidden, plan_inactive.
 */
export async function emptyTrash(actor: Actor): Promise<{ purged: number }> {
  requireStorageWrite(actor)
  return { purged: await purgeDeletedBefore(actor.tenantId, new Date()) }
}

/** Permanently deletes the files of all tenants that were in the trash for 30 days. Returns the number of rows. */
export async function sweepFileTrash(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - FILE_TRASH_DAYS * DAY_MS)
  return forEachTenant({ job: 'storage.sweepTrash', dueSql: EXPIRED_TRASH, now: before }, (id) =>
    purgeDeletedBefore(id, before),
  )
}

const EXPIRED_TRASH = 'select 1 from file where deleted_at < $1 and deleted_with = id'

/**
 * Permanently deletes files of an area without the trash, for a module that has stored them itself. Files in use are kept
 * in the trash. The caller has removed its own uses before.
 */
export async function purgeAreaFiles(tenantId: string, area: FileArea, fileIds: readonly string[]) {
  if (fileIds.length === 0) return
  await inTenant({ tenantId }, (tx) => moveAreaFilesToTrash(tx, area, fileIds))
  await purgeRows(tenantId, fileIds)
}

/**
 * Moves files of an area to the trash, in the transaction that removes their last use, so that they are deleted even when
 * purgeAreaFiles fails afterwards.
 */
export async function moveAreaFilesToTrash(tx: Tx, area: FileArea, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return
  await tx
    .update(file)
    .set({ deletedAt: new Date(), deletedWith: sql`${file.id}` })
    .where(and(inArray(file.id, [...fileIds]), eq(file.area, area)))
}

/**
 * Removes the objects of deleted files and all derived ones; postponed while a backup runs, because it may refer to
 * them. Idempotent.
 */
export async function discardObjects({ tenantId, fileIds }: { tenantId: string; fileIds: string[] }): Promise<void> {
  const isDone = await runUnlessBackup(async () => {
    const task = { job: 'storage.discard', tenantId, items: fileIds, idOf: (fileId: string) => fileId }
    await forEachItem(task, (fileId) => store.removeFile(tenantId, fileId))
  })
  const startAfter = new Date(Date.now() + 5 * MINUTE_MS)
  if (!isDone) await enqueueJob('storage.discard', { tenantId, fileIds }, { startAfter })
}

/** Users of the files and of the content of the folders, by the requested id. */
async function findUses(tx: Tx, fileIds: readonly string[]): Promise<Map<string, FileUse[]>> {
  const { rows } = await tx.execute<{ top: string; kind: FileUserKind; id: string; title: string }>(sql`
    with recursive down as (
      select id, id as top from file where id in ${fileIds}
      union all
      select f.id, down.top from down join file f on f.tenant_id = current_tenant() and f.parent_id = down.id)
    select distinct down.top, u.user_kind as kind, u.user_id as id, u.title
    from down join file_use u on u.tenant_id = current_tenant() and u.file_id = down.id order by u.title`)
  const uses = new Map<string, FileUse[]>()
  for (const { top, kind, id, title } of rows) uses.set(top, [...(uses.get(top) ?? []), { kind, id, title }])
  return uses
}

async function loadTrashed(tx: Tx, fileIds: readonly string[]) {
  const { rows } = await tx.execute<{
    id: string
    name: string
    kind: string
    parent: string | null
    gone: boolean
  }>(sql`
    select f.id, f.name, f.kind, f.parent_id as parent, p.id is null or p.deleted_at is not null as gone
    from file f left join file p on p.tenant_id = f.tenant_id and p.id = f.parent_id
    where f.tenant_id = current_tenant() and f.id in ${fileIds} and f.deleted_at is not null and f.deleted_with = f.id`)
  return rows.map(({ id, name, kind, parent, gone }) => ({ id, name, kind, parentId: parent, parentGone: gone }))
}

async function purgeDeletedBefore(tenantId: string, before: Date): Promise<number> {
  let purged = 0
  for (let after = ''; ; ) {
    const topIds = await inTenant({ tenantId }, (tx) =>
      tx
        .select({ id: file.id })
        .from(file)
        .where(
          and(
            isNotNull(file.deletedAt),
            lt(file.deletedAt, before),
            eq(file.deletedWith, file.id),
            after ? sql`${file.id} > ${after}` : undefined,
          ),
        )
        .orderBy(file.id)
        .limit(BATCH),
    )
    const last = topIds.at(-1)
    if (!last) return purged
    const ids = topIds.map(({ id }) => id)
    purged += (await purgeRows(tenantId, ids)).filter(({ done }) => done).length
    after = last.id
  }
}

// The objects are removed by a job that exists if and only if the rows are deleted, so a crash in between leaves no
// orphaned bytes.
async function purgeRows(tenantId: string, fileIds: readonly string[]): Promise<FileOutcome[]> {
  const made = await measureDerived(tenantId, fileIds)
  return inTenant({ tenantId }, async (tx) => {
    const topIds = await loadTrashed(tx, fileIds)
    if (topIds.length === 0) return []
    const uses = await findUsesOfDeleted(tx, fileIds)
    const outcomes = topIds.map((row) => {
      const used = uses.get(row.id) ?? []
      return fileOutcomeOf(row, used.length > 0 ? 'in_use' : null, used)
    })
    const purgedIds = outcomes.filter(({ done }) => done).map(({ fileId }) => fileId)
    if (purgedIds.length === 0) return outcomes
    const inPurged = tx.select({ id: file.id }).from(file).where(inArray(file.deletedWith, purgedIds))
    const isKeptRow = sql`(${file.deletedWith} is null or ${file.deletedWith} not in ${purgedIds})`
    await tx
      .update(file)
      .set({ parentId: null })
      .where(and(inArray(file.parentId, inPurged), isKeptRow))
    await addVideoBytes(tx, purgedIds, made)
    const removed = await tx
      .delete(file)
      .where(inArray(file.deletedWith, purgedIds))
      .returning({ id: file.id, kind: file.kind, size: file.size })
    await releaseDeleted(
      tx,
      tenantId,
      removed.filter(({ kind }) => kind !== 'folder'),
      made,
    )
    await publishStorageEvent({ fileId: null, event: 'changed' })
    return outcomes
  })
}

async function releaseDeleted(
  tx: Tx,
  tenantId: string,
  removed: { id: string; size: number }[],
  made: Map<string, number>,
) {
  const original = removed.reduce((sum, { size }) => sum + size, 0)
  const derivedBytes = removed.reduce((sum, { id }) => sum + (made.get(id) ?? 0), 0)
  await releaseBytes(tx, tenantId, original)
  await countDerivedBytes(tx, tenantId, -derivedBytes)
  for (let at = 0; at < removed.length; at += BATCH) {
    const fileIds = removed.slice(at, at + BATCH).map(({ id }) => id)
    await enqueueJob('storage.discard', { tenantId, fileIds })
  }
}

// The counted output of the encoder is subtracted: a running encoder may have stored files that were not counted yet.
async function addVideoBytes(tx: Tx, deletedIds: readonly string[], made: Map<string, number>): Promise<void> {
  const videos = await tx
    .select({ id: video.fileId, made: video.made })
    .from(video)
    .innerJoin(file, and(eq(file.tenantId, video.tenantId), eq(file.id, video.fileId)))
    .where(inArray(file.deletedWith, [...deletedIds]))
    .for('update', { of: video })
  for (const row of videos) made.set(row.id, (made.get(row.id) ?? 0) + row.made)
}

// Measured before the transaction: a remote bucket may be slow.
async function measureDerived(tenantId: string, topIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await inTenant({ tenantId }, (tx) =>
    tx
      .select({ id: file.id })
      .from(file)
      .where(and(inArray(file.deletedWith, [...topIds]), inArray(file.kind, ['image', 'video', 'audio']))),
  )
  const made = new Map<string, number>()
  for (const { id } of rows) {
    for await (const { key, size } of store.list(`${tenantId}/${id}.made/`)) {
      if (!isVideoOutput(key)) made.set(id, (made.get(id) ?? 0) + size)
    }
  }
  return made
}

/** Users of files that were deleted together, by their topmost row. */
async function findUsesOfDeleted(tx: Tx, topIds: readonly string[]): Promise<Map<string, FileUse[]>> {
  const rows = await tx
    .select({ top: file.deletedWith, kind: fileUse.userKind, id: fileUse.userId, title: fileUse.title })
    .from(fileUse)
    .innerJoin(file, and(eq(file.tenantId, fileUse.tenantId), eq(file.id, fileUse.fileId)))
    .where(inArray(file.deletedWith, [...topIds]))
  const uses = new Map<string, FileUse[]>()
  for (const { top, ...use } of rows) if (top) uses.set(top, [...(uses.get(top) ?? []), use])
  return uses
}
