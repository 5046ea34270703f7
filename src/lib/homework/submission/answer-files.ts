import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { originalUrl, type Picture, pictureFor } from '#lib/storage/signed-url.ts'
import { file, upload } from '#lib/storage/table.ts'
import { answerRefusal, type TaskRow } from './attempt.ts'

/* Reading the files of an answer. Uploading and removing them, which pages do not need, are in files.ts. */

export interface AnswerFileView {
  id: string
  name: string
  kind: string
  mime: string
  /** Bytes. */
  size: number
  /** False while the upload runs or is interrupted. */
  arrived: boolean
  picture: Picture | null
  /** URL signed for the reader's login session; null before the upload has finished. */
  address: string | null
  download: string | null
}

/** Files by id, with URLs signed for the actor, who is allowed to see them; running uploads have no URLs. */
export async function loadSubmissionFiles(
  tx: Tx,
  actor: Actor,
  ids: readonly string[],
): Promise<Map<string, AnswerFileView>> {
  if (ids.length === 0) return new Map()
  const rows = await loadSubmittedFiles(tx, ids)
  const views = rows.map((row): AnswerFileView => {
    const { id, name, kind, mime, size } = row
    const addresses = {
      address: originalUrl(actor, row),
      download: originalUrl(actor, row, { download: true }),
    }
    const picture = kind === 'image' ? pictureFor(actor, row) : null
    return { id, name, kind, mime, size, arrived: true, picture, ...addresses }
  })
  const runningUploads = rows.length === ids.length ? [] : await loadRunningUploads(tx, ids)
  const pendingViews = runningUploads.map((row) => ({
    ...row,
    arrived: false,
    picture: null,
    address: null,
    download: null,
  }))
  return new Map([...views, ...pendingViews].map((view) => [view.id, view]))
}

/** The ids of existing files and running uploads, in their order; other uploads have failed or were aborted. */
export async function filterExistingFiles(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const files = await loadSubmittedFiles(tx, ids)
  const uploads = await loadRunningUploads(tx, ids)
  const existing = new Set([...files, ...uploads].map(({ id }) => id))
  return ids.filter((id) => existing.has(id))
}

/** Refuses an empty answer, one without the required video, and one with running uploads. */
export async function requireCompleteAnswer(
  tx: Tx,
  { type }: TaskRow,
  { text, fileIds }: { text: string; fileIds: string[] },
): Promise<void> {
  const files = await loadSubmittedFiles(tx, fileIds)
  if (files.length < (await filterExistingFiles(tx, fileIds)).length) throw answerRefusal('homework_uploading')
  if (type === 'video' && !files.some(({ kind }) => kind === 'video')) throw answerRefusal('homework_needs_video')
  if (text.trim() === '' && files.length === 0) throw answerRefusal('homework_empty')
}

function loadSubmittedFiles(tx: Tx, ids: readonly string[]) {
  const { id, name, kind, mime, size, width, height, widths } = file
  return tx
    .select({ id, name, kind, mime, size, width, height, widths })
    .from(file)
    .where(and(inArray(file.id, [...ids]), isNull(file.deletedAt)))
}

function loadRunningUploads(tx: Tx, ids: readonly string[]) {
  const { id, name, kind, mime, size } = upload
  return tx
    .select({ id, name, kind, mime, size })
    .from(upload)
    .where(and(inArray(upload.id, [...ids]), eq(upload.state, 'uploadStarted')))
}
