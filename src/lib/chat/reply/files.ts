import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { getTenantPlans } from '#lib/billing/billing.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { importTargetedFile } from '#lib/storage/upload/import-file.ts'
import type { ChatActor } from '../access.ts'
import { addUpload } from '../file/files.ts'
import { MAX_CHAT_FILE_BYTES, MAX_MESSAGE_FILES } from '../schema.ts'
import type { ReplyFile } from './worker.ts'

interface StoredFiles {
  fileIds: string[]
  /** Names of files that were refused. */
  refused: string[]
}

/** Stores the attachments of an email as uploads of the actor for a message of the conversation; the others are named. */
export async function storeReplyFiles(
  actor: ChatActor,
  conversationId: string,
  files: readonly ReplyFile[],
): Promise<StoredFiles> {
  const stored: StoredFiles = { fileIds: [], refused: [] }
  if (files.length === 0) return stored
  const plans = await inTenant(actor, (tx) => getTenantPlans(tx))
  await withTemporaryFolder(async (folder) => {
    for (const [index, { name, content }] of files.entries()) {
      if (stored.fileIds.length >= MAX_MESSAGE_FILES) {
        stored.refused.push(name)
        continue
      }
      const file = path.join(folder, String(index))
      await writeFile(file, content)
      try {
        const { fileId } = await importTargetedFile(
          { ...actor, ...plans },
          { path: file, name },
          {
            area: 'chat',
            maxBytes: MAX_CHAT_FILE_BYTES,
            accept: (tx, { id }) => addUpload(tx, actor, conversationId, id),
          },
        )
        stored.fileIds.push(fileId)
      } catch (error) {
        // One attachment that is refused does not keep the text from being sent.
        if (!(error instanceof Refusal)) throw error
        stored.refused.push(name)
      }
    }
  })
  return stored
}
