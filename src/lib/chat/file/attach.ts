import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { ChatActor } from '../access.ts'
import type { MessageRef } from '../schema.ts'

/**
 * Makes finished uploads of the actor the files of a message. Refuses with unprocessable for an upload that has not
 * finished, of another member or conversation, or of another message.
 */
export async function attachUploads(
  tx: Tx,
  actor: ChatActor,
  { conversationId, seq }: MessageRef,
  fileIds: readonly string[],
): Promise<void> {
  if (fileIds.length === 0) return
  const { rowCount } = await tx.execute(sql`
    update chat_file f set seq = ${seq}, position = wanted.position
    from unnest(${sql.param([...fileIds])}::uuid[]) with ordinality wanted(id, position)
      join file s on s.tenant_id = current_tenant() and s.id = wanted.id and s.area = 'chat' and s.deleted_at is null
    where f.tenant_id = current_tenant() and f.file_id = wanted.id and f.conversation_id = ${conversationId}
      and f.uploader_id = ${actor.membershipId} and f.seq is null`)
  if (rowCount !== new Set(fileIds).size)
    throw new Refusal('unprocessable', { fields: { file: ['chat_file_missing'] } })
}

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
