import { startChatUpload } from '#lib/chat/file/files.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { finishUpload } from '#lib/storage/upload/finish.ts'
import { describeUpload, sendPart } from '../uploads.ts'

/** The content of the uploads. */
export const FILE_TEXT = new TextEncoder().encode('План заняття')

/** Starts the upload of a file for a message of a conversation. */
export async function startFile(actor: Actor, conversationId: string, name = 'план.txt') {
  const { parentId: _, ...about } = await describeUpload(name, FILE_TEXT)
  return startChatUpload(actor, { conversationId, ...about })
}

/** The id of a file that is uploaded for a message of a conversation. */
export async function uploadTo(actor: Actor, conversationId: string): Promise<string> {
  const { uploadId } = await startFile(actor, conversationId)
  await sendPart(actor, uploadId, 1, FILE_TEXT)
  await finishUpload(actor, { uploadId })
  return uploadId
}
