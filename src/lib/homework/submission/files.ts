import { and, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { upload } from '#lib/storage/table.ts'
import { purgeAreaFiles } from '#lib/storage/trash.ts'
import { abortUpload } from '#lib/storage/upload/abort.ts'
import { startTargetedUpload } from '#lib/storage/upload/upload.ts'
import { requireOwnLock } from '../review/lock.ts'
import { requireReviewing } from '../review/scope.ts'
import { acceptedTypes, taskAcceptsFile } from '../rules.ts'
import { submission } from '../table.ts'
import { filterExistingFiles } from './answer-files.ts'
import {
  getOrCreateDraft,
  lockLatestAttempt,
  requireBeforeDeadline,
  requirePublishedTask,
  requireSubmittingStudent,
  type SubmissionRow,
} from './attempt.ts'
import type { RemoveAnswerFile, StartAnswerUpload, StartVoice } from './schema.ts'

/** A started upload: PUT its parts as for the file library. */
export interface StartedUpload {
  uploadId: string
  partBytes: number
  parts: number
}

/**
 * Starts an upload into a draft, or resumes one of the same file. Refuses with forbidden (homework_locked), not_found,
 * unprocessable (homework_late, homework_closed, homework_no_attempts, homework_many_files, homework_disc_full),
 * wrong_type (homework_type, and as the storage does), too_large.
 */
export async function startAnswerUpload(actor: Actor, input: StartAnswerUpload): Promise<StartedUpload> {
  requireSubmittingStudent(actor)
  const { taskId, attempt, ...fileInput } = input
  const { taskRow, resumableId } = await inTenant(actor, async (tx) => {
    const taskRow = await requirePublishedTask(tx, taskId)
    await requireBeforeDeadline(tx, actor, taskRow)
    const latest = await lockLatestAttempt(tx, actor, taskId)
    const ids = latest?.attempt === attempt && latest.state === 'draft' ? latest.fileIds : []
    return { taskRow, resumableId: await findUnfinishedUpload(tx, ids, fileInput) }
  })
  if (resumableId)
    return { uploadId: resumableId, partBytes: UPLOAD_PART_BYTES, parts: Math.ceil(fileInput.size / UPLOAD_PART_BYTES) }
  return startTargetedUpload(actor, fileInput, {
    area: 'homework',
    maxBytes: taskRow.maxBytes,
    async accept(tx, { id, name, kind }) {
      const draft = await getOrCreateDraft(tx, actor, taskRow, attempt)
      const accepted = acceptedTypes(taskRow)
      if (!taskAcceptsFile(accepted, { kind, name })) {
        const types = accepted.filter((type) => type.startsWith('.')).join(', ')
        const key = types ? 'homework_type_of' : 'homework_type'
        throw new Refusal('wrong_type', { fields: { file: [key] }, variables: { name, types } })
      }
      const existingIds = await filterExistingFiles(tx, draft.fileIds)
      if (existingIds.length >= taskRow.maxFiles) throw fileRefusal('homework_many_files', { max: taskRow.maxFiles })
      await saveFileIds(tx, draft, [...existingIds, id])
    },
  }).catch(rethrowForStudent)
}

/**
 * Starts the upload of a voice comment for a submission that the actor has locked. Refuses with forbidden,
 * plan_inactive, not_found, conflict.
 */
export async function startVoiceUpload(actor: Actor, input: StartVoice): Promise<StartedUpload> {
  requireReviewing(actor)
  const { submissionId, ...fileInput } = input
  return startTargetedUpload(actor, fileInput, {
    area: 'homework',
    authorize: (tx) => requireOwnLock(tx, actor, submissionId).then(() => undefined),
    async accept(tx, { kind, name }) {
      await requireOwnLock(tx, actor, submissionId)
      if (kind === 'audio' || kind === 'video') return
      throw new Refusal('wrong_type', { fields: { file: ['homework_type'] }, variables: { name } })
    },
  })
}

/**
 * Removes a file from a draft, also a running upload; its bytes are deleted immediately unless an earlier attempt uses
 * it. A second call changes nothing. Refuses with forbidden, not_found, unprocessable (homework_closed).
 */
export async function removeAnswerFile(actor: Actor, input: RemoveAnswerFile): Promise<void> {
  requireSubmittingStudent(actor)
  const { taskId, attempt, fileId } = input
  const isUnreferenced = await inTenant(actor, async (tx) => {
    const taskRow = await requirePublishedTask(tx, taskId)
    const running = await requireOwnFile(tx, actor, fileId)
    const draft = await getOrCreateDraft(tx, actor, taskRow, attempt)
    if (!draft.fileIds.includes(fileId)) return false
    await saveFileIds(
      tx,
      draft,
      draft.fileIds.filter((id) => id !== fileId),
    )
    if (running) await abortUpload(actor, { uploadId: fileId })
    return !running && !(await isReferenced(tx, fileId, draft))
  })
  if (isUnreferenced) await purgeAreaFiles(actor.tenantId, 'homework', [fileId])
}

/** Whether the actor's file is still being uploaded. Refuses with not_found for files of other users. */
async function requireOwnFile(tx: Tx, { membershipId }: Actor, fileId: string): Promise<boolean> {
  const { rows } = await tx.execute<{ running: boolean }>(sql`
    select state = 'uploadStarted' as running from upload
      where tenant_id = current_tenant() and id = ${fileId} and owner_id = ${membershipId} and area = 'homework'
    union all select false from file
      where tenant_id = current_tenant() and id = ${fileId} and owner_id = ${membershipId} and area = 'homework'`)
  if (rows.length === 0) throw new Refusal('not_found')
  return rows.some(({ running }) => running)
}

async function findUnfinishedUpload(
  tx: Tx,
  ids: readonly string[],
  { sample, size }: { sample: string; size: number },
): Promise<string | null> {
  if (ids.length === 0) return null
  const [row] = await tx
    .select({ id: upload.id })
    .from(upload)
    .where(
      and(
        inArray(upload.id, [...ids]),
        eq(upload.state, 'uploadStarted'),
        eq(upload.sample, sample),
        eq(upload.size, size),
      ),
    )
  return row?.id ?? null
}

async function saveFileIds(tx: Tx, { id }: SubmissionRow, fileIds: string[]): Promise<void> {
  await tx.update(submission).set({ fileIds, updatedAt: new Date() }).where(eq(submission.id, id))
}

/** Whether one of the student's attempts at a task still uses the file. */
export async function isReferenced(
  tx: Tx,
  fileId: string,
  { taskId, studentId }: Pick<SubmissionRow, 'taskId' | 'studentId'>,
): Promise<boolean> {
  const [row] = await tx
    .select({ id: submission.id })
    .from(submission)
    .where(
      and(
        eq(submission.taskId, taskId),
        eq(submission.studentId, studentId),
        sql`${fileId}::uuid = any(${submission.fileIds})`,
      ),
    )
    .limit(1)
  return row !== undefined
}

const fileRefusal = (key: string, variables: Record<string, string | number>): Refusal =>
  new Refusal('unprocessable', { fields: { file: [key] }, variables })

/** A student cannot buy storage: the message names the contact. */
export function rethrowForStudent(error: unknown): never {
  const isStorageFull = error instanceof Refusal && error.details.fields?.file?.includes('storage_full')
  throw isStorageFull ? fileRefusal('homework_disc_full', {}) : error
}
