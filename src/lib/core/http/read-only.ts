import { withoutWrites } from '../db/db.ts'
import type { Actor } from '../shared/actor.ts'
import { Refusal } from './refusal.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

interface GuardedRequest {
  request: Request
  url: URL
  locals: { actor: Actor | null }
}

/**
 * Runs the renderer or an endpoint for a request. While a team member views the school as a student no data is changed:
 * procedures, forms and uploads (every method but GET) are refused with read_only before they run, and everything else
 * runs in transactions in which PostgreSQL rejects writes.
 */
export async function runGuarded<T>({ request, url, locals }: GuardedRequest, run: () => Promise<T>): Promise<T> {
  const view = locals.actor?.impersonation
  if (!view || url.pathname === view.endPath) return run()
  if (!SAFE_METHODS.has(request.method)) throw new Refusal('read_only')
  return withoutWrites(run)
}
