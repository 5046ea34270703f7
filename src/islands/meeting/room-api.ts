import type { Client } from '@orpc/client'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { readJson, tabStorage, writeJson } from '#islands/stores/safe-storage.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'

type Procedures = typeof api.meeting
type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never

/** The room's procedures with the ticket filled in; `clientId` too, where one is wanted. Quiet: no spinner, no toast. */
export type RoomApi = {
  [Name in keyof Procedures]: Procedures[Name] extends Client<infer _Context, infer Input, infer Output, infer _Failure>
    ? (...input: ArgumentsOf<Without<Input, 'ticket' | 'clientId'>>) => Promise<Output>
    : never
}
type ArgumentsOf<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input]

/**
 * What must not be lost with the network: kept in this tab until the server has answered, also over a reload. Saying it
 * twice is once, by clientId or messageId.
 */
const RESENT: ReadonlySet<string> = new Set(['vote', 'clickButton', 'sawButton', 'noteWindow'])
const IDENTIFIED: ReadonlySet<string> = new Set(['vote', 'clickButton', 'sawButton', 'noteWindow'])
const RETRY = { firstMs: 400, maxMs: 8000 }

/** Acts for whoever holds the ticket that `ticket` gives at that moment. `place`: a name for what is kept, one a room. */
export function createRoomApi(getTicket: () => string, roomKey: string): RoomApi {
  const outbox = openOutbox(`meeting:${roomKey}`, (name, input) =>
    callProcedure(name, { ...input, getTicket: getTicket() }),
  )
  return new Proxy({} as RoomApi, {
    get:
      (_, name: string) =>
      (input: object = {}) => {
        const completeInput = IDENTIFIED.has(name) ? { clientId: crypto.randomUUID(), ...input } : input
        return RESENT.has(name)
          ? outbox(name, completeInput)
          : callProcedure(name, { ...completeInput, getTicket: getTicket() })
      },
  })
}

function callProcedure(name: string, input: object): Promise<unknown> {
  const procedure: unknown = Reflect.get(api.meeting, name)
  if (typeof procedure !== 'function') throw new TypeError(`the room has no ${name}`)
  return procedure(input, { context: { isQuiet: true } })
}

interface PendingCall {
  id: string
  name: string
  input: object
}

function openOutbox(key: string, send: (name: string, input: object) => Promise<unknown>) {
  let pendingCalls = readPendingCalls(key)
  const saveCalls = (nextCalls: PendingCall[]) => {
    pendingCalls = nextCalls
    writeJson(tabStorage, key, pendingCalls)
  }
  const deliver = async (pendingCall: PendingCall): Promise<unknown> => {
    for (let tries = 1; ; tries++) {
      try {
        const response = await send(pendingCall.name, pendingCall.input)
        saveCalls(pendingCalls.filter(({ id }) => id !== pendingCall.id))
        return response
      } catch (error) {
        if (error instanceof CallError && error.mayRetry(tries)) {
          await waitForRetry(backoffMs(tries, RETRY))
          continue
        }
        saveCalls(pendingCalls.filter(({ id }) => id !== pendingCall.id))
        throw error
      }
    }
  }
  for (const pendingCall of pendingCalls) deliver(pendingCall).catch(() => {})
  return (name: string, input: object): Promise<unknown> => {
    const pendingCall = { id: crypto.randomUUID(), name, input }
    saveCalls([...pendingCalls, pendingCall])
    return deliver(pendingCall)
  }
}

// The network is back sooner than the pause is over.
function waitForRetry(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms * (0.5 + Math.random()))
    addEventListener('online', finish)
  })
}

function readPendingCalls(key: string): PendingCall[] {
  const stored = readJson(tabStorage, key)
  return Array.isArray(stored) ? stored : []
}
