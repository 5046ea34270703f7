import { z } from 'zod'
import { LOCALES } from '#lib/core/shared/locale.ts'
import {
  MESSAGE_OBJECTS,
  OUTGOING_MESSAGE_KINDS,
  OUTGOING_MESSAGE_STATES,
  RECIPIENT_STATES,
} from '#lib/core/shared/outgoing-message.ts'

const moment = z.coerce.date().nullable()

/** A message as the outbox lists it. */
export const MessageRow = z.object({
  id: z.string(),
  kind: z.enum(OUTGOING_MESSAGE_KINDS),
  state: z.enum(OUTGOING_MESSAGE_STATES),
  subject: z.string(),
  text: z.string(),
  template: z.string().nullable(),
  objectType: z.enum(MESSAGE_OBJECTS).nullable(),
  objectId: z.string().nullable(),
  revision: z.number(),
  /** Name of the author; null for the system. */
  author: z.string().nullable(),
  authorId: z.string().nullable(),
  recipientCount: z.number(),
  sentCount: z.number(),
  deliveredCount: z.number(),
  bouncedCount: z.number(),
  failedCount: z.number(),
  createdAt: z.coerce.date(),
  sendAt: moment,
  sentAt: moment,
})
export type MessageRow = z.infer<typeof MessageRow>

const RecipientRow = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  locale: z.enum(LOCALES),
  state: z.enum(RECIPIENT_STATES),
  reason: z.string().nullable(),
})

export const OutgoingMessageView = z.object({
  message: MessageRow,
  /** Number of recipients by language. */
  languages: z.array(z.object({ locale: z.enum(LOCALES), recipients: z.number() })),
  recipients: z.array(RecipientRow),
  next: z.string().nullable(),
})
export type OutgoingMessageView = z.infer<typeof OutgoingMessageView>

export const ListOutgoingMessagesOutput = z.object({ items: z.array(MessageRow), next: z.string().nullable() })
export const RecallMessageOutput = z.object({ recalled: z.number() })
