import type { Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { announce } from './live.ts'
import { fileState, video } from './table.ts'

/**
 * Puts a file of kind video or audio in the queue of the encoder. Safe to call again for the same file. Inside
 * `inTenant`, as the last statement but one's own announcements.
 */
export async function queueVideo(tx: Tx, tenantId: string, fileId: string): Promise<void> {
  const again = { state: 'queued', progress: 0, attempts: 0, failure: null, failureDetail: null } as const
  const times = { queuedAt: new Date(), startedAt: null, endedAt: null }
  await tx
    .insert(video)
    .values({ tenantId, fileId })
    .onConflictDoUpdate({ target: [video.tenantId, video.fileId], set: { ...again, ...times } })
  await tx.insert(fileState).values({ tenantId, fileId, event: 'queued' })
  await enqueueJob('storage.encode', { tenantId, fileId }, { singletonKey: fileId })
  await announce({ fileId, event: 'queued', progress: 0 })
}
