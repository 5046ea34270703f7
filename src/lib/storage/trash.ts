import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { unlessBackup } from '#lib/core/backup/lock.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type FileArea, type FileUserKind, TRASH_DAYS } from '#lib/core/shared/storing.ts'
import { folderNames, freeName } from './folders.ts'
import { announce } from './live.ts'
import { type FileUse, inOrder, type Outcome, oneAtATime, outcomeOf } from './outcome.ts'
import { mustChange } from './permission.ts'
import { DeleteFiles, SomeFiles } from './schema.ts'
import { file, fileUse, video } from './table.ts'
import { countMade, giveBack } from './upload/quota.ts'
import { isOfVideo } from './video/derived-key.ts'

const DAY = 24 * 3600 * 1000
const BATCH = 200

/**
 * Puts files and folders, with all that lies in them, into the trash. What something uses stays, with the list of what
 * uses it, unless `sure`. Refuses with forbidden, plan_inactive, not_found when none of them is there.
 */
export async function deleteFiles(
  actor: Actor,
  input: { fileIds: string[]; sure?: boolean },
): Promise<{ outcomes: Outcome[] }> {
  mustChange(actor)
  const { fileIds, sure } = DeleteFiles.parse(input)
  return inTenant(actor, async (tx) => {
    await oneAtATime(tx, actor)
    const rows = await tx
      .select({ id: file.id, name: file.name, parentId: file.parentId })
      .from(file)
      .where(and(inArray(file.id, fileIds), eq(file.area, 'storage'), isNull(file.deletedAt)))
    const uses = sure ? new Map<string, FileUse[]>() : await usesBelow(tx, fileIds)
    const outcomes = rows.map((row) => {
      const used = uses.get(row.id) ?? []
      return outcomeOf(row, used.length > 0 ? 'in_use' : null, used)
    })
    const told = inOrder(fileIds, outcomes)
    const going = outcomes.filter(({ done }) => done).map(({ fileId }) => fileId)
    if (going.length > 0) {
      // The topmost of chosen rows takes along what is chosen below it.
      await tx.execute(sql`
        with recursive down as (
          select id, id as top, 0 as depth from file where id in ${going} and deleted_at is null
          union all
          select f.id, down.top, depth + 1 from down
            join file f on f.tenant_id = current_tenant() and f.parent_id = down.id where f.deleted_at is null),
        taken as (select distinct on (id) id, top from down order by id, depth desc)
        update file set deleted_at = now(), deleted_with = taken.top from taken
        where file.tenant_id = current_tenant() and file.id = taken.id`)
      await announce({ fileId: null, event: 'changed' })
    }
    return { outcomes: told }
  })
}

/**
 * Brings back what was deleted, to its folder, or to the top when that is gone. A folder whose name is taken by now gets
 * a number. Refuses with forbidden, plan_inactive, not_found when none of them is in the trash.
 */
export async function restoreFiles(actor: Actor, input: { fileIds: string[] }): Promise<{ outcomes: Outcome[] }> {
  mustChange(actor)
  const { fileIds } = SomeFiles.parse(input)
  return inTenant(actor, async (tx) => {
    await oneAtATime(tx, actor)
    const rows = await inTrash(tx, fileIds)
    const told = inOrder(
      fileIds,
      rows.map((row) => outcomeOf(row)),
    )
    for (const { id, name, kind, parentId, parentGone } of rows) {
      const home = parentGone ? null : parentId
      const freed = kind === 'folder' ? freeName(name, await folderNames(tx, home)) : name
      if (home !== parentId || freed !== name) {
        await tx.update(file).set({ parentId: home, name: freed }).where(eq(file.id, id))
      }
      await tx.update(file).set({ deletedAt: null, deletedWith: null }).where(eq(file.deletedWith, id))
    }
    await announce({ fileId: null, event: 'changed' })
    return { outcomes: told }
  })
}

/**
 * Destroys what lies in the trash and gives its bytes back; what something still uses stays. Refuses with forbidden,
 * plan_inactive, not_found when none of them is in the trash.
 */
export async function purgeFiles(actor: Actor, input: { fileIds: string[] }): Promise<{ outcomes: Outcome[] }> {
  mustChange(actor)
  const { fileIds } = SomeFiles.parse(input)
  return { outcomes: inOrder(fileIds, await purge(actor.tenantId, fileIds)) }
}

/** Destroys all that lies in the trash and is not used. Gives how many rows went. Refuses with forbidden, plan_inactive. */
export async function emptyTrash(actor: Actor): Promise<{ purged: number }> {
  mustChange(actor)
  return { purged: await purgeOlder(actor.tenantId, new Date()) }
}

/** Destroys what has lain in the trash of any school for 30 days. Gives how many rows went. */
export async function sweepTrash(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - TRASH_DAYS * DAY)
  return forEachTenant({ job: 'storage.sweepTrash', dueSql: OLD_TRASH, now: before }, (id) => purgeOlder(id, before))
}

const OLD_TRASH = 'select 1 from file where deleted_at < $1 and deleted_with = id'

/**
 * Destroys at once what a room above has put aside in an area of its own: it was never in the storage, so it passes by
 * its trash. What something still uses stays. The room has written down before that it does not use it any more.
 */
export async function dropFiles(tenantId: string, area: Exclude<FileArea, 'storage'>, fileIds: readonly string[]) {
  if (fileIds.length === 0) return
  await inTenant({ tenantId }, (tx) =>
    tx
      .update(file)
      .set({ deletedAt: new Date(), deletedWith: sql`${file.id}` })
      .where(and(inArray(file.id, [...fileIds]), eq(file.area, area))),
  )
  await purge(tenantId, fileIds)
}

