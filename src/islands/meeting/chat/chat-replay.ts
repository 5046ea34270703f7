import type { MessageView } from '#lib/meeting/chat/schema.ts'

/** What of a chat has been read for a replay: without a hole from one offset to another, in milliseconds. */
export interface LoadedReplay {
  messages: readonly MessageView[]
  fromMs: number
  /** Infinite when the chat ends there. */
  untilMs: number
}

const BEFORE_MS = 120_000
const AHEAD_MS = 30_000

/** Where to read on for a film that stands at an offset; null while what was read is enough. */
export function nextReplayOffset(loaded: LoadedReplay | null, offsetMs: number): number | null {
  if (!loaded || offsetMs < loaded.fromMs || offsetMs > loaded.untilMs) return offsetMs - BEFORE_MS
  return loaded.untilMs - offsetMs < AHEAD_MS ? loaded.untilMs : null
}

/** What was read and one page more; a page that does not join on begins anew. */
export function addReplayPage(
  loaded: LoadedReplay | null,
  page: readonly MessageView[],
  { fromMs, full }: { fromMs: number; full: boolean },
): LoadedReplay {
  // A page that ends where it began would be asked for again and again.
  const untilMs = full ? Math.max(fromMs + 1, page.at(-1)?.offsetMs ?? fromMs) : Number.POSITIVE_INFINITY
  if (!loaded || fromMs !== loaded.untilMs) return { messages: page, fromMs, untilMs }
  const known = new Set(loaded.messages.map(({ messageId }) => messageId))
  return {
    ...loaded,
    messages: [...loaded.messages, ...page.filter(({ messageId }) => !known.has(messageId))],
    untilMs,
  }
}

/** What had been said by then. */
export const messagesUntil = (loaded: LoadedReplay | null, offsetMs: number): readonly MessageView[] =>
  loaded?.messages.filter((message) => message.offsetMs <= offsetMs) ?? []
