import { voiceFileName } from '#islands/broadcast/voice-recorder.ts'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { createOutbox, type Outbox } from '#islands/stores/outbox/outbox.ts'
import {
  createDeviceOutboxStorage,
  type OutboxItem,
  type OutboxStorage,
} from '#islands/stores/outbox/outbox-storage.ts'
import { uploadRecording } from '#islands/stores/upload/upload-recording.ts'
import { type ConversationMessage, QUIET_CALL } from './chat-props.ts'
import { createMessageId } from './message-id.ts'
import { findVoice, removeVoice, storeVoice } from './voice/voice-storage.ts'

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
  /** A recording on this device, which is uploaded before the message is sent. */
  isVoice?: boolean
}

export interface ChatOutbox extends Pick<Outbox<QueuedMessage>, 'list' | 'retry' | 'discard' | 'flush' | 'close'> {
  add(message: QueuedMessage): void
  /** Adds a voice message. Its recording is stored first. */
  addVoice(message: QueuedMessage, voice: Blob): Promise<void>
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
  send: Send = (message) => sendFromDevice(owner, message),
): ChatOutbox {
  const outbox = createOutbox<QueuedMessage, ConversationMessage>({
    storage,
    send: (message, messageId) => send({ ...message, messageId }),
    onSent: ({ id, payload }, message) => {
      if (payload.isVoice) void removeVoice(owner, id)
      onSent(message, payload.conversationId)
    },
    onFailed: () => 'keep',
    onChange,
  })
  return {
    ...outbox,
    add: (message) => outbox.add(message, createMessageId()),
    async addVoice(message, voice) {
      const id = createMessageId()
      await storeVoice(owner, id, voice)
      outbox.add({ ...message, isVoice: true }, id)
    },
    discard(id) {
      const item = outbox.discard(id)
      if (item?.payload.isVoice) void removeVoice(owner, id)
      return item
    },
  }
}

/** Uploads the recording of a voice message, and sends the message. A repetition uploads it again, but sends it once. */
async function sendFromDevice(
  owner: string,
  message: QueuedMessage & { messageId: string },
): Promise<ConversationMessage> {
  if (!message.isVoice) return api.chat.sendMessage(message, QUIET_CALL)
  const { conversationId, messageId } = message
  const voice = await findVoice(owner, messageId)
  // The browser has deleted the data of the page.
  if (!voice) throw new CallError('not_found', 404, '')
  const name = voiceFileName(voice.type)
  const fileId = await uploadRecording(voice, (facts) =>
    api.chat.startUpload({ conversationId, name, ...facts }, QUIET_CALL),
  )
  return api.chat.sendMessage({ ...message, fileIds: [fileId] }, QUIET_CALL)
}
