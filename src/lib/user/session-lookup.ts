import { query } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

/** The database knows only the hash of a token, so it cannot say the viewer. */
export type SessionActor = Omit<Actor, 'viewer'>

interface Waiting {
  token: Buffer
  host: string
  resolve(actor: SessionActor | null): void
  reject(error: unknown): void
}

const MOST_UNDER_WAY = 2
const MOST_TOGETHER = 50
const LOOKUP = 'select open_session(token, host) as actor from unnest($1::bytea[], $2::text[]) as asked(token, host)'

let waiting: Waiting[] = []
let underWay = 0

/**
 * Asks the database who acts, by the hash of a token and the host's label. While lookups are under way the next ones
 * gather and travel together, so that under load one round trip serves many requests. Nothing is remembered.
 */
export function findSessionActor(token: Buffer, host: string): Promise<SessionActor | null> {
  return new Promise((resolve, reject) => {
    waiting.push({ token, host, resolve, reject })
    if (underWay < MOST_UNDER_WAY) void answerWaiting()
  })
}

async function answerWaiting(): Promise<void> {
  underWay += 1
  while (waiting.length > 0) {
    // In one order everywhere: a lookup notes when a session was seen, and two that lock each other's rows would deadlock.
    const together = waiting.slice(0, MOST_TOGETHER).sort((a, b) => Buffer.compare(a.token, b.token))
    waiting = waiting.slice(MOST_TOGETHER)
    await answer(together)
  }
  underWay -= 1
}

async function answer(together: Waiting[]): Promise<void> {
  try {
    const values = [together.map(({ token }) => token), together.map(({ host }) => host)]
    const { rows } = await query<{ actor: SessionActor | null }>({ name: 'open_session', text: LOOKUP, values })
    for (const [index, one] of together.entries()) one.resolve(rows[index]?.actor ?? null)
  } catch (error) {
    for (const one of together) one.reject(error)
  }
}
