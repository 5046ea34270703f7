import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { originalUrl } from '#lib/storage/signed-url.ts'
import { file, upload } from '#lib/storage/table.ts'
import type { AnswerValue } from '../../question/schema.ts'

/* Reading the files of answers. Uploading and removing them is in upload-answer.ts. */

export interface AnswerFile {
  id: string
  name: string
  kind: string
  /** Bytes. */
  size: number
  /** False while the upload runs or is interrupted. */
  arrived: boolean
  /** URL signed for the reader's login session; null before the upload has finished. */
  download: string | null
}

/** The ids of the files of an answer. */
export const answerFileIdsOf = (value: AnswerValue | null): string[] =>
  value?.type === 'fileUpload' ? value.fileIds : []

/** Files and running uploads by id, with URLs signed for the actor. The caller has checked that the actor may see them. */
export async function loadAttemptFiles(tx: Tx, actor: Actor, ids: readonly string[]): Promise<Map<string, AnswerFile>> {
  if (ids.length === 0) return new Map()
  const [files, uploads] = await Promise.all([
    tx
      .select({ id: file.id, name: file.name, kind: file.kind, mime: file.mime, size: file.size })
      .from(file)
      .where(and(inArray(file.id, [...ids]), eq(file.area, 'quiz'), isNull(file.deletedAt))),
    tx
      .select({ id: upload.id, name: upload.name, kind: upload.kind, size: upload.size })
      .from(upload)
      .where(and(inArray(upload.id, [...ids]), eq(upload.area, 'quiz'), eq(upload.state, 'uploadStarted'))),
  ])
  const arrived = files.map(({ mime, ...row }): AnswerFile => {
    return { ...row, arrived: true, download: originalUrl(actor, { ...row, mime }, { download: true }) }
  })
  const running = uploads.map((row): AnswerFile => ({ ...row, arrived: false, download: null }))
  return new Map([...arrived, ...running].map((view) => [view.id, view]))
}

/** Refuses with not_found files and uploads that the actor has not added to a test. */
export async function requireOwnFiles(tx: Tx, { membershipId }: Actor, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return
  const ids = sql.param(`{${fileIds.join(',')}}`)
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from upload where tenant_id = current_tenant() and owner_id = ${membershipId} and area = 'quiz'
      and id = any (${ids}::uuid[])
    union
    select id from file where tenant_id = current_tenant() and owner_id = ${membershipId} and area = 'quiz'
      and id = any (${ids}::uuid[])`)
  if (rows.length < new Set(fileIds).size) throw new Refusal('not_found')
}
