import { readJson, tabStorage, writeJson } from '#islands/stores/safe-storage.ts'
import type { MessageKind } from '#lib/meeting/chat/schema.ts'
import type { Letter } from './chat-outbox.ts'

/* What is half written, and what is on its way, stays in this tab: over a reload, the end of the event and a lost network. */

export function keptWords(sessionId: string, kind: MessageKind): string {
  return tabStorage.getItem(keyOf(`${sessionId} ${kind}`)) ?? ''
}

export function keepWords(sessionId: string, kind: MessageKind, words: string): void {
  const key = keyOf(`${sessionId} ${kind}`)
  if (words === '') tabStorage.removeItem(key)
  else tabStorage.setItem(key, words)
}

export function letterShelf(sessionId: string) {
  const key = keyOf(`${sessionId} letters`)
  return {
    read: (): Letter[] => {
      const kept = readJson(tabStorage, key)
      return Array.isArray(kept) ? kept : []
    },
    write: (letters: readonly Letter[]) =>
      letters.length === 0 ? tabStorage.removeItem(key) : writeJson(tabStorage, key, letters),
  }
}

const keyOf = (name: string): string => `meeting/chat ${name}`
