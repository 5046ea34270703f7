import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { PART_BYTES } from '#lib/core/shared/part.ts'
import { originalAddress, type Picture, pictureFor } from '#lib/storage/signed-url.ts'
import { file, upload } from '#lib/storage/table.ts'
import { dropFiles } from '#lib/storage/trash.ts'
import { abortUpload } from '#lib/storage/upload/abort.ts'
import { startErrand } from '#lib/storage/upload/upload.ts'
import { mustHold } from '../review/lock.ts'
import { mustJudge } from '../review/scope.ts'
import { acceptedTypes, takesFile } from '../rules.ts'
import { submission } from '../table.ts'
import {
  type AttemptRow,
  closed,
  holdLatest,
  mustBeGiven,
  mustBeInTime,
  mustBeStudent,
  mustDraft,
  type TaskRow,
} from './attempt.ts'
import { RemoveWorkFile, StartVoice, StartWorkUpload } from './schema.ts'

/** An upload that has begun: PUT its parts as those of the storage. */
export interface Begun {
  uploadId: string
  partBytes: number
  parts: number
}

/**
 * Begins an upload into a draft. The same file again goes on where it stopped. Refuses with forbidden (homework_locked),
 * not_found, unprocessable (homework_late, homework_closed, homework_no_attempts, homework_many_files,
 * homework_disc_full), wrong_type (homework_type, and as the storage does), too_large.
 */
export async function startWorkUpload(actor: Actor, input: StartWorkUpload): Promise<Begun> {
  mustBeStudent(actor)
  const { taskId, attempt, ...asked } = StartWorkUpload.parse(input)
  const { about, before } = await inTenant(actor, async (tx) => {
    const about = await mustBeGiven(tx, taskId)
    await mustBeInTime(tx, actor, about)
    const latest = await holdLatest(tx, actor, taskId)
    const ids = latest?.attempt === attempt && latest.state === 'draft' ? latest.fileIds : []
    return { about, before: await unfinished(tx, ids, asked) }
  })
  if (before) return { uploadId: before, partBytes: PART_BYTES, parts: Math.ceil(asked.size / PART_BYTES) }
  return startErrand(actor, asked, {
    area: 'homework',
    most: about.maxBytes,
    async accept(tx, { id, name, kind }) {
      const draft = await mustDraft(tx, actor, about, attempt)
      const accepted = acceptedTypes(about)
      if (!takesFile(accepted, { kind, name })) {
        const types = accepted.filter((one) => one.startsWith('.')).join(', ')
        const key = types ? 'homework_type_of' : 'homework_type'
        throw new Refusal('wrong_type', { fields: { file: [key] }, variables: { name, types } })
      }
      const living = await livingOf(tx, draft.fileIds)
      if (living.length >= about.maxFiles) throw refusedFile('homework_many_files', { max: about.maxFiles })
      await setFiles(tx, draft, [...living, id])
    },
  }).catch(inStudentsWords)
}

/** Begins the upload of a voice comment for a work that the actor holds. Refuses with forbidden, plan_inactive, not_found, conflict. */
export async function startVoice(actor: Actor, input: StartVoice): Promise<Begun> {
  mustJudge(actor)
  const { submissionId, ...asked } = StartVoice.parse(input)
  return startErrand(actor, asked, {
    area: 'homework',
    authorize: (tx) => mustHold(tx, actor, submissionId).then(() => undefined),
    async accept(tx, { kind, name }) {
      await mustHold(tx, actor, submissionId)
      if (kind === 'audio' || kind === 'video') return
      throw new Refusal('wrong_type', { fields: { file: ['homework_type'] }, variables: { name } })
    },
  })
}

/**
 * Takes a file out of a draft, also one that is still on its way; its bytes go at once unless an earlier attempt has it.
 * A second call changes nothing. Refuses with forbidden, not_found, unprocessable (homework_closed).
 */
export async function removeWorkFile(actor: Actor, input: RemoveWorkFile): Promise<void> {
  mustBeStudent(actor)
  const { taskId, attempt, fileId } = RemoveWorkFile.parse(input)
  const alone = await inTenant(actor, async (tx) => {
    const about = await mustBeGiven(tx, taskId)
    const running = await mustBeOwn(tx, actor, fileId)
    const draft = await mustDraft(tx, actor, about, attempt)
    if (!draft.fileIds.includes(fileId)) return false
    await setFiles(
      tx,
      draft,
      draft.fileIds.filter((one) => one !== fileId),
    )
    if (running) await abortUpload(actor, { uploadId: fileId })
    return !running && !(await isKept(tx, fileId, draft))
  })
  if (alone) await dropFiles(actor.tenantId, 'homework', [fileId])
}

