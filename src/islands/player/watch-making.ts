import { subscribe } from '#islands/stores/live.ts'
import type { Tickets } from './tickets.ts'

const EVERY_MS = 5000

/** Looks whether a recording can be played by now: those who manage files are told, all others ask every 5 s. */
export function watchMaking(tickets: Tickets): () => void {
  const look = () => {
    const { making } = tickets.$view.get()
    if (making?.state !== 'failed') tickets.renew().catch(() => {})
  }
  look()
  const timer = setInterval(look, EVERY_MS)
  const { watches, fileId } = tickets.$view.get()
  const hear = (event: { fileId: string | null }) => event.fileId === fileId && look()
  const unsubscribe = watches ? subscribe('storage', hear, look) : () => {}
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}
