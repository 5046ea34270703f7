import { z } from 'zod'
import { FILE_KINDS } from '#lib/core/shared/stored-file.ts'
import { ATTACHMENTS, CONTACT_POLICIES, CONVERSATION_KINDS, MESSAGE_REACTIONS, type MessageReaction } from './schema.ts'

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
  /** The other participant of a direct conversation has read up to this message; null unless both share it. */
  otherReadSeq: z.number().nullable(),
  /** At most UNREAD_LIMIT. */
  unread: z.number(),
  /** An unread message mentions the actor. */
  isMentioned: z.boolean(),
  canPost: z.boolean(),
  canPin: z.boolean(),
  canMentionAll: z.boolean(),
  canLeave: z.boolean(),
  /** Sees who takes part, and may add team members. */
  canAddParticipants: z.boolean(),
  /** May ban students from it. */
  canBan: z.boolean(),
  /** The reader has archived it, and there was no message since. */
  isArchived: z.boolean(),
  /** Messages with smaller numbers have been deleted because of their age. */
  firstSeq: z.number(),
  /** The latest message; its body is empty when it was deleted. */
  last: z
    .object({ body: z.string(), attachment: z.enum(ATTACHMENTS), isMine: z.boolean(), author: z.string() })
    .nullable(),
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
  /** The message that began the thread of this reply. */
  threadSeq: z.number().nullable(),
  /** The replies in the thread of this message. */
  replyCount: z.number(),
  reply: z.object({ seq: z.number(), author: z.string(), body: z.string() }).nullable(),
  /** Names that the text mentions as `@name`. */
  mentions: z.array(z.object({ memberId: z.string(), name: z.string() })),
  mentionsAll: z.boolean(),
  /** The author of the message that was forwarded. */
  forwardedFrom: z.string().nullable(),
  isPinned: z.boolean(),
  attachment: z.enum(ATTACHMENTS),
  /** Opened by `/chat?file={id}`. */
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(FILE_KINDS),
      size: z.number(),
      /** Pixels of a picture; null until known. */
      width: z.number().nullable(),
      height: z.number().nullable(),
    }),
  ),
  reactions: z.array(z.object({ reaction: z.enum(MESSAGE_REACTIONS), count: z.number() })),
  /** The reactions of the reader; empty in live updates, which all readers share. */
  ownReactions: z.array(z.enum(MESSAGE_REACTIONS)),
  createdAt: z.date(),
  editedAt: z.date().nullable(),
  deletedAt: z.date().nullable(),
})
export type ConversationMessageView = z.output<typeof ConversationMessageView>

/** Members who read a conversation, for mentions. */
export const ReaderList = z.object({
  readers: z.array(z.object({ memberId: z.string(), name: z.string(), isStaff: z.boolean() })),
  /** The participants, the students with access and the assigned staff, without the actor. */
  total: z.number(),
})
export type ReaderList = z.output<typeof ReaderList>

/** The earlier texts of a message, the latest first. */
export const MessageEdits = z.object({
  edits: z.array(
    z.object({
      body: z.string(),
      /** When a newer text replaced it. */
      replacedAt: z.date(),
    }),
  ),
})
export type MessageEdits = z.output<typeof MessageEdits>

const ParticipantView = z.object({ memberId: z.string(), name: z.string(), position: z.string() })

/** Who takes part in a team conversation, and who can be added. */
export const ParticipantList = z.object({
  title: z.string(),
  participants: z.array(ParticipantView),
  candidates: z.array(ParticipantView),
})
export type ParticipantList = z.output<typeof ParticipantList>

export const PinnedMessages = z.object({ messages: z.array(ConversationMessageView) })

/** Messages in the order of their sequence numbers. */
export const MessagePage = z.object({
  messages: z.array(ConversationMessageView),
  /** Messages with smaller numbers have been deleted because of their age. */
  firstSeq: z.number(),
  /** The sequence number of the latest message of the conversation. */
  lastSeq: z.number(),
})
export type MessagePage = z.output<typeof MessagePage>

/** The message that began a thread, and its replies, in order. */
export const ThreadPage = z.object({
  rootSeq: z.number(),
  messages: z.array(ConversationMessageView),
  /** More messages follow after this sequence number. */
  next: z.number().nullable(),
})
export type ThreadPage = z.output<typeof ThreadPage>

/** A message that a search has found. */
export const FoundChatMessage = z.object({
  conversationId: z.string(),
  kind: z.enum(CONVERSATION_KINDS),
  title: z.string().nullable(),
  context: z.string().nullable(),
  seq: z.number(),
  author: z.string(),
  sentAt: z.date(),
  /** The text around the first match, in parts. */
  excerpt: z.array(z.object({ text: z.string(), isMatch: z.boolean() })),
})
export type FoundChatMessage = z.output<typeof FoundChatMessage>

export const FoundChatMessages = z.object({ items: z.array(FoundChatMessage), next: z.string().nullable() })
export type FoundChatMessages = z.output<typeof FoundChatMessages>

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

export const SchoolChatSettings = z.object({
  contactPolicy: z.enum(CONTACT_POLICIES),
  /** Older messages are deleted; null: never. */
  retentionDays: z.number().nullable(),
})
export type SchoolChatSettings = z.output<typeof SchoolChatSettings>

/** Events of the channel `conversation:{conversationId}`. */
export type ConversationEvent =
  | { type: 'message' | 'changed'; message: ConversationMessageView }
  | { type: 'read'; memberId: string; seq: number }
  /** Of the other participant of a direct conversation. */
  | { type: 'typing'; memberId: string }
  | { type: 'online'; memberId: string }
  | { type: 'reaction'; seq: number; memberId: string; reaction: MessageReaction; isSet: boolean; count: number }

/** Events of the channels `chat:{memberId}` and `chat-managers`: the conversation has changed in the list. */
export interface ChatListEvent {
  conversationId: string
}
