import { config } from '../../config/config.ts'
import { tooMany } from '../throttle.ts'

const WINDOW = 60_000
const MOST_CALLERS = 20_000

let windowStart = 0
const calls = new Map<string, number>()

/**
 * Counts a call of the API against its caller (a session or an address) in this minute and process. Refuses with
 * too_many above API_RATE; acts that must be rarer have limits of their own, kept in the database (throttle.ts).
 */
export function countCall(caller: string, now = Date.now()): void {
  if (now - windowStart >= WINDOW || calls.size >= MOST_CALLERS) {
    windowStart = now
    calls.clear()
  }
  const count = (calls.get(caller) ?? 0) + 1
  calls.set(caller, count)
  if (count <= config.apiRate) return
  throw tooMany(Math.ceil((windowStart + WINDOW - now) / 1000))
}
