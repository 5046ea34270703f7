import type { Client } from '@orpc/client'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { readJson, tabStorage, writeJson } from '#islands/stores/safe-storage.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'

type Procedures = typeof api.meeting
type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never

/** The room's procedures with the seat token and, where needed, a `clientId` added. Calls show no spinner and no toast. */
export type RoomApi = {
  [Name in keyof Procedures]: Procedures[Name] extends Client<infer _Context, infer Input, infer Output, infer _Failure>
    ? (...input: ArgumentsOf<Without<Input, 'ticket' | 'clientId'>>) => Promise<Output>
    : never
}
type ArgumentsOf<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input]

/**
 * Calls that are kept in the tab's storage and repeated, also after a reload, until the server has answered. The server
 * ignores repetitions by `clientId`.
 */
const RESENT: ReadonlySet<string> = new Set(['vote', 'clickButton', 'sawButton', 'noteWindow'])
const IDENTIFIED: ReadonlySet<string> = new Set(['vote', 'clickButton', 'sawButton', 'noteWindow'])
const RETRY = { firstMs: 400, maxMs: 8000 }

/**
 * Creates the procedures of a room.
 * @param getTicket returns the seat token to send, read at each call
 * @param roomKey distinguishes the stored calls of different rooms
 */
export function createRoomApi(getTicket: () => string, roomKey: string): RoomApi {
  const outbox = openOutbox(`meeting:${roomKey}`, (name, input) =>
    callProcedure(name, { ...input, ticket: getTicket() }),
  )
  return new Proxy({} as RoomApi, {
    get:
      (_, name: string) =>
      (input: object = {}) => {
        const completeInput = IDENTIFIED.has(name) ? { clientId: crypto.randomUUID(), ...input } : input
        return RESENT.has(name)
          ? outbox(name, completeInput)
          : callProcedure(name, { ...completeInput, ticket: getTicket() })
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

// Resolves after a random share of the delay, or at once when the network is back.
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
