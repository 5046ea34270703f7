import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { ChatActor } from '../access.ts'

interface FileAttachment {
  conversationId: string
  fileIds: readonly string[]
  /** The planned message whose files they are; null for uploads that belong to no message. */
  from: string | null
  /** The message whose files they become: a sent one, or a planned one. */
  to: { seq: number } | { scheduledId: string }
}

/**
 * Makes finished uploads of the actor, or the files of its planned message, the files of a message. Refuses with unprocessable
 * for an upload that has not finished or was deleted, of another member or conversation, or of another message.
 */
export async function attachUploads(
  tx: Tx,
  actor: ChatActor,
  { conversationId, fileIds, from, to }: FileAttachment,
): Promise<void> {
  if (fileIds.length === 0) return
  const seq = 'seq' in to ? to.seq : null
  const scheduledId = 'scheduledId' in to ? to.scheduledId : null
  const { rowCount } = await tx.execute(sql`
    update chat_file f set seq = ${seq}, scheduled_id = ${scheduledId}, position = wanted.position
    from unnest(${sql.param([...fileIds])}::uuid[]) with ordinality wanted(id, position)
      join file s on s.tenant_id = current_tenant() and s.id = wanted.id and s.area = 'chat' and s.deleted_at is null
    where f.tenant_id = current_tenant() and f.file_id = wanted.id and f.conversation_id = ${conversationId}
      and f.uploader_id = ${actor.membershipId} and f.seq is null and f.scheduled_id is not distinct from ${from}::uuid`)
  if (rowCount !== new Set(fileIds).size) throw new Refusal('unprocessable', { fields: { file: [FILE_MISSING] } })
}

const FILE_MISSING = 'chat_file_missing'

/** Whether an error is the refusal of `attachUploads`. */
export const isFileMissing = (error: unknown): boolean =>
  error instanceof Refusal && error.details.fields?.file?.[0] === FILE_MISSING

/**
 * Takes away the files of messages, so that nobody can open them from the commit on, and queues their deletion.
 * `condition`: of the row `f` of `chat_file`.
 */
export async function removeFilesOfMessages(tx: Tx, condition: SQL): Promise<void> {
  const { rows } = await tx.execute<{ fileId: string; tenantId: string }>(sql`delete from chat_file f
    where f.tenant_id = current_tenant() and ${condition} returning f.file_id as "fileId", f.tenant_id as "tenantId"`)
  const [first] = rows
  if (first)
    await enqueueJob('chat.purgeFiles', { tenantId: first.tenantId, fileIds: rows.map(({ fileId }) => fileId) })
}