/**
 * Removes the bytes of files that are no more, and all that was made of them; later while a backup runs, because it may
 * still name them. Nothing happens the second time.
 */
export async function discardObjects({ tenantId, fileIds }: { tenantId: string; fileIds: string[] }): Promise<void> {
  const isDone = await unlessBackup(async () => {
    for (const fileId of fileIds) await store.removeFile(tenantId, fileId)
  })
  const startAfter = new Date(Date.now() + 5 * 60_000)
  if (!isDone) await enqueueJob('storage.discard', { tenantId, fileIds }, { startAfter })
}

/** What uses the files, and what lies in the folders, among these; by the id that was asked for. */
export async function usesBelow(tx: Tx, fileIds: readonly string[]): Promise<Map<string, FileUse[]>> {
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

async function inTrash(tx: Tx, fileIds: readonly string[]) {
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

async function purgeOlder(tenantId: string, before: Date): Promise<number> {
  let purged = 0
  for (let after = ''; ; ) {
    const tops = await inTenant({ tenantId }, (tx) =>
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
    const last = tops.at(-1)
    if (!last) return purged
    const ids = tops.map(({ id }) => id)
    purged += (await purge(tenantId, ids)).filter(({ done }) => done).length
    after = last.id
  }
}

// The objects go by a job that exists if and only if the rows are gone: a crash in between loses no byte's trace.
async function purge(tenantId: string, fileIds: readonly string[]): Promise<Outcome[]> {
  const made = await madeOf(tenantId, fileIds)
  return inTenant({ tenantId }, async (tx) => {
    const tops = await inTrash(tx, fileIds)
    if (tops.length === 0) return []
    const uses = await usesTogether(tx, fileIds)
    const outcomes = tops.map((row) => {
      const used = uses.get(row.id) ?? []
      return outcomeOf(row, used.length > 0 ? 'in_use' : null, used)
    })
    const going = outcomes.filter(({ done }) => done).map(({ fileId }) => fileId)
    if (going.length === 0) return outcomes
    const within = tx.select({ id: file.id }).from(file).where(inArray(file.deletedWith, going))
    const apart = sql`(${file.deletedWith} is null or ${file.deletedWith} not in ${going})`
    await tx
      .update(file)
      .set({ parentId: null })
      .where(and(inArray(file.parentId, within), apart))
    await addFilms(tx, going, made)
    const gone = await tx
      .delete(file)
      .where(inArray(file.deletedWith, going))
      .returning({ id: file.id, kind: file.kind, size: file.size })
    await forget(
      tx,
      tenantId,
      gone.filter(({ kind }) => kind !== 'folder'),
      made,
    )
    await announce({ fileId: null, event: 'changed' })
    return outcomes
  })
}

async function forget(tx: Tx, tenantId: string, gone: { id: string; size: number }[], made: Map<string, number>) {
  const original = gone.reduce((sum, { size }) => sum + size, 0)
  const besides = gone.reduce((sum, { id }) => sum + (made.get(id) ?? 0), 0)
  await giveBack(tx, tenantId, original)
  await countMade(tx, tenantId, -besides)
  for (let at = 0; at < gone.length; at += BATCH) {
    const fileIds = gone.slice(at, at + BATCH).map(({ id }) => id)
    await enqueueJob('storage.discard', { tenantId, fileIds })
  }
}

// What the encoder made is taken as it was counted: it may be at work just now, and what it puts aside is not counted yet.
async function addFilms(tx: Tx, going: readonly string[], made: Map<string, number>): Promise<void> {
  const films = await tx
    .select({ id: video.fileId, made: video.made })
    .from(video)
    .innerJoin(file, and(eq(file.tenantId, video.tenantId), eq(file.id, video.fileId)))
    .where(inArray(file.deletedWith, [...going]))
    .for('update', { of: video })
  for (const film of films) made.set(film.id, (made.get(film.id) ?? 0) + film.made)
}

// Asked before the transaction: a bucket far away may take its time.
async function madeOf(tenantId: string, tops: readonly string[]): Promise<Map<string, number>> {
  const rows = await inTenant({ tenantId }, (tx) =>
    tx
      .select({ id: file.id })
      .from(file)
      .where(and(inArray(file.deletedWith, [...tops]), inArray(file.kind, ['image', 'video', 'audio']))),
  )
  const made = new Map<string, number>()
  for (const { id } of rows) {
    for await (const { key, size } of store.list(`${tenantId}/${id}.made/`)) {
      if (!isOfVideo(key)) made.set(id, (made.get(id) ?? 0) + size)
    }
  }
  return made
}

/** Uses of all that was deleted together, by its topmost row. */
async function usesTogether(tx: Tx, tops: readonly string[]): Promise<Map<string, FileUse[]>> {
  const rows = await tx
    .select({ top: file.deletedWith, kind: fileUse.userKind, id: fileUse.userId, title: fileUse.title })
    .from(fileUse)
    .innerJoin(file, and(eq(file.tenantId, fileUse.tenantId), eq(file.id, fileUse.fileId)))
    .where(inArray(file.deletedWith, [...tops]))
  const uses = new Map<string, FileUse[]>()
  for (const { top, ...use } of rows) if (top) uses.set(top, [...(uses.get(top) ?? []), use])
  return uses
}
