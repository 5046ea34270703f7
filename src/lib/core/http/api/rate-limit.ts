import { config } from '../../config/config.ts'
import { tooManyRefusal } from '../throttle.ts'

const WINDOW_MS = 60_000
const MAX_CALLERS = 20_000

let windowStart = 0
const calls = new Map<string, number>()

/**
 * Counts an API call of a caller (a session or an address) in this minute and process. Refuses with too_many above
 * API_RATE; actions that need a lower limit are counted in the database (throttle.ts).
 */
export function countCall(caller: string, now = Date.now()): void {
  if (now - windowStart >= WINDOW_MS || calls.size >= MAX_CALLERS) {
    windowStart = now
    calls.clear()
  }
  const count = (calls.get(caller) ?? 0) + 1
  calls.set(caller, count)
  if (count <= config.apiRate) return
  throw tooManyRefusal(Math.ceil((windowStart + WINDOW_MS - now) / 1000))
}
