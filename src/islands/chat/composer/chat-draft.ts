import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* The unsent text of each conversation stays on this device, in local storage. */

const chatDraftKey = (owner: string, conversationId: string): string => `chat/draft ${owner} ${conversationId}`

export const readConversationDraft = (owner: string, conversationId: string): string =>
  deviceStorage.getItem(chatDraftKey(owner, conversationId)) ?? ''

export function saveConversationDraft(owner: string, conversationId: string, text: string): void {
  if (text === '') deviceStorage.removeItem(chatDraftKey(owner, conversationId))
  else deviceStorage.setItem(chatDraftKey(owner, conversationId), text)
}
