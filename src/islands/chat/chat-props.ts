import type { api } from '#islands/stores/api.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

/** A message and a conversation in the form in which the API returns them: instants are strings. */
export type ConversationMessage = Awaited<ReturnType<typeof api.chat.listMessages>>['messages'][number]
export type Conversation = Awaited<ReturnType<typeof api.chat.getConversation>>

export type ScheduledMessage = Awaited<ReturnType<typeof api.chat.listScheduled>>['messages'][number]

export interface ConversationReader {
  memberId: string
  /** May delete messages of others in this conversation. */
  moderates: boolean
  /** May ban students from this conversation. */
  canBan: boolean
  /** False while a team member views as the student. */
  canWrite: boolean
  timeZone: string
  locale: Locale
}

export interface ConversationProps {
  conversation: Conversation
  messages: ConversationMessage[]
  /** The pinned messages, the latest pinned first. */
  pinned: ConversationMessage[]
  reader: ConversationReader
  /** The message of a permalink, which is highlighted. */
  linkedSeq: number | null
  /** The thread of the address. */
  thread: Awaited<ReturnType<typeof api.chat.listThread>> | null
  /** The planned messages of the reader in this conversation. */
  scheduled: ScheduledMessage[]
  /** The id of the message of the form, for browsers without scripts. */
  messageId: string
  strings: Strings
}

export interface ConversationListProps {
  conversations: Conversation[]
  next: string | null
  /** The list of archived conversations. */
  isArchived: boolean
  currentId: string | null
  memberId: string
  isManager: boolean
  /** False while a team member views as the student. */
  canWrite: boolean
  timeZone: string
  locale: Locale
  strings: Strings
}

export const QUIET_CALL = { context: { isQuiet: true } }
