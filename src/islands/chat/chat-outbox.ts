import { api } from '#islands/stores/api.ts'
import { createOutbox, type Outbox } from '#islands/stores/outbox/outbox.ts'
import {
  createDeviceOutboxStorage,
  type OutboxItem,
  type OutboxStorage,
} from '#islands/stores/outbox/outbox-storage.ts'
import { type ChatMessage, QUIET } from './chat-props.ts'
import { createMessageId } from './message-id.ts'

/** An own message that the server has not confirmed; its id is the id of the message. */
export interface OutgoingMessage {
  conversationId: string
  body: string
  replyTo?: number
}

export interface ChatOutbox extends Pick<Outbox<OutgoingMessage>, 'list' | 'retry' | 'discard' | 'flush' | 'close'> {
  add(message: OutgoingMessage): void
}

export interface ChatOutboxEvents {
  onChange(items: readonly OutboxItem<OutgoingMessage>[]): void
  onSent(message: ChatMessage, conversationId: string): void
}

type Send = (message: OutgoingMessage & { messageId: string }) => Promise<ChatMessage>

/**
 * The messages of a member that wait on this device, of all conversations. Each is sent once, in the order in which they
 * were written; they survive the tab. A message that the server refuses is kept, to be sent again or discarded.
 */
export function createChatOutbox(
  owner: string,
  { onChange, onSent }: ChatOutboxEvents,
  storage: OutboxStorage<OutgoingMessage> = createDeviceOutboxStorage('kafedra-chat', 'outgoing', owner),
  send: Send = (message) => api.chat.sendMessage(message, QUIET),
): ChatOutbox {
  const outbox = createOutbox<OutgoingMessage, ChatMessage>({
    storage,
    send: (message, messageId) => send({ ...message, messageId }),
    onSent: ({ payload }, message) => onSent(message, payload.conversationId),
    onFailed: () => 'keep',
    onChange,
  })
  return { ...outbox, add: (message) => outbox.add(message, createMessageId()) }
}
