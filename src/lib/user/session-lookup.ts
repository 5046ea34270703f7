import { query } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

/**
 * The actor as loaded from the database: without `viewer`, which is computed from the token, and without the request's
 * address.
 */
export type SessionActor = Omit<Actor, 'viewer' | 'address'>

interface PendingLookup {
  token: Buffer
  host: string
  resolve(actor: SessionActor | null): void
  reject(error: unknown): void
}

const MAX_CONCURRENT_QUERIES = 2
const MAX_BATCH_SIZE = 50
const LOOKUP = 'select open_session(token, host) as actor from unnest($1::bytea[], $2::text[]) as request(token, host)'

let pending: PendingLookup[] = []
let runningQueries = 0

/**
 * Finds the actor of a session by the hash of its token and the subdomain of the host. While queries run, further lookups
 * are batched into the next one, so that under load one round trip serves many requests. Nothing is cached.
 */
export function findSessionActor(token: Buffer, host: string): Promise<SessionActor | null> {
  return new Promise((resolve, reject) => {
    pending.push({ token, host, resolve, reject })
    if (runningQueries < MAX_CONCURRENT_QUERIES) void runPending()
  })
}

async function runPending(): Promise<void> {
  runningQueries += 1
  while (pending.length > 0) {
    // Sorted, because a lookup updates when the session was last seen: two queries in different order could deadlock.
    const batch = pending.slice(0, MAX_BATCH_SIZE).sort((a, b) => Buffer.compare(a.token, b.token))
    pending = pending.slice(MAX_BATCH_SIZE)
    await runBatch(batch)
  }
  runningQueries -= 1
}

async function runBatch(batch: PendingLookup[]): Promise<void> {
  try {
    const values = [batch.map(({ token }) => token), batch.map(({ host }) => host)]
    const { rows } = await query<{ actor: SessionActor | null }>({ name: 'open_session', text: LOOKUP, values })
    for (const [index, lookup] of batch.entries()) lookup.resolve(rows[index]?.actor ?? null)
  } catch (error) {
    for (const lookup of batch) lookup.reject(error)
  }
}
