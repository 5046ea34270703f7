import { z } from 'zod'
import { int4Text } from '#lib/core/shared/int4.ts'
import { FILE_KINDS } from '#lib/core/shared/stored-file.ts'
import { messageText } from '#lib/core/shared/text/text.ts'
import { ConversationId, MAX_MESSAGE_FILES, MESSAGE_LIMIT } from '../schema.ts'

/**
 * Why a scheduled message was not sent: its author may not write there any more, the plan of the school has expired, or one of
 * its files does not exist any more. `unverified`: a reply by email whose sender was not authenticated; it waits until the author
 * or staff of the conversation sends it.
 */
export const SCHEDULED_FAILURES = ['forbidden', 'plan_inactive', 'file_missing', 'unverified'] as const
export type ScheduledFailure = (typeof SCHEDULED_FAILURES)[number]

/** Scheduled messages of one member. */
export const SCHEDULED_LIMIT = 50
export const MAX_SCHEDULED_DAYS = 365
/** Messages that could not be sent are kept for their authors for this time. */
export const KEEP_FAILED_DAYS = 30

const sendAt = z.iso.datetime({ offset: true })
const body = messageText(MESSAGE_LIMIT)
const fileIds = z.array(z.uuid()).max(MAX_MESSAGE_FILES, 'too_long')

/** `messageId` is chosen by the author: the same id again is the same message. */
export const ScheduleMessage = ConversationId.extend({
  messageId: z.uuid(),
  /** Only a message with files may have no text. */
  body,
  mentions: z.array(z.uuid()).max(20, 'too_long').default([]),
  replyTo: int4Text(1).optional(),
  /** Uploads of the author for this conversation. */
  fileIds: fileIds.default([]),
  /** The file is a recorded voice message. */
  isVoice: z.boolean().default(false),
  sendAt,
}).refine((message) => message.body !== '' || message.fileIds.length > 0, { path: ['body'], error: 'required' })
export type ScheduleMessage = z.output<typeof ScheduleMessage>

export const ScheduledMessageRef = z.object({ messageId: z.uuid() })
export type ScheduledMessageRef = z.output<typeof ScheduledMessageRef>

/** `fileIds`: the files that stay; without it all of them. */
export const EditScheduledMessage = ScheduledMessageRef.extend({ body, fileIds: fileIds.optional(), sendAt })
export type EditScheduledMessage = z.output<typeof EditScheduledMessage>

/** Without a conversation those of all conversations. */
export const ListScheduled = ConversationId.partial()
export type ListScheduled = z.output<typeof ListScheduled>

export const ScheduledMessageView = z.object({
  messageId: z.string(),
  conversationId: z.string(),
  /** Of the conversation; null for a student's own conversation with the school. */
  title: z.string().nullable(),
  body: z.string(),
  /**
   * The message that it answers, with the one that began the thread. Null also when it does not exist any more, and where the
   * author does not read the conversation any more.
   */
  reply: z.object({ seq: z.number(), threadSeq: z.number(), author: z.string(), body: z.string() }).nullable(),
  isVoice: z.boolean(),
  /** Opened by `/chat?file={id}`. */
  files: z.array(z.object({ id: z.string(), name: z.string(), kind: z.enum(FILE_KINDS), size: z.number() })),
  sendAt: z.date(),
  failure: z.enum(SCHEDULED_FAILURES).nullable(),
})
export type ScheduledMessageView = z.output<typeof ScheduledMessageView>

/** A reply by email that waits, as staff of its conversation sees it. */
export const HeldReplyView = ScheduledMessageView.extend({ author: z.string() })
export type HeldReplyView = z.output<typeof HeldReplyView>

export const ScheduledMessageList = z.object({ messages: z.array(ScheduledMessageView) })
