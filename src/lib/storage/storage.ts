import { and, eq, exists, gte, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm'
import { alias, unionAll } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { mediaBase } from '#lib/core/files/media-ticket.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { listQueuedJobs } from '#lib/core/jobs/queued-jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { FILES_PER_PAGE, type FileFailure, type FileKind, type VideoState } from '#lib/core/shared/stored-file.ts'
import { requireStorageAccess } from './permission.ts'
import { ListFiles } from './schema.ts'
import { file, fileUse, video } from './table.ts'
import { getQuota, type Quota } from './upload/quota.ts'
import { ENCODE_JOB } from './video/video.ts'

/** Where a page ended: among folders or files, at which name, size or instant (microseconds), at which id. */
const FileKey = z.object({ part: z.enum(['folder', 'file']), value: z.string().max(500), id: z.uuid() })
type FileKey = z.infer<typeof FileKey>

export interface FileRow {
  id: string
  parentId: string | null
  /** The folder in which it lies, by name; null at the top. */
  parentName: string | null
  kind: FileKind
  name: string
  mime: string
  /** Bytes; 0 for a folder. */
  size: number
  createdAt: Date
  deletedAt: Date | null
  usedCount: number
  /** Address of a small picture of it, for the actor's session. */
  thumbnailUrl: string | null
  /** Of a video or a sound only. */
  state: VideoState | null
  /** Percent. */
  progress: number | null
  failure: FileFailure | null
  /** From 1, while it waits to be processed. */
  queuePosition: number | null
  /** While it is queued: there is no space on the disk for what is made of it. */
  waitsForDisk: boolean
  /** Seconds. */
  duration: number | null
  /** The end of the file is missing: `duration` is what can be read of it. */
  truncated: boolean
}

export interface Crumb {
  id: string
  name: string
}

export interface FileList {
  rows: FileRow[]
  /** Hand it in as `after` for the next page; null on the last one. */
  next: string | null
  /** From the top down to the folder itself. */
  path: Crumb[]
}

/**
 * A page of a folder, of what a search or a filter finds in all folders, or of the trash: folders first, then by what
 * was asked for. One statement whatever there is, and one for the path. Refuses with forbidden, not_found.
 */
export async function listFiles(actor: Actor, input: Partial<ListFiles> = {}): Promise<FileList> {
  requireStorageAccess(actor)
  const asked = ListFiles.parse(input)
  return inTenant(actor, async (tx) => {
    const path = await loadPath(tx, asked.folderId)
    const rows = await loadRows(tx, asked)
    const last = rows.length > FILES_PER_PAGE ? rows[FILES_PER_PAGE - 1] : undefined
    const shown = rows.slice(0, FILES_PER_PAGE)
    const places = shown.some(({ state }) => state === 'queued')
      ? await loadQueuePositions()
      : new Map<string, number>()
    const rows = shown.map(({ value: _, widths, poster, ...row }) => ({
      ...row,
      thumb: toThumbnailUrl(actor, row.id, { widths, poster }),
      place: (row.state === 'queued' && places.get(row.id)) || null,
    }))
    const next = last && writeCursor(FileKey, { part: partOfRow(last), value: last.value, id: last.id })
    return { rows, next: next ?? null, path }
  })
}

/** The same with the school's space, in one transaction: what the storage's page shows. Refuses alike. */
export function openStorage(actor: Actor, input: Partial<ListFiles> = {}): Promise<FileList & { quota: Quota }> {
  requireStorageAccess(actor)
  return inTenant(actor, async () => ({ ...(await listFiles(actor, input)), quota: await getQuota(actor) }))
}

/** Whether what is asked for is looked up in all folders. */
export function isSearch({ search, kind, use, minSize }: Partial<ListFiles>): boolean {
  return Boolean(search || kind || use || minSize)
}

/** Folders from the top to this one, itself included. Refuses with not_found for what is no folder or lies in the trash. */
export async function loadPath(tx: Tx, folderId: string | null): Promise<Crumb[]> {
  if (folderId === null) return []
  const { rows } = await tx.execute<{ id: string; name: string }>(sql`
    with recursive up as (
      select id, parent_id, name, 1 as step from file where id = ${folderId} and kind = 'folder' and deleted_at is null
      union all
      select f.id, f.parent_id, f.name, step + 1 from up join file f on f.tenant_id = current_tenant() and f.id = up.parent_id
      where step < 100)
    select id, name from up order by step desc`)
  if (rows.length === 0) throw new Refusal('not_found')
  return rows.map(({ id, name }) => ({ id, name }))
}

const parent = alias(file, 'parent')
const nameKey = sql`${file.name} collate natural_order`
const microseconds = (column: typeof file.createdAt | typeof file.deletedAt) =>
  sql<string>`(extract(epoch from ${column}) * 1000000)::bigint::text`
// The index says it in these words; a plain `kind = 'file'` would not be recognised.
const isFile = sql`(${file.kind} <> 'folder')`

type Row = Omit<FileRow, 'thumb' | 'place'> & { value: string; widths: number[]; poster: number | null }

const THUMBNAIL_WIDTH = 320
const MAX_QUEUE = 1000

function toThumbnailUrl(
  { tenantId, viewer }: Actor,
  fileId: string,
  { widths, poster }: Pick<Row, 'widths' | 'poster'>,
): string | null {
  const width = widths.find((one) => one >= THUMBNAIL_WIDTH) ?? widths.at(-1)
  const path = poster !== null ? `poster/${poster}.webp` : width ? `image/${width}.webp` : null
  return path && `${mediaBase(tenantId, fileId, viewer)}${path}`
}

function loadRows(tx: Tx, asked: ListFiles): Promise<Row[]> {
  const after = readFileKey(asked)
  if (asked.trash) return loadTrash(tx, asked, after)
  const onlyFiles = (asked.kind && asked.kind !== 'folder') || asked.use || asked.minSize || after?.part === 'file'
  if (onlyFiles) return selectFiles(tx, asked, after).limit(FILES_PER_PAGE + 1)
  if (asked.kind === 'folder') return selectFolders(tx, asked, after).limit(FILES_PER_PAGE + 1)
  const both = unionAll(
    selectFolders(tx, asked, after).limit(FILES_PER_PAGE + 1),
    selectFiles(tx, asked, null).limit(FILES_PER_PAGE + 1),
  )
  return both.limit(FILES_PER_PAGE + 1)
}

function readFileKey({ trash, sort, cursor }: ListFiles): FileKey | null {
  const key = readCursor(FileKey, cursor)
  if (!key) return null
  const isNumeric = { folder: trash || sort === 'createdAt', file: trash || sort !== 'name' }[key.part]
  if (isNumeric && !/^\d{1,17}$/.test(key.value)) throw new Refusal('invalid', { fields: { cursor: ['format'] } })
  return key
}

/** Folders have no size and are few: they stand by name, or by date where dates are asked for. */
function selectFolders(tx: Tx, asked: ListFiles, after: FileKey | null) {
  const date = asked.sort === 'createdAt'
  const parentKey = sql`coalesce(${file.parentId}, '00000000-0000-0000-0000-000000000000'::uuid)`
  const inFolder = sql`${parentKey} = coalesce(${asked.folderId}::uuid, '00000000-0000-0000-0000-000000000000'::uuid)`
  const key = date ? sql`${file.createdAt}` : nameKey
  const direction = asked.sort === 'size' ? 'asc' : asked.direction
  return selectRows(tx, date ? microseconds(file.createdAt) : sql<string>`${file.name}`)
    .where(
      and(
        eq(file.kind, 'folder'),
        isNull(file.deletedAt),
        isSearch(asked) ? matchesSearch(asked.search, file.name) : inFolder,
        after ? isAfter(key, after, date, direction) : undefined,
      ),
    )
    .orderBy(...orderKeys([key, sql`${file.id}`], direction))
    .$dynamic()
}

function selectFiles(tx: Tx, asked: ListFiles, after: FileKey | null) {
  const everywhere = isSearch(asked)
  const { sort, direction, folderId, kind, minSize } = asked
  const key = sort === 'name' ? nameKey : sql`${file[sort]}`
  const value =
    sort === 'name'
      ? sql<string>`${file.name}`
      : sort === 'size'
        ? sql<string>`${file.size}::text`
        : microseconds(file.createdAt)
  const inFolder = folderId === null ? isNull(file.parentId) : eq(file.parentId, folderId)
  // The index begins with these; named in full, the planner sees that it is in the right order even at the top.
  const leadingKeys = everywhere ? [] : sort === 'name' ? [sql`${file.parentId}`, isFile] : [sql`${file.parentId}`]
  return selectRows(tx, value)
    .where(
      and(
        isFile,
        eq(file.area, 'storage'),
        isNull(file.deletedAt),
        everywhere
          ? and(matchesSearch(asked.search, file.name), kind ? eq(file.kind, kind) : undefined, useCondition(tx, asked))
          : inFolder,
        minSize ? gte(file.size, minSize) : undefined,
        after ? isAfter(key, after, sort === 'createdAt', direction) : undefined,
      ),
    )
    .orderBy(...orderKeys([...leadingKeys, key, sql`${file.id}`], direction))
    .$dynamic()
}

/** What was deleted by one gesture is one row; the last deleted comes first. */
function loadTrash(tx: Tx, asked: ListFiles, after: FileKey | null): Promise<Row[]> {
  return selectRows(tx, microseconds(file.deletedAt))
    .where(
      and(
        isNotNull(file.deletedAt),
        eq(file.area, 'storage'),
        eq(file.deletedWith, file.id),
        matchesSearch(asked.search, file.name),
        after ? isAfter(sql`${file.deletedAt}`, after, true, 'desc') : undefined,
      ),
    )
    .orderBy(...orderKeys([sql`${file.deletedAt}`, sql`${file.id}`], 'desc'))
    .limit(FILES_PER_PAGE + 1)
}

function selectRows(tx: Tx, value: SQL<string>) {
  return tx
    .select({
      id: file.id,
      parentId: file.parentId,
      parentName: parent.name,
      kind: file.kind,
      name: file.name,
      mime: file.mime,
      size: file.size,
      createdAt: file.createdAt,
      deletedAt: file.deletedAt,
      usedCount: sql<number>`(select count(*)::int from file_use u where u.tenant_id = ${file.tenantId} and u.file_id = ${file.id})`,
      widths: file.widths,
      state: video.state,
      progress: video.progress,
      failure: video.failure,
      waitsForDisk: sql<boolean>`coalesce(${video.waitsForDisk}, false)`,
      duration: video.duration,
      truncated: sql<boolean>`coalesce(${video.truncated}, false)`,
      poster: sql<number | null>`case when ${video.posters} > 0 then ${video.poster} end`,
      value,
    })
    .from(file)
    .leftJoin(video, and(eq(video.tenantId, file.tenantId), eq(video.fileId, file.id)))
    .leftJoin(parent, and(eq(parent.tenantId, file.tenantId), eq(parent.id, file.parentId)))
}

function isAfter(key: SQL, after: FileKey, date: boolean, direction: 'asc' | 'desc'): SQL {
  const { value, id } = after
  const instant = sql`(timestamptz 'epoch' + ${value}::bigint * interval '1 microsecond')`
  const bound = key === nameKey ? sql`${value}::text collate natural_order` : date ? instant : sql`${value}::bigint`
  const operator = sql.raw(direction === 'asc' ? '>' : '<')
  return sql`(${key}, ${file.id}) ${operator} (${bound}, ${id}::uuid)`
}

const orderKeys = (keys: SQL[], way: 'asc' | 'desc'): SQL[] => keys.map((key) => sql`${key} ${sql.raw(way)}`)

function useCondition(tx: Tx, { use }: ListFiles): SQL | undefined {
  if (!use) return undefined
  const some = exists(
    tx
      .select({ one: sql`1` })
      .from(fileUse)
      .where(and(eq(fileUse.tenantId, file.tenantId), eq(fileUse.fileId, file.id))),
  )
  return use === 'used' ? some : not(some)
}

/** Of those who wait for the encoder, by the file's id, from 1. */
async function loadQueuePositions(): Promise<Map<string, number>> {
  const waiting = (await listQueuedJobs(ENCODE_JOB, MAX_QUEUE)).filter(({ isRunning: running }) => !running)
  return new Map(waiting.map(({ key }, index) => [key, index + 1]))
}

const partOfRow = (row: Row): FileKey['part'] => (row.kind === 'folder' ? 'folder' : 'file')
