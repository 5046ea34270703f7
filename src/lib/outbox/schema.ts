import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { RECIPIENT_STATES } from '#lib/core/shared/outgoing-message.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()

/** The tabs of the outbox; `delivered` and `bounced` list messages with at least one such recipient. */
export const OUTBOX_FILTERS = ['planned', 'sent', 'delivered', 'bounced', 'recalled'] as const
export type OutboxFilter = (typeof OUTBOX_FILTERS)[number]

export const OutgoingMessageId = z.object({ messageId: id })
export type OutgoingMessageId = z.infer<typeof OutgoingMessageId>

export const ListOutgoingMessages = z.object({
  filter: z.enum(OUTBOX_FILTERS).optional(),
  q: textLine(100).default(''),
  objectId: id.optional(),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(30),
})
export type ListOutgoingMessages = z.output<typeof ListOutgoingMessages>

export const GetMessage = OutgoingMessageId.extend({
  state: z.enum(RECIPIENT_STATES).optional(),
  q: textLine(100).default(''),
  cursor: Cursor,
})
export type GetMessage = z.output<typeof GetMessage>

/** Subject and text of a message. The subject of an invitation is fixed. */
export const MessageText = z.object({ subject: textLine(150), text: multilineText(5000) })
export type MessageText = z.infer<typeof MessageText>

/** `revision`: of the text that the change is based on. */
export const EditMessage = OutgoingMessageId.extend(MessageText.shape).extend({
  revision: z.coerce.number().int().min(1).max(1_000_000),
})
export type EditMessage = z.infer<typeof EditMessage>
