import { z } from 'zod'
import { StartUpload } from '#lib/storage/schema.ts'
import { ConversationId } from '../schema.ts'

export const StartChatUpload = ConversationId.extend(StartUpload.omit({ parentId: true }).shape)
export type StartChatUpload = z.output<typeof StartChatUpload>

export const ChatFileRef = z.object({ fileId: z.uuid() })
export type ChatFileRef = z.output<typeof ChatFileRef>

export const StartedChatUpload = z.object({ uploadId: z.string(), partBytes: z.number(), parts: z.number() })
