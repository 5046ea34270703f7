import { api } from '#islands/stores/api.ts'
import { createOutbox, type Outbox } from '#islands/stores/outbox/outbox.ts'
import {
  createDeviceOutboxStorage,
  type OutboxItem,
  type OutboxStorage,
} from '#islands/stores/outbox/outbox-storage.ts'
import { type ConversationMessage, QUIET_CALL } from './chat-props.ts'
import { createMessageId } from './message-id.ts'

/** An own message that the server has not confirmed; its id is the id of the message. */
export interface QueuedMessage {
  conversationId: string
  body: string
  replyTo?: number
  /** Ids of members. */
  mentions?: string[]
  mentionsAll?: boolean
  /** Ids of uploaded files. */
  fileIds?: string[]
  isVoice?: boolean
}

export interface ChatOutbox extends Pick<Outbox<QueuedMessage>, 'list' | 'retry' | 'discard' | 'flush' | 'close'> {
  add(message: QueuedMessage): void
}

export interface ChatOutboxEvents {
  onChange(items: readonly OutboxItem<QueuedMessage>[]): void
  onSent(message: ConversationMessage, conversationId: string): void
}

type Send = (message: QueuedMessage & { messageId: string }) => Promise<ConversationMessage>

/**
 * The messages of a member that wait on this device, of all conversations. Each is sent once, in the order in which they
 * were written; they survive the tab. A message that the server refuses is kept, to be sent again or discarded.
 */
export function createChatOutbox(
  owner: string,
  { onChange, onSent }: ChatOutboxEvents,
  storage: OutboxStorage<QueuedMessage> = createDeviceOutboxStorage('kafedra-chat', 'outgoing', owner),
  send: Send = (message) => api.chat.sendMessage(message, QUIET_CALL),
): ChatOutbox {
  const outbox = createOutbox<QueuedMessage, ConversationMessage>({
    storage,
    send: (message, messageId) => send({ ...message, messageId }),
    onSent: ({ payload }, message) => onSent(message, payload.conversationId),
    onFailed: () => 'keep',
    onChange,
  })
  return { ...outbox, add: (message) => outbox.add(message, createMessageId()) }
}
