import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* The unsent text of each conversation stays on this device, in local storage. */

const keyOf = (owner: string, conversationId: string): string => `chat/draft ${owner} ${conversationId}`

export const readConversationDraft = (owner: string, conversationId: string): string =>
  deviceStorage.getItem(keyOf(owner, conversationId)) ?? ''

export function saveConversationDraft(owner: string, conversationId: string, text: string): void {
  if (text === '') deviceStorage.removeItem(keyOf(owner, conversationId))
  else deviceStorage.setItem(keyOf(owner, conversationId), text)
}
