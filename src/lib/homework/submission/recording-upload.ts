import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { growUpload } from '#lib/storage/upload/extend.ts'
import { closed, holdLatest, mustBeGiven, mustBeInTime, mustBeStudent } from './attempt.ts'
import { inStudentsWords } from './files.ts'
import { GrowWorkUpload } from './schema.ts'

/**
 * Makes the upload of a recording longer while it is recorded, up to the task's limit of a file. Refuses with forbidden
 * (homework_locked), not_found for an upload that is not in this draft, gone, invalid, too_large, disk_full,
 * unprocessable (homework_late, homework_closed, homework_disc_full).
 */
export async function growWorkUpload(actor: Actor, input: GrowWorkUpload): Promise<void> {
  mustBeStudent(actor)
  const { taskId, attempt, uploadId, size } = GrowWorkUpload.parse(input)
  await inTenant(actor, async (tx) => {
    const about = await mustBeGiven(tx, taskId)
    await mustBeInTime(tx, actor, about)
    const latest = await holdLatest(tx, actor, taskId)
    if (!latest) throw new Refusal('not_found')
    if (latest.attempt !== attempt || latest.state !== 'draft') throw closed('homework_closed')
    if (!latest.fileIds.includes(uploadId)) throw new Refusal('not_found')
    await growUpload(tx, actor, { uploadId, size, most: about.maxBytes })
  }).catch(inStudentsWords)
}
