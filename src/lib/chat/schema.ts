import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { int4Text } from '#lib/core/shared/int4.ts'
import { messageText } from '#lib/core/shared/text/text.ts'

/**
 * `direct`: two members. `course`, `group`: the students with access and the staff of a course or study group. `lesson`:
 * a student's questions about a lesson to the staff of the course. `support`: a student and the managers of the school.
 * `team`: chosen team members.
 */
export const CONVERSATION_KINDS = ['direct', 'course', 'group', 'lesson', 'support', 'team'] as const
export type ConversationKind = (typeof CONVERSATION_KINDS)[number]

/** Who posts in the conversation of a course or group. */
export const POST_POLICIES = ['all', 'staff'] as const
export type PostPolicy = (typeof POST_POLICIES)[number]

/**
 * Whom students may write to directly: staff who are assigned to their courses, all staff, or also students of the same
 * course.
 */
export const CONTACT_POLICIES = ['assigned', 'staff', 'everyone'] as const
export type ContactPolicy = (typeof CONTACT_POLICIES)[number]

/** The reactions to a message. */
export const MESSAGE_REACTIONS = ['👍', '❤️', '👏', '😂', '🔥', '🎉'] as const
export type MessageReaction = (typeof MESSAGE_REACTIONS)[number]

/** What a message has in addition to its text. */
export const ATTACHMENTS = ['none', 'file', 'voice'] as const
export type MessageAttachment = (typeof ATTACHMENTS)[number]

export const MAX_MESSAGE_FILES = 10
/** The size of a file of a message, in bytes. */
export const MAX_CHAT_FILE_BYTES = 50 * 1024 * 1024

/** Messages that are pinned in a conversation at the same time. */
export const PIN_LIMIT = 20
const MENTION_LIMIT = 20

export const TITLE_LIMIT = 120
export const MESSAGE_LIMIT = 4000
export const TEAM_SIZE_LIMIT = 200
/** Unread messages are counted up to this number, which is displayed as "99+". */
export const UNREAD_LIMIT = 100
const CHAT_PAGE_SIZE = 50
export const MIN_RETENTION_DAYS = 30
export const MAX_RETENTION_DAYS = 3650

const title = z.string().trim().min(1, 'required').max(TITLE_LIMIT, 'too_long')

/** What a new conversation is about. The same subject again is the same conversation, except for `team`. */
export const StartConversation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('direct'), memberId: z.uuid('required') }),
  z.object({
    kind: z.literal('course'),
    courseId: z.uuid('required'),
    postPolicy: z.enum(POST_POLICIES).default('all'),
  }),
  z.object({ kind: z.literal('group'), groupId: z.uuid('required'), postPolicy: z.enum(POST_POLICIES).default('all') }),
  z.object({ kind: z.literal('lesson'), lessonId: z.uuid('required') }),
  z.object({ kind: z.literal('support') }),
  z.object({
    kind: z.literal('team'),
    title,
    memberIds: z.array(z.uuid()).min(1, 'required').max(TEAM_SIZE_LIMIT),
    /** Chosen by the form, so that a second submission creates no second conversation. */
    conversationId: z.uuid(),
  }),
])
export type StartConversation = z.output<typeof StartConversation>

export const ConversationId = z.object({ conversationId: z.uuid() })
export type ConversationId = z.output<typeof ConversationId>

export const ListConversations = z.object({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(40),
  /** The archived ones instead of the others. */
  isArchived: z.stringbool().or(z.boolean()).default(false),
})
export type ListConversations = z.output<typeof ListConversations>

/** Messages before or after a sequence number, or around it; without any of them the latest ones. */
export const ListMessages = ConversationId.extend({
  before: int4Text(0).optional(),
  after: int4Text(0).optional(),
  around: int4Text(0).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(CHAT_PAGE_SIZE),
})
export type ListMessages = z.output<typeof ListMessages>

