import { isNotNull, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, rangeCheck } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import { studyGroupKey } from '../course/learning/table.ts'
import { courseKey, lessonKey } from '../course/table.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import {
  ATTACHMENTS,
  CONTACT_POLICIES,
  CONVERSATION_KINDS,
  MAX_RETENTION_DAYS,
  MESSAGE_LIMIT,
  MESSAGE_REACTIONS,
  MIN_RETENTION_DAYS,
  POST_POLICIES,
  TITLE_LIMIT,
} from './schema.ts'

/** Conversations. Who takes part in those of courses and groups follows from access grants and staff. */
export const chatConversation = pgTable(
  'chat_conversation',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    kind: text({ enum: CONVERSATION_KINDS }).notNull(),
    // Identifies the subject within the tenant, so that there is one conversation about it.
    subjectKey: text().notNull(),
    courseId: uuid(),
    groupId: uuid(),
    lessonId: uuid(),
    // Of a team conversation; the others are named after their subject.
    title: text().notNull().default(''),
    postPolicy: text({ enum: POST_POLICIES }).notNull().default('all'),
    createdBy: uuid().notNull(),
    // The sequence number of the latest message. Assigned under the lock of this row: numbers have no gaps.
    lastSeq: integer().notNull().default(0),
    // Messages with smaller numbers have been deleted because of their age.
    firstSeq: integer().notNull().default(1),
    createdAt: createdAt(),
    // Of the latest message, or of the creation.
    activeAt: createdAt(),
    // The first message of a student that no team member has answered; null when none waits, or it was closed.
    waitingSince: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.kind, table.subjectKey),
    courseKey('chat_conversation_course', [table.tenantId, table.courseId]),
    studyGroupKey('chat_conversation_group', [table.tenantId, table.groupId]),
    lessonKey('chat_conversation_lesson', [table.tenantId, table.lessonId]),
    memberKey('chat_conversation_created_by', [table.tenantId, table.createdBy]),
    index().on(table.tenantId, table.activeAt, table.id),
    index().on(table.tenantId, table.courseId, table.kind).where(isNotNull(table.courseId)),
    index().on(table.tenantId, table.groupId).where(isNotNull(table.groupId)),
    index().on(table.tenantId, table.lessonId).where(isNotNull(table.lessonId)),
    index().on(table.tenantId, table.createdBy),
    // Only few conversations wait for an answer.
    index('chat_conversation_waiting').on(table.tenantId, table.waitingSince).where(isNotNull(table.waitingSince)),
    ...enumChecks(table),
    ...countChecks(table.lastSeq),
    rangeCheck(table.firstSeq, 1),
    lengthCheck(table.title, TITLE_LIMIT),
    lengthCheck(table.subjectKey, 80),
  ],
)

export const conversationKey = keyTo(chatConversation)

/** The read position of a member in a conversation, and the participants of those that no course determines. */
export const chatMember = pgTable(
  'chat_member',
  {
    tenantId: tenantId().references(() => tenant.id),
    conversationId: uuid().notNull(),
    memberId: uuid().notNull(),
    // False: the member only has read it, and sees it as long as it is staff or has access.
    isParticipant: boolean().notNull().default(false),
    readSeq: integer().notNull().default(0),
    joinedAt: createdAt(),
    leftAt: instant(),
    // The latest message when the member archived the conversation, which returns to the list with the next one.
    archivedSeq: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.conversationId, table.memberId] }),
    conversationKey('chat_member_conversation', [table.tenantId, table.conversationId]),
    memberKey('chat_member_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId, table.conversationId),
    ...countChecks(table.readSeq, table.archivedSeq),
  ],
)

