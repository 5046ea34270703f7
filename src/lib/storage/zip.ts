import { makeZip, predictLength } from 'client-zip'
import { and, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { portableFileName } from '#lib/core/files/portable-name.ts'
import { signUrlToken, verifyUrlToken } from '#lib/core/files/url-token.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { uniqueName } from './folders.ts'
import { requireStorageAccess } from './permission.ts'
import { file } from './table.ts'

const LIFETIME_SECONDS = HOUR_SECONDS

export interface StorageZipDownload {
  /** Valid for the actor's login session, for an hour, on the same host. */
  address: string
  files: number
  /** Bytes of the whole ZIP. */
  size: number
}

/**
 * Signs the URL of a ZIP with the selected files and the content of selected folders. Refuses with forbidden, not_found
 * when nothing of it exists, or unprocessable when it contains no file.
 */
export async function prepareZip(actor: Actor, input: { fileIds: string[] }): Promise<StorageZipDownload> {
  requireStorageAccess(actor)
  const { fileIds } = input
  const { entries } = await collectEntries(actor, fileIds)
  const selection = packIds(fileIds)
  const issuedAt = Math.floor(Date.now() / 1000)
  const token = signUrlToken(subjectOf(actor, selection), actor.viewer, {
    issuedAt,
    expiresAt: issuedAt + LIFETIME_SECONDS,
  })
  const files = entries.filter(({ fileId }) => fileId !== null).length
  return { address: `/v1/zip/${token}/${selection}`, files, size: zipLength(entries) }
}

export interface Zip {
  name: string
  /** Bytes. */
  size: number
  body: ReadableStream<Uint8Array>
}

/**
 * The ZIP of a signed URL, created while it is read, without a temporary file. Refuses with forbidden, and not_found
 * for a URL of another login session, an expired one, or one without existing files.
 */
export async function openZipDownload(
  actor: Actor,
  { token, selection }: { token: string; selection: string },
): Promise<Zip> {
  requireStorageAccess(actor)
  const times = verifyUrlToken(token, subjectOf(actor, selection), actor.viewer)
  if (!times || times.expiresAt < Date.now() / 1000) throw new Refusal('not_found')
  const { entries, name } = await collectEntries(actor, unpackIds(selection))
  return { name: `${name}.zip`, size: zipLength(entries), body: makeZip(readEntries(actor, entries)) }
}

export interface ZipEntry {
  /** Path inside the ZIP; a folder's ends with a slash. */
  name: string
  size: number
  lastModified: Date
  /** Null for a folder. */
  fileId: string | null
}

interface TreeNode {
  id: string
  parentId: string | null
  name: string
  folder: boolean
  size: number
  updatedAt: Date
}

/** Paths of the tree of a selection: unique, and all inside the target folder. */
export function layOutEntries(nodes: readonly TreeNode[], topIds: readonly string[]): ZipEntry[] {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId ?? '')
  const chosen = nodes.filter(({ id }) => topIds.includes(id))
  const entries: ZipEntry[] = []
  const walk = (level: readonly TreeNode[], before: string) => {
    const usedNames = new Set<string>()
    for (const { id, name, folder, size, updatedAt } of level) {
      // Windows and macOS do not distinguish case.
      const uniquePath = uniqueName(portableFileName(name), {
        has: (candidate) => usedNames.has(candidate.toLowerCase()),
      })
      usedNames.add(uniquePath.toLowerCase())
      const path = `${before}${uniquePath}${folder ? '/' : ''}`
      entries.push({ name: path, size: folder ? 0 : size, lastModified: updatedAt, fileId: folder ? null : id })
      if (folder) walk(children.get(id) ?? [], path)
    }
  }
  walk(chosen, '')
  return entries
}

async function collectEntries(
  actor: Actor,
  fileIds: readonly string[],
): Promise<{ entries: ZipEntry[]; name: string }> {
  const nodes = await inTenant(actor, async (tx) => {
    const within = sql`(
      with recursive down as (
        select id from file where id in ${fileIds} and deleted_at is null
        union
        select f.id from down join file f on f.tenant_id = current_tenant() and f.parent_id = down.id
          where f.deleted_at is null)
      select id from down)`
    const rows = await tx
      .select({
        id: file.id,
        parentId: file.parentId,
        name: file.name,
        kind: file.kind,
        size: file.size,
        updatedAt: file.updatedAt,
      })
      .from(file)
      .where(and(sql`${file.id} in ${within}`, isNull(file.deletedAt)))
      .orderBy(sql`${file.kind} <> 'folder'`, sql`${file.name} collate natural_order`, file.id)
    return rows.map(({ kind, ...row }) => ({ ...row, folder: kind === 'folder' }))
  })
  const ids = new Set(nodes.map(({ id }) => id))
  // Content of a selected folder is not added a second time.
  const topIds = fileIds.filter((id) => !ids.has(nodes.find((node) => node.id === id)?.parentId ?? ''))
  const entries = layOutEntries(nodes, topIds)
  if (nodes.length === 0) throw new Refusal('not_found')
  if (!entries.some(({ fileId }) => fileId)) throw formRefusal('zip_empty')
  const onlyNode = topIds.length === 1 ? nodes.find(({ id }) => id === topIds[0]) : undefined
  return { entries, name: portableFileName(onlyNode?.name ?? actor.tenantName) }
}

async function* readEntries(actor: Actor, entries: readonly ZipEntry[]) {
  for (const { name, size, lastModified, fileId } of entries) {
    if (fileId === null) {
      yield { name, lastModified }
      continue
    }
    const input = await store.read(`${actor.tenantId}/${fileId}`)
    // The length is already in the response headers, so that clients detect an incomplete ZIP only if the stream fails.
    if (!input) throw new Error('a selected file is missing in the object store')
    yield { name, lastModified, size, input }
  }
}

// A folder with a size would be counted as a file.
const zipLength = (entries: readonly ZipEntry[]): number =>
  Number(predictLength(entries.map(({ name, size, fileId }) => (fileId ? { name, size } : { name }))))

const subjectOf = ({ tenantId }: Actor, selection: string) => `zip/${tenantId}/${selection}`

function packIds(ids: readonly string[]): string {
  return Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url')
}

function unpackIds(packed: string): string[] {
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  return (hex.match(/.{32}/g) ?? []).map((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
}
