import type { Conversation } from '../chat-props.ts'

/*
 * The conversations that the list has loaded, the latest active first. Pages are loaded one after another, while messages
 * move single conversations to the top.
 */

/** Adds a page that continues the list; conversations that are listed already stay. */
export function addConversations(all: readonly Conversation[], page: readonly Conversation[]): Conversation[] {
  const known = new Set(all.map(({ id }) => id))
  return sorted([...all, ...page.filter(({ id }) => !known.has(id))])
}

/** Replaces a conversation, or adds it. */
export const replaceConversation = (all: readonly Conversation[], changed: Conversation): Conversation[] =>
  sorted([changed, ...removeConversation(all, changed.id)])

/** The list without a conversation. */
export const removeConversation = (all: readonly Conversation[], conversationId: string): Conversation[] =>
  all.filter(({ id }) => id !== conversationId)

/** Replaces the beginning of the list by the first page; the pages that were loaded after it stay unless it is the only one. */
export function replaceFirstPage(
  all: readonly Conversation[],
  firstPage: readonly Conversation[],
  isOnlyPage: boolean,
): Conversation[] {
  const last = firstPage.at(-1)
  if (isOnlyPage || !last) return [...firstPage]
  const known = new Set(firstPage.map(({ id }) => id))
  return [...firstPage, ...all.filter(({ id, activeAt }) => !known.has(id) && activeAt <= last.activeAt)]
}

const sorted = (all: readonly Conversation[]): Conversation[] =>
  all.toSorted((a, b) => (a.activeAt === b.activeAt ? 0 : a.activeAt < b.activeAt ? 1 : -1))
