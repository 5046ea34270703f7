import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { file, fileUse } from '#lib/storage/table.ts'

type NewFile = Partial<Omit<typeof file.$inferInsert, 'tenantId' | 'id'>> & { name: string }

/** Rows of files without bytes, as a list needs them. Gives their ids in the order of the names. */
export async function addRows(actor: Actor, files: readonly NewFile[]): Promise<string[]> {
  const rows = files.map((one) => ({ ownerId: actor.membershipId, ...one, tenantId: actor.tenantId, id: newId() }))
  await inTenant(actor, (tx) => tx.insert(file).values(rows))
  return rows.map(({ id }) => id)
}

/** Says that a lesson uses a file. Gives the lesson's id. */
export async function useRow(actor: Actor, fileId: string, title: string): Promise<string> {
  const userId = newId()
  await inTenant(actor, (tx) =>
    tx.insert(fileUse).values({ tenantId: actor.tenantId, fileId, userKind: 'lesson', userId, title }),
  )
  return userId
}
