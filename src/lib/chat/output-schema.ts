import { z } from 'zod'
import { CONTACT_POLICIES, CONVERSATION_KINDS } from './schema.ts'

export const ConversationView = z.object({
  id: z.string(),
  kind: z.enum(CONVERSATION_KINDS),
  /** Null for a student's own conversation with the school. */
  title: z.string().nullable(),
  /** Where it belongs: the course of a group, the lesson of a student. */
  context: z.string().nullable(),
  lessonId: z.string().nullable(),
  activeAt: z.date(),
  lastSeq: z.number(),
  /** The actor has read up to this message. */
  readSeq: z.number(),
  /** The other participant of a direct conversation has read up to this message. */
  otherReadSeq: z.number().nullable(),
  /** At most UNREAD_LIMIT. */
  unread: z.number(),
  canPost: z.boolean(),
  /** The latest message; its body is empty when it was deleted. */
  last: z.object({ body: z.string(), isMine: z.boolean(), author: z.string() }).nullable(),
})
export type ConversationView = z.output<typeof ConversationView>

export const ConversationPage = z.object({ items: z.array(ConversationView), next: z.string().nullable() })

export const ConversationMessageView = z.object({
  seq: z.number(),
  id: z.string(),
  authorId: z.string(),
  author: z.string(),
  /** The author is a member of the team. */
  isStaff: z.boolean(),
  /** Limited Markdown; empty when the message was deleted. */
  body: z.string(),
  reply: z.object({ seq: z.number(), author: z.string(), body: z.string() }).nullable(),
  createdAt: z.date(),
  editedAt: z.date().nullable(),
  deletedAt: z.date().nullable(),
})
export type ConversationMessageView = z.output<typeof ConversationMessageView>

/** Messages in the order of their sequence numbers. */
export const MessagePage = z.object({
  messages: z.array(ConversationMessageView),
  /** The sequence number of the latest message of the conversation. */
  lastSeq: z.number(),
})
export type MessagePage = z.output<typeof MessagePage>

export const Started = z.object({ conversationId: z.string() })

export const Contact = z.object({
  memberId: z.string(),
  name: z.string(),
  isStudent: z.boolean(),
  position: z.string(),
})
export type Contact = z.output<typeof Contact>

export const Subject = z.object({ id: z.string(), title: z.string(), context: z.string().nullable() })
export type Subject = z.output<typeof Subject>

export const ContactList = z.object({ people: z.array(Contact), courses: z.array(Subject), groups: z.array(Subject) })
export type ContactList = z.output<typeof ContactList>

export const ContactSettings = z.object({ contactPolicy: z.enum(CONTACT_POLICIES) })
export type ContactSettings = z.output<typeof ContactSettings>

/** Events of the channel `conversation:{conversationId}`. */
export type ConversationEvent =
  | { type: 'message' | 'changed'; message: ConversationMessageView }
  | { type: 'read'; memberId: string; seq: number }

/** Events of the channels `chat:{memberId}` and `chat-managers`: the conversation has changed in the list. */
export interface ChatListEvent {
  conversationId: string
}