/** The thread of a message: its messages after a sequence number. */
export const ListThread = ConversationId.extend({
  seq: int4Text(1),
  after: int4Text(0).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(100),
})
export type ListThread = z.output<typeof ListThread>

const messageBody = messageText(MESSAGE_LIMIT)

/** `messageId` is chosen by the sender: the same id again is the same message. */
export const SendMessage = ConversationId.extend({
  messageId: z.uuid(),
  /** Only a message with files may have no text. */
  body: messageBody,
  /** Sequence number of the message that is answered. */
  replyTo: int4Text(1).optional(),
  /** Members who are mentioned; those who do not read the conversation are ignored. */
  mentions: z.array(z.uuid()).max(MENTION_LIMIT, 'too_long').default([]),
  mentionsAll: z.boolean().default(false),
  /** Uploads of the sender for this conversation. */
  fileIds: z.array(z.uuid()).max(MAX_MESSAGE_FILES, 'too_long').default([]),
  /** The file is a recorded voice message. */
  isVoice: z.boolean().default(false),
}).refine(({ body, fileIds }) => body !== '' || fileIds.length > 0, { path: ['body'], error: 'required' })
export type SendMessage = z.output<typeof SendMessage>

export const ArchiveConversation = ConversationId.extend({ isArchived: z.boolean() })
export type ArchiveConversation = z.output<typeof ArchiveConversation>

/** Team members who are added to a team conversation. */
export const AddParticipants = ConversationId.extend({
  memberIds: z.array(z.uuid()).min(1, 'required').max(TEAM_SIZE_LIMIT, 'too_long'),
})
export type AddParticipants = z.output<typeof AddParticipants>

export const MarkConversationRead = ConversationId.extend({ seq: int4Text(0) })
export type MarkConversationRead = z.output<typeof MarkConversationRead>

export const MessageRef = ConversationId.extend({ seq: int4Text(1) })
export type MessageRef = z.output<typeof MessageRef>

export const EditChatMessage = MessageRef.extend({ body: messageBody.refine((body) => body !== '', 'required') })
export type EditChatMessage = z.output<typeof EditChatMessage>

export const ReactToChatMessage = MessageRef.extend({ reaction: z.enum(MESSAGE_REACTIONS), isSet: z.boolean() })
export type ReactToChatMessage = z.output<typeof ReactToChatMessage>

export const PinChatMessage = MessageRef.extend({ isPinned: z.boolean() })
export type PinChatMessage = z.output<typeof PinChatMessage>

/** `messageId` is chosen by the sender, as in `SendMessage`. */
export const ForwardMessage = MessageRef.extend({ toConversationId: z.uuid('required'), messageId: z.uuid() })
export type ForwardMessage = z.output<typeof ForwardMessage>

export const ListReaders = ConversationId.extend({ search: z.string().trim().max(60).default('') })
export type ListReaders = z.output<typeof ListReaders>

/** Words and operators (`query-rules.ts`); `conversationId` limits the search to one conversation. */
export const FindChatMessages = z.object({
  query: z.string().trim().min(1, 'required').max(200, 'too_long'),
  conversationId: z.uuid().optional(),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(50).default(20),
})
export type FindChatMessages = z.output<typeof FindChatMessages>

export const ListContacts = z.object({ search: z.string().trim().max(120).default('') })
export type ListContacts = z.output<typeof ListContacts>

/** What is absent stays as it is; an empty `retentionDays` of a form, or null: messages are not deleted. */
export const UpdateChatSettings = z.object({
  contactPolicy: z.enum(CONTACT_POLICIES).optional(),
  retentionDays: z
    .union([
      z.literal('').transform(() => null),
      z.null(),
      z.coerce.number().int().min(MIN_RETENTION_DAYS).max(MAX_RETENTION_DAYS),
    ])
    .optional(),
})
export type UpdateChatSettings = z.output<typeof UpdateChatSettings>
