import { and, eq, exists, gte, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm'
import { alias, unionAll } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { instantOfKey, microsecondsOf } from '#lib/core/db/keyset.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { mediaBaseUrl } from '#lib/core/files/media-url.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { listQueuedJobs } from '#lib/core/jobs/queued-jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { FILES_PER_PAGE, type FileFailure, type FileKind, type VideoState } from '#lib/core/shared/stored-file.ts'
import { requireStorageAccess } from './permission.ts'
import type { ListFiles } from './schema.ts'
import { file, fileUse, video } from './table.ts'
import { getQuota, type Quota } from './upload/quota.ts'
import { ENCODE_JOB } from './video/video.ts'

/** Key of the last row of a page: folders or files, its name, size or instant (microseconds), its id. */
const FileKey = z.object({ part: z.enum(['folder', 'file']), value: z.string().max(500), id: z.uuid() })
type FileKey = z.infer<typeof FileKey>

interface FileRow {
  id: string
  parentId: string | null
  /** Name of the parent folder; null at the top. */
  parentName: string | null
  kind: FileKind
  name: string
  mime: string
  /** Bytes; 0 for a folder. */
  size: number
  createdAt: Date
  deletedAt: Date | null
  usedCount: number
  /** URL of a thumbnail, for the actor's login session. */
  thumbnailUrl: string | null
  /** For video and audio files only. */
  state: VideoState | null
  /** Percent. */
  progress: number | null
  failure: FileFailure | null
  /** Position in the queue of the encoder, from 1. */
  queuePosition: number | null
  /** Queued, and waiting for free disk space. */
  waitsForDisk: boolean
  /** Seconds. */
  duration: number | null
  /** The end of the file is missing: `duration` covers the readable part. */
  truncated: boolean
}

export interface FolderCrumb {
  id: string
  name: string
}

export interface FileList {
  rows: FileRow[]
  /** Pass it as `after` for the next page; null on the last one. */
  next: string | null
  /** From the top down to the folder itself. */
  path: FolderCrumb[]
}

/**
 * A page of a folder, of search results in all folders, or of the trash: folders first, then in the requested order.
 * One statement for the rows and one for the path. Refuses with forbidden, not_found.
 */
export async function listFiles(actor: Actor, query: ListFiles): Promise<FileList> {
  requireStorageAccess(actor)
  return inTenant(actor, async (tx) => {
    const [path, listing] = await Promise.all([loadPath(tx, query.folderId), loadRows(tx, query)])
    const last = listing.length > FILES_PER_PAGE ? listing[FILES_PER_PAGE - 1] : undefined
    const shown = listing.slice(0, FILES_PER_PAGE)
    const positions = shown.some(({ state }) => state === 'queued')
      ? await loadQueuePositions()
      : new Map<string, number>()
    const rows = shown.map(({ value: _, widths, poster, ...row }) => ({
      ...row,
      thumbnailUrl: toThumbnailUrl(actor, row.id, { widths, poster }),
      queuePosition: (row.state === 'queued' && positions.get(row.id)) || null,
    }))
    const next = last && writeCursor(FileKey, { part: partOfRow(last), value: last.value, id: last.id })
    return { rows, next: next ?? null, path }
  })
}

/** As listFiles, with the quota, in one transaction: the content of the storage page. Refuses alike. */
export function openStorage(actor: Actor, input: ListFiles): Promise<FileList & { quota: Quota }> {
  requireStorageAccess(actor)
  return inTenant(actor, async () => {
    const [list, quota] = await Promise.all([listFiles(actor, input), getQuota(actor)])
    return { ...list, quota }
  })
}

/** Whether the query searches all folders. */
function isSearch({ search, kind, use, minSize }: Partial<ListFiles>): boolean {
  return Boolean(search || kind || use || minSize)
}

/**
 * Folders from the top to this one, itself included. Refuses with not_found for a file and for a folder in the trash.
 */
export async function loadPath(tx: Tx, folderId: string | null): Promise<FolderCrumb[]> {
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
// Same expression as in the index; a plain `kind = 'file'` would not match it.
const isFile = sql`(${file.kind} <> 'folder')`

type Row = Omit<FileRow, 'thumbnailUrl' | 'queuePosition'> & { value: string; widths: number[]; poster: number | null }

const THUMBNAIL_WIDTH = 320
const MAX_QUEUE = 1000

function toThumbnailUrl(
  { tenantId, viewer }: Actor,
  fileId: string,
  { widths, poster }: Pick<Row, 'widths' | 'poster'>,
): string | null {
  const width = widths.find((width) => width >= THUMBNAIL_WIDTH) ?? widths.at(-1)
  const path = poster !== null ? `poster/${poster}.webp` : width ? `image/${width}.webp` : null
  return path && `${mediaBaseUrl(tenantId, fileId, viewer)}${path}`
}

async function loadRows(tx: Tx, query: ListFiles): Promise<Row[]> {
  const after = readFileKey(query)
  if (query.trash) return loadTrash(tx, query, after)
  const onlyFiles = (query.kind && query.kind !== 'folder') || query.use || query.minSize || after?.part === 'file'
  if (onlyFiles) return selectFiles(tx, query, after).limit(FILES_PER_PAGE + 1)
  if (query.kind === 'folder') return selectFolders(tx, query, after).limit(FILES_PER_PAGE + 1)
  const both = unionAll(
    selectFolders(tx, query, after).limit(FILES_PER_PAGE + 1),
    selectFiles(tx, query, null).limit(FILES_PER_PAGE + 1),
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

/** Folders have no size: they are sorted by name, or by date when sorting by date. */
function selectFolders(tx: Tx, query: ListFiles, after: FileKey | null) {
  const date = query.sort === 'createdAt'
  const parentKey = sql`coalesce(${file.parentId}, '00000000-0000-0000-0000-000000000000'::uuid)`
  const inFolder = sql`${parentKey} = coalesce(${query.folderId}::uuid, '00000000-0000-0000-0000-000000000000'::uuid)`
  const key = date ? sql`${file.createdAt}` : nameKey
  const direction = query.sort === 'size' ? 'asc' : query.direction
  return selectRows(tx, date ? microsecondsOf(file.createdAt) : sql<string>`${file.name}`)
    .where(
      and(
        eq(file.kind, 'folder'),
        isNull(file.deletedAt),
        isSearch(query) ? matchesSearch(query.search, file.name) : inFolder,
        after ? isAfter(key, after, date, direction) : undefined,
      ),
    )
    .orderBy(...orderKeys([key, sql`${file.id}`], direction))
    .$dynamic()
}

function selectFiles(tx: Tx, query: ListFiles, after: FileKey | null) {
  const everywhere = isSearch(query)
  const { sort, direction, folderId, kind, minSize } = query
  const key = sort === 'name' ? nameKey : sql`${file[sort]}`
  const value =
    sort === 'name'
      ? sql<string>`${file.name}`
      : sort === 'size'
        ? sql<string>`${file.size}::text`
        : microsecondsOf(file.createdAt)
  const inFolder = folderId === null ? isNull(file.parentId) : eq(file.parentId, folderId)
  // Leading columns of the index: with all of them named, the planner uses its order, even at the top level.
  const leadingKeys = everywhere ? [] : sort === 'name' ? [sql`${file.parentId}`, isFile] : [sql`${file.parentId}`]
  return selectRows(tx, value)
    .where(
      and(
        isFile,
        eq(file.area, 'storage'),
        isNull(file.deletedAt),
        everywhere
          ? and(
              matchesSearch(query.search, file.name),
              kind ? eq(file.kind, kind) : undefined,
              conditionOfUse(tx, query),
            )
          : inFolder,
        minSize ? gte(file.size, minSize) : undefined,
        after ? isAfter(key, after, sort === 'createdAt', direction) : undefined,
      ),
    )
    .orderBy(...orderKeys([...leadingKeys, key, sql`${file.id}`], direction))
    .$dynamic()
}

/** Files that were deleted together are one row; the last deleted comes first. */
function loadTrash(tx: Tx, query: ListFiles, after: FileKey | null): Promise<Row[]> {
  return selectRows(tx, microsecondsOf(file.deletedAt))
    .where(
      and(
        isNotNull(file.deletedAt),
        eq(file.area, 'storage'),
        eq(file.deletedWith, file.id),
        matchesSearch(query.search, file.name),
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
  const bound =
    key === nameKey
      ? sql`${value}::text collate natural_order`
      : date
        ? instantOfKey({ at: value })
        : sql`${value}::bigint`
  const operator = sql.raw(direction === 'asc' ? '>' : '<')
  return sql`(${key}, ${file.id}) ${operator} (${bound}, ${id}::uuid)`
}

const orderKeys = (keys: SQL[], way: 'asc' | 'desc'): SQL[] => keys.map((key) => sql`${key} ${sql.raw(way)}`)

function conditionOfUse(tx: Tx, { use }: ListFiles): SQL | undefined {
  if (!use) return undefined
  const some = exists(
    tx
      .select({ one: sql`1` })
      .from(fileUse)
      .where(and(eq(fileUse.tenantId, file.tenantId), eq(fileUse.fileId, file.id))),
  )
  return use === 'used' ? some : not(some)
}

/** Queue positions of waiting videos by file id, from 1. */
async function loadQueuePositions(): Promise<Map<string, number>> {
  const waiting = (await listQueuedJobs(ENCODE_JOB, MAX_QUEUE)).filter(({ isRunning: running }) => !running)
  return new Map(waiting.map(({ key }, index) => [key, index + 1]))
}

const partOfRow = (row: Row): FileKey['part'] => (row.kind === 'folder' ? 'folder' : 'file')
