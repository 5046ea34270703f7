import { stat } from 'node:fs/promises'
import { and, eq } from 'drizzle-orm'
import { limitOf } from '#lib/billing/plans.ts'
import { addOn, subscription } from '#lib/billing/table.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { FileName } from '../schema.ts'
import { file, fileState } from '../table.ts'
import { queueExamination } from '../upload/examine.ts'
import { addOriginalBytes, usedBytes } from '../upload/quota.ts'
import { queueVideo } from './video.ts'

export interface RecordingFile {
  tenantId: string
  /** Chosen by the caller, so that a job that runs twice takes it in once. */
  fileId: string
  /** An MP4 on the disk of this machine. */
  path: string
  name: string
  description?: string
  /** The member whose it is. */
  ownerId: string
  folderId?: string | null
}

/**
 * Takes in a film that the product itself made, such as a recording, and has it encoded. It is kept even when the school's
 * space is full, since there is no second take: `overQuota` says that it is, so that the owner can be told. A film that is
 * there already is left as it is. Refuses with invalid for an empty file.
 */
export async function storeRecording(film: RecordingFile): Promise<{ fileId: string; overQuota: boolean }> {
  const { tenantId, fileId } = film
  const name = parseStored(FileName, film.name)
  const { size } = await stat(film.path)
  if (size === 0) throw new Refusal('invalid', { fields: { file: ['file_empty'] }, variables: { name } })
  const isStored = await inTenant(film, (tx) => fileExists(tx, film))
  if (!isStored) await store.put(objectKey(tenantId, fileId), { path: film.path })
  return inTenant(film, async (tx) => {
    if (!(await fileExists(tx, film))) await insertFile(tx, film, name, size)
    return { fileId, overQuota: await isOverQuota(tx, tenantId) }
  })
}

/** Whether a school holds more than its plan has space for. */
export async function isOverQuota(tx: Tx, tenantId: string): Promise<boolean> {
  const plans = await tx.select().from(subscription).where(eq(subscription.tenantId, tenantId))
  const addOns = await tx.select().from(addOn).where(eq(addOn.tenantId, tenantId))
  const school = {
    plans: plans.map((row) => ({
      ...row,
      nextPayment: isoOrNull(row.nextPayment),
      trialEndsAt: isoOrNull(row.trialEndsAt),
    })),
    addOns: addOns.map((row) => ({ ...row, nextPayment: isoOrNull(row.nextPayment) })),
  }
  const gigabytes = limitOf(school, 'disc', new Date())
  return gigabytes !== null && (await usedBytes(tx, tenantId)) > gigabytes * 1024 ** 3
}

async function fileExists(tx: Tx, { tenantId, fileId }: RecordingFile): Promise<boolean> {
  const query = tx.select({ id: file.id }).from(file)
  return (await query.where(and(eq(file.tenantId, tenantId), eq(file.id, fileId)))).length > 0
}

async function insertFile(
  tx: Tx,
  { tenantId, fileId, ...film }: RecordingFile,
  name: string,
  size: number,
): Promise<void> {
  const { ownerId, description = '', folderId: parentId = null } = film
  const content = { kind: 'video' as const, mime: 'video/mp4', size }
  const row = { tenantId, id: fileId, ownerId, name, description, parentId, ...content }
  // Two runs of one job: the first in has counted it.
  const added = await tx.insert(file).values(row).onConflictDoNothing().returning({ id: file.id })
  if (added.length === 0) return
  await addOriginalBytes(tx, tenantId, size)
  await tx.insert(fileState).values({ tenantId, fileId, event: 'uploadFinished' })
  await queueExamination(tenantId, fileId)
  await queueVideo(tx, tenantId, fileId)
  await publishStorageEvent({ fileId, event: 'uploadFinished', folderId: parentId })
}

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null
