import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FileEvent, FileKind } from '#lib/core/shared/stored-file.ts'
import { membership, user } from '#lib/user/table.ts'
import type { FileUse } from './outcome.ts'
import { requireStorageAccess } from './permission.ts'
import { originalUrl, type Picture, pictureFor } from './signed-url.ts'
import { type FolderCrumb, loadPath } from './storage.ts'
import { file, fileState, fileUse, video } from './table.ts'

export interface FileDetails {
  id: string
  kind: FileKind
  name: string
  description: string
  mime: string
  /** Bytes; for a folder the sum of its content. */
  size: number
  /** Number of files in a folder and its descendants; 0 for a file. */
  files: number
  width: number | null
  height: number | null
  /** Seconds. */
  duration: number | null
  /** The end of the video file is missing: `duration` covers the readable part. */
  truncated: boolean
  /** Processing waits for free disk space. */
  waitsForDisk: boolean
  /** Available resolutions by their common names: 360, 720. */
  resolutions: number[]
  owner: string
  createdAt: Date
  updatedAt: Date
  /** Folders from the top down to the parent. */
  path: FolderCrumb[]
  uses: FileUse[]
  history: { event: FileEvent; detail: string | null; at: Date }[]
  /** Other files with the same content. */
  duplicates: { id: string; name: string; parentId: string | null; parentName: string | null }[]
  /** URL of the original for the actor's login session; `download` saves it. Null for a folder. */
  address: string | null
  download: string | null
  /** The widest version for browsers; null for files that are not pictures. */
  picture: Picture | null
  /** Last output of the encoder, for support. */
  failureDetail: string | null
}

/** Details of a file or folder that is not in the trash. Refuses with forbidden, not_found. */
export async function getFile(actor: Actor, input: { fileId: string }): Promise<FileDetails> {
  requireStorageAccess(actor)
  const { fileId } = input
  return inTenant(actor, async (tx) => {
    const row = await loadRow(tx, fileId)
    const uses = await tx
      .select({ kind: fileUse.userKind, id: fileUse.userId, title: fileUse.title })
      .from(fileUse)
      .where(eq(fileUse.fileId, fileId))
      .orderBy(asc(fileUse.title))
    const history = await tx
      .select({ event: fileState.event, detail: fileState.detail, at: fileState.at })
      .from(fileState)
      .where(eq(fileState.fileId, fileId))
      .orderBy(asc(fileState.at), asc(fileState.id))
    const { sha256, sample, parentId, firstName, lastName, email, renditions, widths, ...shown } = row
    const isFolder = row.kind === 'folder'
    const content = isFolder ? await sumFolder(tx, fileId) : { size: row.size, files: 0 }
    return {
      ...shown,
      ...content,
      truncated: row.truncated ?? false,
      waitsForDisk: row.waitsForDisk ?? false,
      owner: `${firstName} ${lastName}`.trim() || email,
      resolutions: (renditions ?? []).filter(({ ready }) => ready).map(({ size }) => size),
      path: await loadPath(tx, parentId),
      address: isFolder ? null : originalUrl(actor, row),
      download: isFolder ? null : originalUrl(actor, row, { download: true }),
      picture: row.kind === 'image' ? pictureFor(actor, { ...row, widths }) : null,
      uses,
      history,
      duplicates: sha256 ? await findDuplicates(tx, { id: fileId, sha256, sample }) : [],
    }
  })
}

async function loadRow(tx: Tx, fileId: string) {
  const [row] = await tx
    .select({
      id: file.id,
      parentId: file.parentId,
      kind: file.kind,
      name: file.name,
      description: file.description,
      mime: file.mime,
      size: file.size,
      sha256: file.sha256,
      sample: file.sample,
      width: file.width,
      height: file.height,
      widths: file.widths,
      createdAt: file.createdAt,
      updatedAt: file.updatedAt,
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
      duration: video.duration,
      truncated: video.truncated,
      waitsForDisk: video.waitsForDisk,
      renditions: video.renditions,
      failureDetail: video.failureDetail,
    })
    .from(file)
    .innerJoin(membership, and(eq(membership.tenantId, file.tenantId), eq(membership.id, file.ownerId)))
    .innerJoin(user, eq(user.id, membership.userId))
    .leftJoin(video, and(eq(video.tenantId, file.tenantId), eq(video.fileId, file.id)))
    .where(and(eq(file.id, fileId), eq(file.area, 'storage'), isNull(file.deletedAt)))
  if (!row) throw new Refusal('not_found')
  return row
}

async function sumFolder(tx: Tx, folderId: string): Promise<{ size: number; files: number }> {
  const { rows } = await tx.execute<{ size: string; files: number }>(sql`
    with recursive down as (
      select id, kind, size from file where id = ${folderId}
      union all
      select f.id, f.kind, f.size from down
        join file f on f.tenant_id = current_tenant() and f.parent_id = down.id where f.deleted_at is null)
    select coalesce(sum(size), 0)::text as size, (count(*) filter (where kind <> 'folder'))::int as files from down`)
  return { size: Number(rows[0]?.size ?? 0), files: rows[0]?.files ?? 0 }
}

// The sample is indexed; the digest of the whole file is compared afterwards.
function findDuplicates(tx: Tx, { id, sha256, sample }: { id: string; sha256: string; sample: string | null }) {
  const parent = alias(file, 'parent')
  return tx
    .select({ id: file.id, name: file.name, parentId: file.parentId, parentName: parent.name })
    .from(file)
    .leftJoin(parent, and(eq(parent.tenantId, file.tenantId), eq(parent.id, file.parentId)))
    .where(
      and(
        sample ? eq(file.sample, sample) : undefined,
        eq(file.sha256, sha256),
        ne(file.id, id),
        eq(file.area, 'storage'),
        isNull(file.deletedAt),
      ),
    )
    .orderBy(asc(file.createdAt))
    .limit(20)
}
