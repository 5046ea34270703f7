import { readJson, tabStorage, writeJson } from '#islands/stores/safe-storage.ts'
import type { MessageKind } from '#lib/meeting/chat/schema.ts'
import type { OutgoingMessage } from './chat-outbox.ts'

/* Drafts and unsent messages are kept in the tab's storage, so that they survive a reload, a lost network and the end of the event. */

export function readChatDraft(sessionId: string, kind: MessageKind): string {
  return tabStorage.getItem(keyOf(`${sessionId} ${kind}`)) ?? ''
}

export function saveChatDraft(sessionId: string, kind: MessageKind, text: string): void {
  const key = keyOf(`${sessionId} ${kind}`)
  if (text === '') tabStorage.removeItem(key)
  else tabStorage.setItem(key, text)
}

export function createOutboxStorage(sessionId: string) {
  const key = keyOf(`${sessionId} letters`)
  return {
    read: (): OutgoingMessage[] => {
      const stored = readJson(tabStorage, key)
      return Array.isArray(stored) ? stored : []
    },
    write: (messages: readonly OutgoingMessage[]) =>
      messages.length === 0 ? tabStorage.removeItem(key) : writeJson(tabStorage, key, messages),
  }
}

const keyOf = (name: string): string => `meeting/chat ${name}`
