import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { limitOf } from '#lib/billing/plans.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { requireDiskSpace } from '#lib/core/files/disk-space.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FileKind } from '#lib/core/shared/stored-file.ts'
import { requireStorageAccess } from '../permission.ts'
import { file, storageUse } from '../table.ts'

/** What of an actor a stored file depends on; replies by email have no more. */
export type StorageActor = Pick<Actor, 'tenantId' | 'membershipId' | 'plans' | 'addOns'>

const GIGABYTE = 1024 ** 3
const LARGEST_COUNT = 10

export interface Quota {
  /** Bytes of originals, including the trash. */
  used: number
  /** Bytes reserved for running uploads. */
  reserved: number
  /** Bytes; null: unlimited. */
  limit: number | null
  /** Bytes of derived files; not counted against the limit. */
  derived: number
  largest: { id: string; name: string; size: number; kind: FileKind }[]
}

/** The storage usage of the tenant, with its ten largest files. Refuses with forbidden. */
export async function getQuota(actor: Actor, now = new Date()): Promise<Quota> {
  requireStorageAccess(actor)
  return inTenant(actor, async (tx) => {
    const files = tx
      .select({ id: file.id, name: file.name, size: file.size, kind: file.kind })
      .from(file)
      .where(and(eq(file.tenantId, actor.tenantId), ne(file.kind, 'folder'), eq(file.area, 'storage')))
      .orderBy(desc(file.size), desc(file.id))
      .limit(LARGEST_COUNT)
    const [use, largest] = await Promise.all([loadUsage(tx, actor), files])
    return { used: use.original, reserved: use.promised, derived: use.made, limit: storageLimit(actor, now), largest }
  })
}

/**
 * Reserves bytes for an upload. One conditional statement decides between concurrent uploads. Refuses with disk_full,
 * unprocessable (storage_full), `used` and `limit` of bytes in `data`.
 */
export const reserveBytes = (tx: Tx, actor: Actor, size: number): Promise<void> =>
  claimBytes(tx, actor, 'promised', size)

/**
 * Counts the bytes of an original without a reservation, e.g. an image in a text or a copy. Refuses as reserveBytes.
 */
export const countOriginalBytes = (tx: Tx, actor: StorageActor, size: number): Promise<void> =>
  claimBytes(tx, actor, 'original', size)

/** The upload is complete: its reservation becomes usage. */
export const commitReservation = (tx: Tx, tenantId: string, size: number): Promise<void> =>
  addBytes(tx, tenantId, { promised: -size, original: size })

/** The upload failed: its reservation is released. */
export const releaseReservation = (tx: Tx, tenantId: string, size: number): Promise<void> =>
  addBytes(tx, tenantId, { promised: -size })

/** Counts an original regardless of the limit. */
export const addOriginalBytes = (tx: Tx, tenantId: string, size: number): Promise<void> =>
  addBytes(tx, tenantId, { original: size })

/** Bytes of originals and running uploads. */
export async function usedBytes(tx: Tx, tenantId: string): Promise<number> {
  const { original, promised } = await loadUsage(tx, { tenantId })
  return original + promised
}

/** Originals were deleted: their bytes are free again. */
export const releaseBytes = (tx: Tx, tenantId: string, size: number): Promise<void> =>
  addBytes(tx, tenantId, { original: -size })

/** Adds derived bytes, or subtracts them when negative. */
export const countDerivedBytes = (tx: Tx, tenantId: string, size: number): Promise<void> =>
  addBytes(tx, tenantId, { made: size })

type Bytes = Partial<Record<'original' | 'promised' | 'made', number>>

async function claimBytes(tx: Tx, actor: StorageActor, column: 'promised' | 'original', size: number): Promise<void> {
  await requireDiskSpace(size)
  const limit = storageLimit(actor, new Date())
  const fits =
    limit === null
      ? sql`true`
      : sql`${storageUse.original} + ${storageUse.promised} + ${size}::bigint <= ${limit}::bigint`
  // Without a row the insert has no condition, so the size is checked here.
  if (limit === null || size <= limit) {
    const claimed = await tx
      .insert(storageUse)
      .values({ tenantId: actor.tenantId, [column]: size })
      .onConflictDoUpdate({
        target: storageUse.tenantId,
        set: { [column]: sql`${storageUse[column]} + ${size}::bigint` },
        setWhere: fits,
      })
      .returning({ tenantId: storageUse.tenantId })
    if (claimed.length > 0) return
  }
  const { original, promised } = await loadUsage(tx, actor)
  throw storageFull(original + promised, limit ?? 0, size)
}

function storageFull(used: number, limit: number, size: number): Refusal {
  return new Refusal('unprocessable', {
    fields: { file: ['storage_full'] },
    variables: { limit: 'disc', used, max: limit, size },
    data: { limit, used, size },
  })
}

async function addBytes(tx: Tx, tenantId: string, bytes: Bytes): Promise<void> {
  const set = Object.fromEntries(
    Object.entries(bytes).map(([column, size]) => [
      column,
      sql`${storageUse[column as keyof Bytes]} + ${size}::bigint`,
    ]),
  )
  await tx.insert(storageUse).values({ tenantId }).onConflictDoNothing()
  await tx.update(storageUse).set(set).where(eq(storageUse.tenantId, tenantId))
}

async function loadUsage(tx: Tx, { tenantId }: Pick<Actor, 'tenantId'>) {
  const { original, promised, made } = storageUse
  const [use] = await tx.select({ original, promised, made }).from(storageUse).where(eq(storageUse.tenantId, tenantId))
  return use ?? { original: 0, promised: 0, made: 0 }
}

/** The plan's limit in bytes; null: unlimited. */
function storageLimit(actor: Pick<Actor, 'plans' | 'addOns'>, now: Date): number | null {
  const gigabytes = limitOf(actor, 'disc', now)
  return gigabytes === null ? null : gigabytes * GIGABYTE
}
