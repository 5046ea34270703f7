import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { file, fileUse } from '#lib/storage/table.ts'
import { countDerivedBytes, countOriginalBytes } from '#lib/storage/upload/quota.ts'

type NewFile = Partial<Omit<typeof file.$inferInsert, 'tenantId' | 'id'>> & { name: string }

/** Inserts file rows without contents. Returns their ids in order. */
export async function insertFiles(actor: Actor, files: readonly NewFile[]): Promise<string[]> {
  const rows = files.map((newFile) => ({
    ownerId: actor.membershipId,
    ...newFile,
    tenantId: actor.tenantId,
    id: newId(),
  }))
  await inTenant(actor, (tx) => tx.insert(file).values(rows))
  return rows.map(({ id }) => id)
}

/** Inserts a use of a file by a lesson. Returns the lesson's id. */
export async function insertFileUse(actor: Actor, fileId: string, title: string): Promise<string> {
  const userId = newId()
  await inTenant(actor, (tx) =>
    tx.insert(fileUse).values({ tenantId: actor.tenantId, fileId, userKind: 'lesson', userId, title }),
  )
  return userId
}

/** Stores a file with its contents and renditions and updates the storage use. Returns its id. */
export async function storeFile(
  actor: Actor,
  { bytes, made = {}, ...row }: NewFile & { bytes: string | Uint8Array; made?: Record<string, string> },
): Promise<string> {
  const original = Buffer.from(bytes)
  const [id = ''] = await insertFiles(actor, [{ ...row, size: original.length }])
  await store.put(`${actor.tenantId}/${id}`, original)
  let derivedBytes = 0
  for (const [path, text] of Object.entries(made)) {
    await store.put(`${actor.tenantId}/${id}.made/${path}`, Buffer.from(text))
    derivedBytes += Buffer.byteLength(text)
  }
  await inTenant(actor, async (tx) => {
    await countOriginalBytes(tx, actor, original.length)
    await countDerivedBytes(tx, actor.tenantId, derivedBytes)
  })
  return id
}

/** Counts the bytes of a tenant in the object store. */
export async function countStoredBytes(tenantId: string): Promise<{ original: number; made: number }> {
  const total = { original: 0, made: 0 }
  for await (const { key, size } of store.list(`${tenantId}/`))
    total[key.includes('.made/') ? 'made' : 'original'] += size
  return total
}