/** Whether a file of the actor's own is still on its way. Refuses with not_found for anybody else's. */
async function mustBeOwn(tx: Tx, { membershipId }: Actor, fileId: string): Promise<boolean> {
  const { rows } = await tx.execute<{ running: boolean }>(sql`
    select state = 'uploadStarted' as running from upload
      where tenant_id = current_tenant() and id = ${fileId} and owner_id = ${membershipId} and area = 'homework'
    union all select false from file
      where tenant_id = current_tenant() and id = ${fileId} and owner_id = ${membershipId} and area = 'homework'`)
  if (rows.length === 0) throw new Refusal('not_found')
  return rows.some(({ running }) => running)
}

/** Refuses an answer that says nothing, lacks the film that is asked for, or has files that are still on their way. */
export async function mustHaveArrived(
  tx: Tx,
  { type }: TaskRow,
  { text, fileIds }: { text: string; fileIds: string[] },
): Promise<void> {
  const files = await rowsOf(tx, fileIds)
  if (files.length < (await livingOf(tx, fileIds)).length) throw closed('homework_uploading')
  if (type === 'video' && !files.some(({ kind }) => kind === 'video')) throw closed('homework_needs_video')
  if (text.trim() === '' && files.length === 0) throw closed('homework_empty')
}

export interface WorkFileView {
  id: string
  name: string
  kind: string
  mime: string
  /** Bytes. */
  size: number
  /** False while it is on its way, or when its way was interrupted. */
  arrived: boolean
  picture: Picture | null
  /** Signed for the reader's session; null before it has arrived. */
  address: string | null
  download: string | null
}

/** Files by id with addresses signed for the actor, who may see them; those on their way without. */
export async function workFiles(tx: Tx, actor: Actor, ids: readonly string[]): Promise<Map<string, WorkFileView>> {
  if (ids.length === 0) return new Map()
  const rows = await rowsOf(tx, ids)
  const views = rows.map((row): WorkFileView => {
    const { id, name, kind, mime, size } = row
    const addresses = {
      address: originalAddress(actor, row),
      download: originalAddress(actor, row, { download: true }),
    }
    const picture = kind === 'image' ? pictureFor(actor, row) : null
    return { id, name, kind, mime, size, arrived: true, picture, ...addresses }
  })
  const coming = rows.length === ids.length ? [] : await comingOf(tx, ids)
  const onWay = coming.map((row) => ({ ...row, arrived: false, picture: null, address: null, download: null }))
  return new Map([...views, ...onWay].map((one) => [one.id, one]))
}

function rowsOf(tx: Tx, ids: readonly string[]) {
  const { id, name, kind, mime, size, width, height, widths } = file
  return tx
    .select({ id, name, kind, mime, size, width, height, widths })
    .from(file)
    .where(and(inArray(file.id, [...ids]), isNull(file.deletedAt)))
}

function comingOf(tx: Tx, ids: readonly string[]) {
  const { id, name, kind, mime, size } = upload
  return tx
    .select({ id, name, kind, mime, size })
    .from(upload)
    .where(and(inArray(upload.id, [...ids]), eq(upload.state, 'uploadStarted')))
}

/** Of some ids, in their order, those of files and of uploads on their way: others have failed or were given up. */
async function livingOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const files = await rowsOf(tx, ids)
  const coming = await comingOf(tx, ids)
  const living = new Set([...files, ...coming].map(({ id }) => id))
  return ids.filter((id) => living.has(id))
}

async function unfinished(
  tx: Tx,
  ids: readonly string[],
  { sample, size }: { sample: string; size: number },
): Promise<string | null> {
  if (ids.length === 0) return null
  const [found] = await tx
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
  return found?.id ?? null
}

async function setFiles(tx: Tx, { id }: AttemptRow, fileIds: string[]): Promise<void> {
  await tx.update(submission).set({ fileIds, updatedAt: new Date() }).where(eq(submission.id, id))
}

/** Whether one of the student's attempts at a task still has the file. */
export async function isKept(
  tx: Tx,
  fileId: string,
  { taskId, studentId }: Pick<AttemptRow, 'taskId' | 'studentId'>,
): Promise<boolean> {
  const [found] = await tx
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
  return found !== undefined
}

const refusedFile = (key: string, variables: Record<string, string | number>): Refusal =>
  new Refusal('unprocessable', { fields: { file: [key] }, variables })

/** A student cannot buy the school more space: the words say whom to tell. */
export function inStudentsWords(error: unknown): never {
  const full = error instanceof Refusal && error.details.fields?.file?.includes('storage_full')
  throw full ? refusedFile('homework_disc_full', {}) : error
}
