import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { signFile, signPicture } from '#lib/storage/signed-url.ts'
import { purgeAreaFiles } from '#lib/storage/trash.ts'
import { startTargetedUpload } from '#lib/storage/upload/upload.ts'
import { type ChatActor, isReadable, requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import { requirePost } from '../message/post-permission.ts'
import { requireChatPlan } from '../relation.ts'
import { MAX_CHAT_FILE_BYTES } from '../schema.ts'
import type { ChatFileRef, StartChatUpload } from './schema.ts'
import { chatFile } from './table.ts'

const UPLOAD_LIMIT = { limit: 60, windowSeconds: 600 }

/**
 * Starts the upload of a file for a message of a conversation. Refuses as `sendMessage`, and with wrong_type, too_large,
 * unprocessable as the storage does.
 */
export async function startChatUpload(actor: Actor, input: StartChatUpload) {
  requireChat(actor)
  requireChatPlan(actor)
  await countAttempt(`chat.upload ${actor.membershipId}`, UPLOAD_LIMIT)
  const { conversationId, ...fileInput } = input
  const authorize = async (tx: Tx) => requirePost(tx, actor, await requireConversation(tx, actor, conversationId))
  return startTargetedUpload(actor, fileInput, {
    area: 'chat',
    maxBytes: MAX_CHAT_FILE_BYTES,
    authorize,
    async accept(tx, { id }) {
      await authorize(tx)
      await addUpload(tx, actor, conversationId, id)
    },
  })
}

/** Records an upload of the actor for a message that does not exist yet. The caller has checked that it may write there. */
export async function addUpload(tx: Tx, actor: ChatActor, conversationId: string, fileId: string): Promise<void> {
  const { tenantId, membershipId: uploaderId } = actor
  await tx.insert(chatFile).values({ tenantId, fileId, conversationId, uploaderId })
}

/**
 * The signed URL of a file for the actor: a file of a message that it may read, also of one by which it was forwarded, or its
 * own upload. Refuses with forbidden, not_found.
 */
export async function openChatFile(actor: Actor, { fileId }: ChatFileRef, { download = false } = {}): Promise<string> {
  requireChat(actor)
  const kind = await inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<{ kind: string }>(sql`
      select s.kind from file s where s.tenant_id = current_tenant() and s.id = ${fileId} and s.deleted_at is null
        and exists (select 1 from chat_file f
          join chat_conversation c on c.tenant_id = f.tenant_id and c.id = f.conversation_id
          where f.tenant_id = s.tenant_id and f.file_id = s.id
            and (f.seq is not null or f.uploader_id = ${actor.membershipId}) and ${isReadable(actor)})`)
    const [row] = rows
    if (!row) throw new Refusal('not_found')
    return row.kind
  })
  return kind === 'image' && !download ? signPicture(actor, fileId) : signFile(actor, fileId, { download })
}

/** Deletes those of the files that no message has any more. Idempotent. */
export async function purgeChatFiles({ tenantId, fileIds }: { tenantId: string; fileIds: string[] }): Promise<void> {
  const unused = await inTenant({ tenantId }, async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`
      select listed.id from unnest(${sql.param(fileIds)}::uuid[]) listed(id)
      where not exists (select 1 from chat_file f where f.tenant_id = current_tenant() and f.file_id = listed.id)`)
    return rows.map(({ id }) => id)
  })
  await purgeAreaFiles(tenantId, 'chat', unused)
}

/** Deletes uploads that were neither sent nor planned to be sent within a day. Returns their number. */
export async function sweepUnsentFiles(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - DAY_MS)
  return forEachTenant({ job: 'chat.sweepFiles', dueSql: UNSENT, now: before }, async (tenantId) => {
    const fileIds = await inTenant({ tenantId }, async (tx) => {
      const { rows } = await tx.execute<{ fileId: string }>(sql`delete from chat_file where tenant_id = current_tenant()
        and seq is null and scheduled_id is null and created_at < ${before} returning file_id as "fileId"`)
      return rows.map((row) => row.fileId)
    })
    await purgeAreaFiles(tenantId, 'chat', fileIds)
    return fileIds.length
  })
}

const UNSENT = 'select 1 from chat_file where seq is null and scheduled_id is null and created_at < $1'
