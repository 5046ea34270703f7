import { and, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { publishStorageEvent } from './live.ts'
import { type FileOutcome, fileOutcomeOf, inRequestOrder, lockFolders } from './outcome.ts'
import { requireStorageWrite } from './permission.ts'
import type { RenameFile } from './schema.ts'
import { loadPath } from './storage.ts'
import { file } from './table.ts'

/**
 * Creates a folder. Refuses with forbidden, plan_inactive, not_found, or unprocessable when a folder of that name
 * exists.
 */
export async function createStorageFolder(
  actor: Actor,
  input: { parentId: string | null; name: string },
): Promise<{ folderId: string }> {
  requireStorageWrite(actor)
  const { parentId, name } = input
  return inTenant(actor, async (tx) => {
    await lockFolders(tx, actor)
    await loadPath(tx, parentId)
    const folderId = await addFolder(tx, actor, parentId, name)
    if (!folderId) throw folderNameTaken()
    await publishStorageEvent({ fileId: folderId, event: 'changed', folderId: parentId })
    return { folderId }
  })
}

/**
 * Creates nested folders unless they exist; returns the innermost. Refuses as createFolder, except for an existing
 * name.
 */
export async function ensureFolders(
  actor: Actor,
  input: { parentId: string | null; names: string[] },
): Promise<{ folderId: string }> {
  requireStorageWrite(actor)
  const { parentId, names } = input
  return inTenant(actor, async (tx) => {
    await lockFolders(tx, actor)
    await loadPath(tx, parentId)
    let folderId = parentId
    for (const name of names) {
      folderId = (await addFolder(tx, actor, folderId, name)) ?? (await findFolder(tx, folderId, name))
    }
    await publishStorageEvent({ fileId: folderId, event: 'changed', folderId: parentId })
    if (folderId === null) throw new Refusal('not_found')
    return { folderId }
  })
}

/**
 * Renames a file or folder; a file keeps its extension. Returns the new name. Refuses with forbidden, plan_inactive,
 * not_found, or unprocessable when a folder of that name exists.
 */
export async function renameFile(actor: Actor, input: RenameFile): Promise<{ name: string; before: string }> {
  requireStorageWrite(actor)
  const { fileId, name, keepExtension } = input
  return inTenant(actor, async (tx) => {
    await lockFolders(tx, actor)
    const [row] = await tx
      .select({ name: file.name, kind: file.kind, parentId: file.parentId })
      .from(file)
      .where(and(eq(file.id, fileId), isNull(file.deletedAt)))
    if (!row) throw new Refusal('not_found')
    const newName = row.kind !== 'folder' && keepExtension ? withExtension(name, row.name) : name
    if (row.kind === 'folder' && newName !== row.name) {
      if ((await folderNames(tx, row.parentId)).has(newName)) throw folderNameTaken()
    }
    await tx.update(file).set({ name: newName, updatedAt: new Date() }).where(eq(file.id, fileId))
    await publishStorageEvent({ fileId, event: 'changed', folderId: row.parentId })
    return { name: newName, before: row.name }
  })
}

/**
 * Moves files and folders into a folder; for those that cannot be moved the reason is returned. A folder is never moved
 * into itself or its descendants. Refuses with forbidden, plan_inactive, and not_found when the folder or all of the
 * files do not exist.
 */
export async function moveFiles(
  actor: Actor,
  input: { fileIds: string[]; folderId: string | null },
): Promise<{ outcomes: FileOutcome[] }> {
  requireStorageWrite(actor)
  const { fileIds, folderId } = input
  return inTenant(actor, async (tx) => {
    await lockFolders(tx, actor)
    const ancestorIds = new Set((await loadPath(tx, folderId)).map(({ id }) => id))
    const rows = await tx
      .select({ id: file.id, name: file.name, kind: file.kind, parentId: file.parentId })
      .from(file)
      .where(and(inArray(file.id, fileIds), eq(file.area, 'storage'), isNull(file.deletedAt)))
    const usedNames = await folderNames(tx, folderId)
    const outcomes = rows.map((row) => {
      if (ancestorIds.has(row.id)) return fileOutcomeOf(row, 'into_itself')
      if (row.kind !== 'folder' || row.parentId === folderId) return fileOutcomeOf(row)
      if (usedNames.has(row.name)) return fileOutcomeOf(row, 'name_taken')
      usedNames.add(row.name)
      return fileOutcomeOf(row)
    })
    const ordered = inRequestOrder(fileIds, outcomes)
    const movedIds = outcomes
      .filter(({ done, previousFolderId: from }) => done && from !== folderId)
      .map(({ fileId }) => fileId)
    if (movedIds.length > 0) {
      await tx.update(file).set({ parentId: folderId, updatedAt: new Date() }).where(inArray(file.id, movedIds))
      await publishStorageEvent({ fileId: null, event: 'changed' })
    }
    return { outcomes: ordered }
  })
}

/** Names of the folders in a folder. */
export async function folderNames(tx: Tx, folderId: string | null): Promise<Set<string>> {
  const rows = await tx
    .select({ name: file.name })
    .from(file)
    .where(and(...folderConditions(folderId)))
  return new Set(rows.map(({ name }) => name))
}

/** A name that is not in `taken`: «План», «План (2)», «План (3)»; the number precedes the extension. */
export function uniqueName(name: string, usedNames: { has(name: string): boolean }): string {
  const [stem, extension] = splitName(name)
  const stemWithoutNumber = stem.replace(/ \(\d+\)$/, '')
  let candidate = name
  for (let n = 2; usedNames.has(candidate); n += 1) candidate = `${stemWithoutNumber} (${n})${extension}`
  return candidate
}

const folderNameTaken = () => new Refusal('unprocessable', { fields: { name: ['folder_name_taken'] } })

function folderConditions(folderId: string | null) {
  return [
    eq(file.kind, 'folder'),
    isNull(file.deletedAt),
    folderId === null ? isNull(file.parentId) : eq(file.parentId, folderId),
  ] as const
}

// The unique index resolves concurrent requests.
async function addFolder(tx: Tx, actor: Actor, parentId: string | null, name: string): Promise<string | null> {
  const id = newId()
  const row = { tenantId: actor.tenantId, id, parentId, kind: 'folder' as const, name, ownerId: actor.membershipId }
  const { rowCount } = await tx.insert(file).values(row).onConflictDoNothing()
  return rowCount ? id : null
}

async function findFolder(tx: Tx, parentId: string | null, name: string): Promise<string> {
  const [row] = await tx
    .select({ id: file.id })
    .from(file)
    .where(and(...folderConditions(parentId), eq(file.name, name)))
  if (!row) throw new Error('an existing folder was not found by its name')
  return row.id
}

function withExtension(name: string, before: string): string {
  const [, extension] = splitName(before)
  if (extension === '' || name.toLowerCase().endsWith(extension.toLowerCase())) return name
  return `${name.slice(0, 200 - extension.length)}${extension}`
}

function splitName(name: string): [string, string] {
  const [, stem = name, extension = ''] = /^(.+)(\.[\p{L}\p{N}]{1,12})$/u.exec(name) ?? []
  return [stem, extension]
}
