import type { MessageKind } from '#lib/meeting/chat-schema.ts'
import type { Letter } from './chat-outbox.ts'

/* What is half written, and what is on its way, stays in this tab: over a reload, the end of the event and a lost network. */

export function keptWords(sessionId: string, kind: MessageKind): string {
  return read(`${sessionId} ${kind}`) ?? ''
}

export function keepWords(sessionId: string, kind: MessageKind, words: string): void {
  write(`${sessionId} ${kind}`, words === '' ? null : words)
}

export function letterShelf(sessionId: string) {
  const name = `${sessionId} letters`
  return {
    read: (): Letter[] => {
      try {
        const kept: unknown = JSON.parse(read(name) ?? '[]')
        return Array.isArray(kept) ? kept : []
      } catch {
        return []
      }
    },
    write: (letters: readonly Letter[]) => write(name, letters.length === 0 ? null : JSON.stringify(letters)),
  }
}

function read(name: string): string | null {
  try {
    return sessionStorage.getItem(`meeting/chat ${name}`)
  } catch {
    return null
  }
}

function write(name: string, words: string | null): void {
  try {
    if (words === null) sessionStorage.removeItem(`meeting/chat ${name}`)
    else sessionStorage.setItem(`meeting/chat ${name}`, words)
  } catch {
    // It stays in the page as long as the page does.
  }
}
