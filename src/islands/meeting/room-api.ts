import type { Client } from '@orpc/client'
import { api } from '#islands/stores/api.ts'
import type { CallError } from '#islands/stores/call-error.ts'
import { createOutbox } from '#islands/stores/outbox/outbox.ts'
import { createTabOutboxStorage } from '#islands/stores/outbox/outbox-storage.ts'

type Procedures = typeof api.meeting
type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never

/** The room's procedures with the seat token and, where needed, a `clientId` added. Calls show no spinner and no toast. */
export type RoomApi = {
  [Name in keyof Procedures]: Procedures[Name] extends Client<infer _Context, infer Input, infer Output, infer _Failure>
    ? (...input: ArgumentsOf<Without<Input, 'seatToken' | 'clientId'>>) => Promise<Output>
    : never
}
type ArgumentsOf<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input]

/**
 * Calls that are kept in the tab's storage and repeated, also after a reload, until the server has answered. The server
 * ignores repetitions by `clientId`.
 */
const RESENT: ReadonlySet<string> = new Set(['vote', 'clickButton', 'sawButton', 'noteWindow'])

/**
 * Creates the procedures of a room.
 * @param getSeatToken returns the seat token to send, read at each call
 * @param roomKey distinguishes the stored calls of different rooms
 */
export function createRoomApi(getSeatToken: () => string, roomKey: string): RoomApi {
  const callUntilAnswered = openOutbox(`meeting/calls ${roomKey}`, ({ name, input }) =>
    callProcedure(name, { ...input, seatToken: getSeatToken() }),
  )
  return new Proxy({} as RoomApi, {
    get:
      (_, name: string) =>
      (input: object = {}) =>
        RESENT.has(name)
          ? callUntilAnswered({ name, input: { clientId: crypto.randomUUID(), ...input } })
          : callProcedure(name, { ...input, seatToken: getSeatToken() }),
  })
}

function callProcedure(name: string, input: object): Promise<unknown> {
  const procedure: unknown = Reflect.get(api.meeting, name)
  if (typeof procedure !== 'function') throw new TypeError(`the room has no ${name}`)
  return procedure(input, { context: { isQuiet: true } })
}

interface PendingCall {
  name: string
  input: object
}

/** Returns a function that queues a call and resolves or rejects with its response. */
function openOutbox(key: string, send: (call: PendingCall) => Promise<unknown>) {
  const callers = new Map<string, { resolve: (response: unknown) => void; reject: (failure: CallError) => void }>()
  const outbox = createOutbox({
    storage: createTabOutboxStorage<PendingCall>(key),
    send,
    onSent: ({ id }, response) => callers.get(id)?.resolve(response),
    onFailed({ id }, failure) {
      callers.get(id)?.reject(failure)
      return 'discard'
    },
    waitsForSignIn: false,
  })
  return (call: PendingCall): Promise<unknown> => {
    const id = crypto.randomUUID()
    const response = new Promise<unknown>((resolve, reject) => callers.set(id, { resolve, reject }))
    outbox.add(call, id)
    return response.finally(() => callers.delete(id))
  }
}
