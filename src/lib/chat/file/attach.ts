import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { ChatActor } from '../access.ts'
import type { MessageRef } from '../schema.ts'

interface FileAttachment {
  conversationId: string
  fileIds: readonly string[]
  /** Whose files they are: a planned message, or one that is forwarded; null for uploads that belong to no message. */
  from: { scheduledId: string } | { forwarded: MessageRef } | null
  /** The message whose files they become: a sent one, or a planned one. */
  to: { seq: number } | { scheduledId: string }
}

/**
 * Makes finished uploads of the actor, the files of its planned message, or those of a forwarded message, the files of a
 * message. Forwarded files stay files of the other message too, which the caller has locked. Refuses with unprocessable for
 * an upload that has not finished or was deleted, of another member or conversation, or of another message.
 */
export async function attachMessageFiles(tx: Tx, actor: ChatActor, attachment: FileAttachment): Promise<void> {
  const { conversationId, fileIds, from, to } = attachment
  if (fileIds.length === 0) return
  const seq = 'seq' in to ? to.seq : null
  const wanted = sql`(select s.id, listed.position from unnest(${sql.param([...fileIds])}::uuid[]) with ordinality
    listed(id, position) join file s on s.tenant_id = current_tenant() and s.id = listed.id and s.area = 'chat'
      and s.deleted_at is null) wanted`
  const { rowCount } = await tx.execute(
    from && 'forwarded' in from
      ? sql`
    insert into chat_file (tenant_id, id, file_id, conversation_id, uploader_id, seq, position)
    select f.tenant_id, time_ordered_id(), f.file_id, ${conversationId}, f.uploader_id, ${seq}, wanted.position
    from ${wanted} join chat_file f on f.tenant_id = current_tenant() and f.file_id = wanted.id
      and f.conversation_id = ${from.forwarded.conversationId} and f.seq = ${from.forwarded.seq}`
      : sql`
    update chat_file f set seq = ${seq}, scheduled_id = ${'scheduledId' in to ? to.scheduledId : null},
      position = wanted.position
    from ${wanted} where f.tenant_id = current_tenant() and f.file_id = wanted.id
      and f.conversation_id = ${conversationId} and f.uploader_id = ${actor.membershipId} and f.seq is null
      and f.scheduled_id is not distinct from ${from ? from.scheduledId : null}::uuid`,
  )
  if (rowCount !== new Set(fileIds).size) throw new Refusal('unprocessable', { fields: { file: [FILE_MISSING] } })
}

const FILE_MISSING = 'chat_file_missing'

/** Whether an error is the refusal of `attachMessageFiles`. */
export const isFileMissing = (error: unknown): boolean =>
  error instanceof Refusal && error.details.fields?.file?.[0] === FILE_MISSING

/**
 * Takes away the files of messages, so that nobody can open them there from the commit on, and queues the deletion of those
 * that no other message has. `condition`: of the row `f` of `chat_file`. The caller changes or deletes the messages in the
 * same transaction, so that none of them is forwarded meanwhile.
 */
export async function removeFilesOfMessages(tx: Tx, condition: SQL): Promise<void> {
  const { rows } = await tx.execute<{ fileId: string; tenantId: string }>(sql`delete from chat_file f
    where f.tenant_id = current_tenant() and ${condition} returning f.file_id as "fileId", f.tenant_id as "tenantId"`)
  const [first] = rows
  if (first)
    await enqueueJob('chat.purgeFiles', { tenantId: first.tenantId, fileIds: rows.map(({ fileId }) => fileId) })
}
