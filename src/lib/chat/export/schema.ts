import { z } from 'zod'

export const EXPORT_STATES = ['queued', 'ready', 'failed', 'removed'] as const

/** Without a conversation, all of the school. */
export const RequestChatExport = z.object({ conversationId: z.uuid().optional() })
export type RequestChatExport = z.output<typeof RequestChatExport>

export const ChatExportRef = z.object({ exportId: z.uuid() })
export type ChatExportRef = z.output<typeof ChatExportRef>

export const ChatExportView = z.object({
  id: z.string(),
  /** Null: all conversations. */
  title: z.string().nullable(),
  state: z.enum(EXPORT_STATES),
  messageCount: z.number().nullable(),
  /** Bytes. */
  size: z.number().nullable(),
  requestedAt: z.date(),
  expiresAt: z.date().nullable(),
})
export type ChatExportView = z.output<typeof ChatExportView>

export const ChatExportList = z.object({ exports: z.array(ChatExportView) })
