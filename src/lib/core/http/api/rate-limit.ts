import { config } from '../../config/config.ts'
import { hasPeers, onPeerMessage, sendToPeers } from '../../processes/peers.ts'
import { MINUTE_MS } from '../../shared/time.ts'
import { tooManyRefusal } from '../throttle.ts'

const WINDOW_MS = MINUTE_MS
const MAX_CALLERS = 20_000
/** Interval at which the number of calls in this process is sent to the other processes. */
const REPORT_MS = 100

let windowStart = 0
const calls = new Map<string, number>()
/** Calls that were not yet reported to the other processes. */
const unreported = new Map<string, number>()

onPeerMessage('api.calls', (counts) => {
  for (const [caller, count] of counts) addCalls(calls, caller, count)
})

/**
 * Counts an API call of a caller (a session or an address) in this minute, in all web processes. Refuses with too_many above
 * API_RATE; actions that need a lower limit are counted in the database (throttle.ts).
 */
export function countCall(caller: string, now = Date.now()): void {
  if (now - windowStart >= WINDOW_MS || calls.size >= MAX_CALLERS) {
    windowStart = now
    calls.clear()
  }
  const count = addCalls(calls, caller, 1)
  if (hasPeers()) report(caller)
  if (count <= config.apiRate) return
  throw tooManyRefusal(Math.ceil((windowStart + WINDOW_MS - now) / 1000))
}

function addCalls(counts: Map<string, number>, caller: string, added: number): number {
  const count = (counts.get(caller) ?? 0) + added
  counts.set(caller, count)
  return count
}

function report(caller: string): void {
  addCalls(unreported, caller, 1)
  if (unreported.size > 1 || unreported.get(caller) !== 1) return
  setTimeout(() => {
    sendToPeers('api.calls', [...unreported])
    unreported.clear()
  }, REPORT_MS).unref()
}
