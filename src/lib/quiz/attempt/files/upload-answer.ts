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
import { requireQuizStudent } from '../../permission.ts'
import { questionAcceptsFile } from '../../question/answer-rules.ts'
import { lockAttempt } from '../attempt.ts'
import { publishAttempt } from '../finish.ts'
import { loadForSave, requireOpenQuestion } from '../load-for-save.ts'
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
 * Starts an upload that belongs to an answer at once, or resumes one of the same file. Refuses with forbidden, not_found,
 * unprocessable (as saveAnswer, answer_many_files, answer_disk_full), wrong_type (answer_file_type, and as the storage
 * does), too_large.
 */
export async function startFileAnswer(actor: Actor, input: StartFileAnswer): Promise<StartedUpload> {
  requireQuizStudent(actor)
  const { attemptId, questionId, ...fileInput } = input
  const { content, resumableId } = await inTenant(actor, async (tx) => {
    const { content, fileIds } = await lockFileAnswer(tx, actor, { attemptId, questionId })
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
  const { content } = await inTenant(actor, (tx) => lockFileAnswer(tx, actor, { attemptId, questionId }))
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

/** Locks the attempt, so that uploads into one answer follow each other. Refuses with not_found, unprocessable. */
async function lockFileAnswer(tx: Tx, actor: Actor, { attemptId, questionId }: FileQuestion) {
  await lockAttempt(tx, actor, attemptId)
  const { attempt, content } = await loadForSave(tx, actor, attemptId, questionId)
  requireOpenQuestion(attempt, questionId, new Date())
  if (content.type !== 'fileUpload') throw formRefusal('answer_type')
  const [answer] = await tx
    .select({ value: quizAnswer.value, revision: quizAnswer.revision, closedAt: quizAnswer.closedAt })
    .from(quizAnswer)
    .where(and(eq(quizAnswer.attemptId, attemptId), eq(quizAnswer.questionId, questionId)))
  if (answer?.closedAt) throw formRefusal('answer_closed')
  const spentMs = timeSince(attempt, new Date())
  return { content, fileIds: answerFileIdsOf(answer?.value ?? null), revision: answer?.revision ?? 0, spentMs }
}

const uploadTarget = (actor: Actor, place: FileQuestion, maxBytes: number): UploadTarget => ({
  area: 'quiz',
  maxBytes,
  async accept(tx, { id, name, kind }) {
    const { content, fileIds, revision, spentMs } = await lockFileAnswer(tx, actor, place)
    if (!questionAcceptsFile(content.acceptTypes, { kind, name }))
      throw new Refusal('wrong_type', { fields: { file: ['answer_file_type'] }, variables: { name } })
    const known = await loadAttemptFiles(tx, actor, fileIds)
    const existing = fileIds.filter((fileId) => known.has(fileId))
    if (existing.length >= content.maxFiles) throw fileRefusal('answer_many_files', { max: content.maxFiles })
    await writeFiles(tx, actor, { ...place, revision: revision + 1, fileIds: [...existing, id], spentMs })
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
  const [row] = await tx
    .select({ attemptId: quizAnswer.attemptId })
    .from(quizAnswer)
    .where(sql`${quizAnswer.value} @> ${JSON.stringify({ fileIds: [fileId] })}::jsonb`)
    .limit(1)
  return row !== undefined
}

const fileRefusal = (key: string, variables: Record<string, string | number>): Refusal =>
  new Refusal('unprocessable', { fields: { file: [key] }, variables })

/** A student cannot buy storage: the message names the contact. */
function rethrowForStudent(error: unknown): never {
  const isStorageFull = error instanceof Refusal && error.details.fields?.file?.includes('storage_full')
  throw isStorageFull ? fileRefusal('answer_disk_full', {}) : error
}
