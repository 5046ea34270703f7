import { and, eq, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { upload } from '#lib/storage/table.ts'
import { purgeAreaFiles } from '#lib/storage/trash.ts'
import { abortUpload } from '#lib/storage/upload/abort.ts'
import { importTargetedFile } from '#lib/storage/upload/import-file.ts'
import { startTargetedUpload, type UploadTarget } from '#lib/storage/upload/upload.ts'
import { findLateFiles, writeLateFiles } from '../../late/late-files.ts'
import { requireQuizStudent } from '../../permission.ts'
import { questionAcceptsFile } from '../../question/answer-rules.ts'
import { lockAttempt } from '../attempt.ts'
import { publishAttempt } from '../finish.ts'
import { findObstacle, loadForSave } from '../load-for-save.ts'
import { storeAnswer, timeSince } from '../save-answer.ts'
import type { RemoveFileAnswer, StartFileAnswer } from '../schema.ts'
import { quizAnswer } from '../table.ts'
import { answerFileIdsOf, loadAttemptFiles, requireOwnFiles } from './answer-files.ts'

/** A started upload: PUT its parts as for the file library. */
interface StartedUpload {
  uploadId: string
  partBytes: number
  parts: number
}

/**
 * Starts an upload that belongs to an answer at once, or resumes one of the same file. After the end of the attempt the
 * file belongs to a late answer, which is kept and not scored. Refuses with forbidden, not_found, unprocessable
 * (answer_type, answer_many_files, answer_disk_full), wrong_type (answer_file_type, and as the storage does), too_large.
 */
export async function startFileAnswer(actor: Actor, input: StartFileAnswer): Promise<StartedUpload> {
  requireQuizStudent(actor)
  const { attemptId, questionId, ...fileInput } = input
  const { content, resumableId } = await inTenant(actor, async (tx) => {
    const { content, fileIds } = await lockFileOrLate(tx, actor, { attemptId, questionId })
    return { content, resumableId: await findUnfinishedUpload(tx, fileIds, fileInput) }
  })
  const { size } = fileInput
  if (resumableId) {
    return { uploadId: resumableId, partBytes: UPLOAD_PART_BYTES, parts: Math.ceil(size / UPLOAD_PART_BYTES) }
  }
  return startTargetedUpload(actor, fileInput, uploadTarget(actor, { attemptId, questionId }, content.maxBytes)).catch(
    rethrowForStudent,
  )
}

/** Adds a file that was posted with the form of a page. Refuses as startFileAnswer. */
export async function addFileAnswer(
  actor: Actor,
  input: { attemptId: string; questionId: string; path: string; name: string },
): Promise<{ fileId: string }> {
  requireQuizStudent(actor)
  const { attemptId, questionId, path, name } = input
  const { content } = await inTenant(actor, (tx) => lockFileOrLate(tx, actor, { attemptId, questionId }))
  const target = uploadTarget(actor, { attemptId, questionId }, content.maxBytes)
  const { fileId } = await importTargetedFile(actor, { path, name }, target).catch(rethrowForStudent)
  return { fileId }
}

/**
 * Removes a file from an answer, also a running upload; its bytes are deleted unless another attempt uses it. A second
 * call changes nothing. Refuses with forbidden, not_found, unprocessable (as saveAnswer).
 */
export async function removeFileAnswer(actor: Actor, input: RemoveFileAnswer): Promise<void> {
  requireQuizStudent(actor)
  const { attemptId, questionId, fileId } = input
  const isUnreferenced = await inTenant(actor, async (tx) => {
    const { fileIds, revision, spentMs } = await lockFileAnswer(tx, actor, { attemptId, questionId })
    await requireOwnFiles(tx, actor, [fileId])
    if (!fileIds.includes(fileId)) return false
    const rest = fileIds.filter((id) => id !== fileId)
    await writeFiles(tx, actor, { attemptId, questionId, revision: revision + 1, fileIds: rest, spentMs })
    const running = await findRunningUploads(tx, [fileId])
    if (running.length > 0) await abortUpload(actor, { uploadId: fileId })
    return running.length === 0 && !(await isReferenced(tx, fileId))
  })
  if (isUnreferenced) await purgeAreaFiles(actor.tenantId, 'quiz', [fileId])
}

interface FileQuestion {
  attemptId: string
  questionId: string
}

/** As `lockFileOrLate`. Refuses with unprocessable when the answer cannot be changed any more. */
async function lockFileAnswer(tx: Tx, actor: Actor, place: FileQuestion) {
  const { closedBy, ...locked } = await lockFileOrLate(tx, actor, place)
  if (closedBy) throw closedBy
  return locked
}

/**
 * Locks the attempt, so that uploads into one answer follow each other. `closedBy` is the reason why the answer cannot be
 * changed any more; the files are those that arrived after it then. Refuses with not_found, unprocessable (answer_type).
 */
async function lockFileOrLate(tx: Tx, actor: Actor, { attemptId, questionId }: FileQuestion) {
  await lockAttempt(tx, actor, attemptId)
  const { attempt, content } = await loadForSave(tx, actor, attemptId, questionId)
  if (content.type !== 'fileUpload') throw formRefusal('answer_type')
  const [answer] = await tx
    .select({ value: quizAnswer.value, revision: quizAnswer.revision, closedAt: quizAnswer.closedAt })
    .from(quizAnswer)
    .where(and(eq(quizAnswer.attemptId, attemptId), eq(quizAnswer.questionId, questionId)))
  const now = new Date()
  const closedBy = findObstacle(attempt, questionId, now) ?? (answer?.closedAt ? formRefusal('answer_closed') : null)
  const spentMs = timeSince(attempt, now)
  const late = closedBy && (await findLateFiles(tx, { attemptId, questionId }))
  const fileIds = closedBy ? (late?.fileIds ?? []) : answerFileIdsOf(answer?.value ?? null)
  return { content, fileIds, revision: answer?.revision ?? 0, spentMs, closedBy }
}

const uploadTarget = (actor: Actor, place: FileQuestion, maxBytes: number): UploadTarget => ({
  area: 'quiz',
  maxBytes,
  async accept(tx, { id, name, kind }) {
    const { content, fileIds, revision, spentMs, closedBy } = await lockFileOrLate(tx, actor, place)
    if (!questionAcceptsFile(content.acceptTypes, { kind, name }))
      throw new Refusal('wrong_type', { fields: { file: ['answer_file_type'] }, variables: { name } })
    const known = await loadAttemptFiles(tx, actor, fileIds)
    const existing = fileIds.filter((fileId) => known.has(fileId))
    if (existing.length >= content.maxFiles) throw fileRefusal('answer_many_files', { max: content.maxFiles })
    const written = { ...place, revision: revision + 1, fileIds: [...existing, id] }
    if (closedBy) await writeLateFiles(tx, actor, written)
    else await writeFiles(tx, actor, { ...written, spentMs })
  },
})

async function writeFiles(
  tx: Tx,
  actor: Actor,
  { fileIds, ...answer }: FileQuestion & { revision: number; fileIds: string[]; spentMs: number },
): Promise<void> {
  const value = fileIds.length === 0 ? null : { type: 'fileUpload' as const, fileIds }
  await storeAnswer(tx, actor, { ...answer, value, now: new Date(), shownId: (_, id) => id })
  await publishAttempt(answer.attemptId, {
    event: 'saved',
    questionId: answer.questionId,
    revision: answer.revision,
  })
}

const findRunningUploads = (tx: Tx, ids: readonly string[]) =>
  tx
    .select({ id: upload.id, sample: upload.sample, size: upload.size })
    .from(upload)
    .where(and(inArray(upload.id, [...ids]), eq(upload.state, 'uploadStarted')))

async function findUnfinishedUpload(
  tx: Tx,
  ids: readonly string[],
  { sample, size }: { sample: string; size: number },
): Promise<string | null> {
  const running = ids.length === 0 ? [] : await findRunningUploads(tx, ids)
  return running.find((row) => row.sample === sample && row.size === size)?.id ?? null
}

async function isReferenced(tx: Tx, fileId: string): Promise<boolean> {
  const contains = JSON.stringify({ fileIds: [fileId] })
  const { rows } = await tx.execute(sql`
    select 1 from quiz_answer where tenant_id = current_tenant() and value @> ${contains}::jsonb
    union all
    select 1 from quiz_late_answer where tenant_id = current_tenant() and value @> ${contains}::jsonb
    limit 1`)
  return rows.length > 0
}

const fileRefusal = (key: string, variables: Record<string, string | number>): Refusal =>
  new Refusal('unprocessable', { fields: { file: [key] }, variables })

/** A student cannot buy storage: the message names the contact. */
function rethrowForStudent(error: unknown): never {
  const isStorageFull = error instanceof Refusal && error.details.fields?.file?.includes('storage_full')
  throw isStorageFull ? fileRefusal('answer_disk_full', {}) : error
}