/** Messages by their sequence number in the conversation, which has no gaps. */
export const chatMessage = pgTable(
  'chat_message',
  {
    tenantId: tenantId().references(() => tenant.id),
    conversationId: uuid().notNull(),
    seq: integer().notNull(),
    // Chosen by the sender, so that a repeated request is the same message.
    id: uuid().notNull(),
    authorId: uuid().notNull(),
    // Limited Markdown; empty when the message was deleted.
    body: text().notNull(),
    replyToSeq: integer(),
    // The message that began the thread of a reply.
    threadSeq: integer(),
    // Everyone in the conversation is mentioned.
    mentionsAll: boolean().notNull().default(false),
    // The author of the message that was forwarded.
    forwardedAuthorId: uuid(),
    pinnedAt: instant(),
    attachment: text({ enum: ATTACHMENTS }).notNull().default('none'),
    createdAt: createdAt(),
    editedAt: instant(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.conversationId, table.seq] }),
    unique().on(table.tenantId, table.id),
    conversationKey('chat_message_conversation', [table.tenantId, table.conversationId]),
    memberKey('chat_message_author', [table.tenantId, table.authorId]),
    memberKey('chat_message_forwarded_author', [table.tenantId, table.forwardedAuthorId]),
    foreignKey({
      name: 'chat_message_reply',
      columns: [table.tenantId, table.conversationId, table.replyToSeq],
      foreignColumns: [table.tenantId, table.conversationId, table.seq],
    }),
    index().on(table.tenantId, table.authorId),
    index('chat_message_replies')
      .on(table.tenantId, table.conversationId, table.replyToSeq)
      .where(sql`reply_to_seq is not null`),
    index('chat_message_thread')
      .on(table.tenantId, table.conversationId, table.threadSeq, table.seq)
      .where(isNotNull(table.threadSeq)),
    index('chat_message_forwarded')
      .on(table.tenantId, table.forwardedAuthorId)
      .where(isNotNull(table.forwardedAuthorId)),
    index('chat_message_pinned')
      .on(table.tenantId, table.conversationId, table.pinnedAt)
      .where(isNotNull(table.pinnedAt)),
    ...enumChecks(table),
    rangeCheck(table.seq, 1),
    lengthCheck(table.body, MESSAGE_LIMIT),
  ],
)

/** The foreign key to a message. */
export const chatMessageKey = (name: string, columns: [AnyPgColumn, AnyPgColumn, AnyPgColumn]) =>
  foreignKey({
    name,
    columns,
    foreignColumns: [chatMessage.tenantId, chatMessage.conversationId, chatMessage.seq],
  })

/** Reactions of members to messages. */
export const chatReaction = pgTable(
  'chat_reaction',
  {
    tenantId: tenantId().references(() => tenant.id),
    conversationId: uuid().notNull(),
    seq: integer().notNull(),
    memberId: uuid().notNull(),
    reaction: text({ enum: MESSAGE_REACTIONS }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.conversationId, table.seq, table.memberId, table.reaction] }),
    chatMessageKey('chat_reaction_message', [table.tenantId, table.conversationId, table.seq]),
    memberKey('chat_reaction_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId),
    ...enumChecks(table),
  ],
)

/** The members whom a message mentions by name. */
export const chatMention = pgTable(
  'chat_mention',
  {
    tenantId: tenantId().references(() => tenant.id),
    conversationId: uuid().notNull(),
    seq: integer().notNull(),
    memberId: uuid().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.conversationId, table.seq, table.memberId] }),
    chatMessageKey('chat_mention_message', [table.tenantId, table.conversationId, table.seq]),
    memberKey('chat_mention_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId, table.conversationId, table.seq),
  ],
)

/** The texts that a message had before it was edited. */
export const chatMessageEdit = pgTable(
  'chat_message_edit',
  {
    tenantId: tenantId().references(() => tenant.id),
    conversationId: uuid().notNull(),
    seq: integer().notNull(),
    editedAt: createdAt(),
    body: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.conversationId, table.seq, table.editedAt] }),
    chatMessageKey('chat_message_edit_message', [table.tenantId, table.conversationId, table.seq]),
    lengthCheck(table.body, MESSAGE_LIMIT),
  ],
)

/**
 * The words of messages, by which they are found, in the form of the function `search_words`; also `from:{authorId}` and
 * `has:link`. Written by a trigger of `chat_message`. The newest message with a word is found by its key.
 */
export const chatWord = pgTable(
  'chat_word',
  {
    tenantId: tenantId().references(() => tenant.id),
    word: text().notNull(),
    // `created_at` of the message.
    sentAt: instant().notNull(),
    conversationId: uuid().notNull(),
    seq: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.word, table.sentAt, table.conversationId, table.seq] }),
    lengthCheck(table.word, 60),
  ],
)

/** The different words of the messages of a school: a prefix or a misspelt word is looked up here. */
export const chatVocabulary = pgTable(
  'chat_vocabulary',
  {
    tenantId: tenantId().references(() => tenant.id),
    word: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.word] }),
    index('chat_vocabulary_prefix').on(table.tenantId, table.word.op('text_pattern_ops')),
    lengthCheck(table.word, 60),
  ],
)

/** The settings of a school for its chat; without a row the defaults. */
export const chatSetting = pgTable(
  'chat_setting',
  {
    tenantId: tenantId()
      .primaryKey()
      .references(() => tenant.id),
    contactPolicy: text({ enum: CONTACT_POLICIES }).notNull().default('assigned'),
    // Older messages are deleted; null: never.
    retentionDays: integer(),
  },
  (table) => [...enumChecks(table), rangeCheck(table.retentionDays, MIN_RETENTION_DAYS, MAX_RETENTION_DAYS)],
)
