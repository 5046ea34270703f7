import { createTabOutboxStorage } from '#islands/stores/outbox/outbox-storage.ts'
import { tabStorage } from '#islands/stores/safe-storage.ts'
import type { ChatMessageKind } from '#lib/meeting/chat/schema.ts'

/** An own message as it is sent; its id is the item's id. */
export interface OutgoingMessage {
  kind: ChatMessageKind
  text: string
  replyTo: string | null
}

/* Drafts and unsent messages are kept in the tab's storage, so that they survive a reload, a lost network and the end of the event. */

export function readChatDraft(sessionId: string, kind: ChatMessageKind): string {
  return tabStorage.getItem(roomDraftKey(`${sessionId} ${kind}`)) ?? ''
}

export function saveChatDraft(sessionId: string, kind: ChatMessageKind, text: string): void {
  const key = roomDraftKey(`${sessionId} ${kind}`)
  if (text === '') tabStorage.removeItem(key)
  else tabStorage.setItem(key, text)
}

/** The queue of unsent messages of a session. */
export const createChatOutboxStorage = (sessionId: string) =>
  createTabOutboxStorage<OutgoingMessage>(roomDraftKey(`${sessionId} outbox`))

const roomDraftKey = (name: string): string => `meeting/chat ${name}`
