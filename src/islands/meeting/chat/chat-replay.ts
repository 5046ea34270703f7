import type { ChatMessageView } from '#lib/meeting/chat/schema.ts'

/** The loaded part of a chat for a replay, without gaps between two offsets in milliseconds. */
export interface LoadedReplay {
  messages: readonly ChatMessageView[]
  fromMs: number
  /** Infinity when the chat is loaded to its end. */
  untilMs: number
}

const BEFORE_MS = 120_000
const AHEAD_MS = 30_000

/** Returns the offset from which to load more messages at a playback position; null while the loaded part is enough. */
export function nextReplayOffset(loaded: LoadedReplay | null, offsetMs: number): number | null {
  if (!loaded || offsetMs < loaded.fromMs || offsetMs > loaded.untilMs) return offsetMs - BEFORE_MS
  return loaded.untilMs - offsetMs < AHEAD_MS ? loaded.untilMs : null
}

/** Adds a page to the loaded part; a page that is not adjacent replaces it. */
export function addReplayPage(
  loaded: LoadedReplay | null,
  page: readonly ChatMessageView[],
  { fromMs, full }: { fromMs: number; full: boolean },
): LoadedReplay {
  // A full page of messages with the same offset would be requested forever.
  const untilMs = full ? Math.max(fromMs + 1, page.at(-1)?.offsetMs ?? fromMs) : Number.POSITIVE_INFINITY
  if (!loaded || fromMs !== loaded.untilMs) return { messages: page, fromMs, untilMs }
  const known = new Set(loaded.messages.map(({ messageId }) => messageId))
  return {
    ...loaded,
    messages: [...loaded.messages, ...page.filter(({ messageId }) => !known.has(messageId))],
    untilMs,
  }
}

/** Returns the messages up to an offset. */
export const messagesUntil = (loaded: LoadedReplay | null, offsetMs: number): readonly ChatMessageView[] =>
  loaded?.messages.filter((message) => message.offsetMs <= offsetMs) ?? []
