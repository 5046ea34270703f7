import type { Client } from '@orpc/client'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { readJson, tabStorage, writeJson } from '#islands/stores/safe-storage.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'

type Calls = typeof api.meeting
type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never

/** The room's procedures with the ticket filled in; `clientId` too, where one is wanted. Quiet: no spinner, no toast. */
export type Acts = {
  [Name in keyof Calls]: Calls[Name] extends Client<infer _Context, infer Input, infer Output, infer _Failure>
    ? (...input: ArgumentsOf<Without<Input, 'ticket' | 'clientId'>>) => Promise<Output>
    : never
}
type ArgumentsOf<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input]

/**
 * What must not be lost with the network: kept in this tab until the server has answered, also over a reload. Saying it
 * twice is once, by clientId or messageId.
 */
const KEPT: ReadonlySet<string> = new Set(['vote', 'clickButton', 'sawButton', 'noteWindow'])
const NUMBERED: ReadonlySet<string> = new Set(['vote', 'clickButton', 'sawButton', 'noteWindow'])
const RETRY = { firstMs: 400, longestMs: 8000 }

/** Acts for whoever holds the ticket that `ticket` gives at that moment. `place`: a name for what is kept, one a room. */
export function actsFor(ticket: () => string, place: string): Acts {
  const outbox = openOutbox(`meeting:${place}`, (name, input) => call(name, { ...input, ticket: ticket() }))
  return new Proxy({} as Acts, {
    get:
      (_, name: string) =>
      (input: object = {}) => {
        const full = NUMBERED.has(name) ? { clientId: crypto.randomUUID(), ...input } : input
        return KEPT.has(name) ? outbox(name, full) : call(name, { ...full, ticket: ticket() })
      },
  })
}

function call(name: string, input: object): Promise<unknown> {
  const procedure: unknown = Reflect.get(api.meeting, name)
  if (typeof procedure !== 'function') throw new TypeError(`the room has no ${name}`)
  return procedure(input, { context: { quiet: true } })
}

interface Letter {
  id: string
  name: string
  input: object
}

function openOutbox(key: string, send: (name: string, input: object) => Promise<unknown>) {
  let letters = read(key)
  const keep = (next: Letter[]) => {
    letters = next
    writeJson(tabStorage, key, letters)
  }
  const deliver = async (letter: Letter): Promise<unknown> => {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await send(letter.name, letter.input)
        keep(letters.filter(({ id }) => id !== letter.id))
        return answer
      } catch (error) {
        if (error instanceof CallError && error.mayRetry(tries)) {
          await pause(backoffMs(tries, RETRY))
          continue
        }
        keep(letters.filter(({ id }) => id !== letter.id))
        throw error
      }
    }
  }
  for (const letter of letters) deliver(letter).catch(() => {})
  return (name: string, input: object): Promise<unknown> => {
    const letter = { id: crypto.randomUUID(), name, input }
    keep([...letters, letter])
    return deliver(letter)
  }
}

// The network is back sooner than the pause is over.
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      removeEventListener('online', over)
      resolve()
    }
    const timer = setTimeout(over, ms * (0.5 + Math.random()))
    addEventListener('online', over)
  })
}

function read(key: string): Letter[] {
  const kept = readJson(tabStorage, key)
  return Array.isArray(kept) ? kept : []
}
