import type { Actor } from '#lib/core/shared/actor.ts'
import type { StartImport } from '#lib/course/transfer/schema.ts'
import { getTransfer, startCourseImport } from '#lib/course/transfer/transfer.ts'
import { importCourse } from '#lib/homework/task/import.ts'
import { uploadFile } from '../uploads.ts'

/** Uploads a file, requests its import and runs the job. Returns the state that the page shows. */
export async function imported(
  actor: Actor,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  options: Pick<StartImport, 'split'> = {},
) {
  const { id: fileId } = await uploadFile(actor, name, bytes)
  const { transferId } = await startCourseImport(actor, { fileId, ...options })
  const { viewer: _, sessionId: _1, email: _2, ...requestingActor } = actor
  await importCourse({ tenantId: actor.tenantId, transferId, requestingActor }, { isLastAttempt: true })
  return getTransfer(actor, { transferId })
}
