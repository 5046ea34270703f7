import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { extendUpload } from '#lib/storage/upload/extend.ts'
import {
  answerRefusal,
  lockLatestAttempt,
  requireBeforeDeadline,
  requirePublishedTask,
  requireSubmittingStudent,
} from './attempt.ts'
import { rethrowForStudent } from './files.ts'
import type { ExtendAnswerUpload } from './schema.ts'

/**
 * Extends the upload of a running recording, up to the task's size limit. Refuses with forbidden (homework_locked),
 * not_found for an upload that is not in this draft, gone, invalid, too_large, disk_full, unprocessable (homework_late,
 * homework_closed, homework_disc_full).
 */
export async function extendAnswerUpload(actor: Actor, input: ExtendAnswerUpload): Promise<void> {
  requireSubmittingStudent(actor)
  const { taskId, attempt, uploadId, size } = input
  await inTenant(actor, async (tx) => {
    const taskRow = await requirePublishedTask(tx, taskId)
    await requireBeforeDeadline(tx, actor, taskRow)
    const latest = await lockLatestAttempt(tx, actor, taskId)
    if (!latest) throw new Refusal('not_found')
    if (latest.attempt !== attempt || latest.state !== 'draft') throw answerRefusal('homework_closed')
    if (!latest.fileIds.includes(uploadId)) throw new Refusal('not_found')
    await extendUpload(tx, actor, { uploadId, size, maxBytes: taskRow.maxBytes })
  }).catch(rethrowForStudent)
}
