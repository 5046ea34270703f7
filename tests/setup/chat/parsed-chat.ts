import {
  getConversation as domainGetConversation,
  listConversations as domainListConversations,
} from '#lib/chat/chat.ts'
import { listContacts as domainListContacts } from '#lib/chat/contacts.ts'
import { listMessages as domainListMessages } from '#lib/chat/message/messages.ts'
import { sendMessage as domainSendMessage } from '#lib/chat/message/send.ts'
import {
  ConversationId,
  ListContacts,
  ListConversations,
  ListMessages,
  SendMessage,
  StartConversation,
} from '#lib/chat/schema.ts'
import { startConversation as domainStartConversation } from '#lib/chat/start.ts'
import { parsed } from '../parsed/parsed.ts'

export const listConversations = parsed(ListConversations, domainListConversations)
export const getConversation = parsed(ConversationId, domainGetConversation)
export const listContacts = parsed(ListContacts, domainListContacts)
export const listMessages = parsed(ListMessages, domainListMessages)
export const sendMessage = parsed(SendMessage, domainSendMessage)
export const startConversation = parsed(StartConversation, domainStartConversation)
