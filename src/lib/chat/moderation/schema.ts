import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { CONVERSATION_KINDS, ConversationId, MessageRef } from '../schema.ts'

export const REPORT_REASONS = ['spam', 'insult', 'harm', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** What was done about a report. */
export const REPORT_OUTCOMES = ['dismissed', 'deleted', 'banned'] as const

export const REPORT_NOTE_LIMIT = 500

export const ReportMessage = MessageRef.extend({
  reason: z.enum(REPORT_REASONS),
  note: z.string().trim().max(REPORT_NOTE_LIMIT, 'too_long').default(''),
})
export type ReportMessage = z.output<typeof ReportMessage>

export const ListReports = z.object({ cursor: Cursor, limit: z.coerce.number().int().min(1).max(100).default(30) })
export type ListReports = z.output<typeof ListReports>

/** `banned` deletes the message too. */
export const ResolveReport = z.object({ reportId: z.uuid(), outcome: z.enum(REPORT_OUTCOMES) })
export type ResolveReport = z.output<typeof ResolveReport>

export const BanMember = ConversationId.extend({ memberId: z.uuid('required') })
export type BanMember = z.output<typeof BanMember>

export const ReportView = z.object({
  id: z.string(),
  conversationId: z.string(),
  kind: z.enum(CONVERSATION_KINDS),
  title: z.string(),
  seq: z.number(),
  authorId: z.string(),
  author: z.string(),
  reporter: z.string(),
  /** The text when it was reported. */
  body: z.string(),
  reason: z.enum(REPORT_REASONS),
  note: z.string(),
  createdAt: z.date(),
  canDelete: z.boolean(),
  canBan: z.boolean(),
})
export type ReportView = z.output<typeof ReportView>

export const ReportPage = z.object({ items: z.array(ReportView), next: z.string().nullable() })
export type ReportPage = z.output<typeof ReportPage>

export const BanView = z.object({
  conversationId: z.string(),
  title: z.string(),
  memberId: z.string(),
  name: z.string(),
  bannedBy: z.string(),
  createdAt: z.date(),
})
export type BanView = z.output<typeof BanView>

export const BanList = z.object({ bans: z.array(BanView) })
