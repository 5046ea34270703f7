import { z } from 'zod'
import { int4Text } from '#lib/core/shared/int4.ts'
import { ConversationId, MESSAGE_LIMIT } from '../schema.ts'

/** Why a scheduled message was not sent: its author may not write there any more, or the plan of the school has expired. */
export const SCHEDULED_FAILURES = ['forbidden', 'plan_inactive'] as const
export type ScheduledFailure = (typeof SCHEDULED_FAILURES)[number]

/** Scheduled messages of one member. */
export const SCHEDULED_LIMIT = 50
export const MAX_SCHEDULED_DAYS = 365

const sendAt = z.iso.datetime({ offset: true })

/** `messageId` is chosen by the author: the same id again is the same message. */
export const ScheduleMessage = ConversationId.extend({
  messageId: z.uuid(),
  body: z.string().trim().min(1, 'required').max(MESSAGE_LIMIT, 'too_long'),
  mentions: z.array(z.uuid()).max(20, 'too_long').default([]),
  replyTo: int4Text(1).optional(),
  sendAt,
})
export type ScheduleMessage = z.output<typeof ScheduleMessage>

export const ScheduledMessageRef = z.object({ messageId: z.uuid() })
export type ScheduledMessageRef = z.output<typeof ScheduledMessageRef>

export const EditScheduledMessage = ScheduledMessageRef.extend({ body: ScheduleMessage.shape.body, sendAt })
export type EditScheduledMessage = z.output<typeof EditScheduledMessage>

export const ScheduledMessageView = z.object({
  messageId: z.string(),
  conversationId: z.string(),
  body: z.string(),
  sendAt: z.date(),
  failure: z.enum(SCHEDULED_FAILURES).nullable(),
})
export type ScheduledMessageView = z.output<typeof ScheduledMessageView>

export const ScheduledMessageList = z.object({ messages: z.array(ScheduledMessageView) })
