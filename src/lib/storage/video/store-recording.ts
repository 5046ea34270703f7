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
  /** Chosen by the caller, so that a repeated job stores it once. */
  fileId: string
  /** Local path of an MP4. */
  path: string
  name: string
  description?: string
  /** The member who owns the file. */
  ownerId: string
  folderId?: string | null
}

/**
 * Stores a video that the product has recorded, and queues its encoding. It is stored even when the tenant's quota is
 * exceeded, because a recording cannot be repeated: `overQuota` reports that. An existing file is left as it is.
 * Refuses with invalid for an empty file.
 */
export async function storeRecording(recording: RecordingFile): Promise<{ fileId: string; overQuota: boolean }> {
  const { tenantId, fileId } = recording
  const name = parseStored(FileName, recording.name)
  const { size } = await stat(recording.path)
  if (size === 0) throw new Refusal('invalid', { fields: { file: ['file_empty'] }, variables: { name } })
  const isStored = await inTenant(recording, (tx) => fileExists(tx, recording))
  if (!isStored) await store.put(objectKey(tenantId, fileId), { path: recording.path })
  return inTenant(recording, async (tx) => {
    if (!(await fileExists(tx, recording))) await insertFile(tx, recording, name, size)
    return { fileId, overQuota: await isOverQuota(tx, tenantId) }
  })
}

/** Whether a tenant uses more storage than its plan allows. */
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
  { tenantId, fileId, ...recording }: RecordingFile,
  name: string,
  size: number,
): Promise<void> {
  const { ownerId, description = '', folderId: parentId = null } = recording
  const content = { kind: 'video' as const, mime: 'video/mp4', size }
  const row = { tenantId, id: fileId, ownerId, name, description, parentId, ...content }
  // When a job ran twice, the first run has counted the file.
  const added = await tx.insert(file).values(row).onConflictDoNothing().returning({ id: file.id })
  if (added.length === 0) return
  await addOriginalBytes(tx, tenantId, size)
  await tx.insert(fileState).values({ tenantId, fileId, event: 'uploadFinished' })
  await queueExamination(tenantId, fileId)
  await queueVideo(tx, tenantId, fileId)
  await publishStorageEvent({ fileId, event: 'uploadFinished', folderId: parentId })
}

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null
