import { type Client, createORPCClient, ORPCError } from '@orpc/client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import type { RouterClient } from '@orpc/server'
import type { Router } from '#lib/api.ts'
import { trackMutation } from './busy.ts'
import { CallError } from './call-error.ts'
import { showFailure } from './notice.ts'

export interface CallContext {
  /** A background call (autosave, progress, presence): no spinner, no toast. */
  isQuiet?: boolean
  /** Lets the request outlive the page. */
  isLeaving?: boolean
}

/** What a value is after JSON. oRPC's own type gives up on interfaces. */
export type Serialized<T> = T extends Date | bigint
  ? string
  : T extends readonly (infer U)[]
    ? Serialized<U>[]
    : T extends object
      ? { [K in keyof T]: Serialized<T[K]> }
      : T

type WireClient<T> =
  T extends Client<infer Context, infer Input, infer Output, infer Failure>
    ? Client<Context, Input, Serialized<Output>, Failure>
    : { [K in keyof T]: WireClient<T[K]> }

const READS = /^(get|list|count|find)(?=[A-Z]|$)/
const READS_TOO = new Set(['student/inviteAccept'])

/** Method and path follow from the names, as in core/http/room.ts, so the browser needs no contract. */
export function routeOf(room: string, action: string): { method: 'GET' | 'POST'; path: `/${string}` } {
  const reads = READS.test(action) || READS_TOO.has(`${room}/${action}`)
  return { method: reads ? 'GET' : 'POST', path: `/module/${room}/${action}` }
}

/** An error answer `{ code, message, fields, ... }` to what `catch` gets. */
export function decodeError(body: unknown, status: number): ORPCError<string, Record<string, unknown>> {
  const {
    code = 'internal',
    message = '',
    ...data
  } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return new ORPCError(String(code), { status, message: String(message), data })
}

const link = new OpenAPILink<CallContext>(contract(), {
  url: () => `${location.origin}/v1`,
  headers: { accept: 'application/json' },
  fetch: (request, init, { context }) =>
    fetch(request, { ...init, credentials: 'include', keepalive: !!context.isLeaving }),
  customErrorResponseBodyDecoder: (body, response) => decodeError(body, response.status),
  interceptors: [
    async ({ next, path, context }) => {
      const mutates = routeOf(path[0] ?? '', path[1] ?? '').method === 'POST'
      const work = next().catch((error: unknown) => {
        const failure = CallError.from(error)
        if (failure.unexpected && !context.isQuiet) showFailure()
        throw failure
      })
      return mutates && !context.isQuiet ? trackMutation(work) : work
    },
  ],
})

/**
 * The API of this school: `await api.course.create({ title })`. Throws CallError; unexpected failures have already
 * raised the generic toast. `{ context: { isQuiet: true } }` keeps spinner and toast away.
 */
export const api: WireClient<RouterClient<Router, CallContext>> = createORPCClient(link)

function contract(): Router {
  const procedure = (room: string, action: string) => ({
    '~orpc': { errorMap: {}, meta: {}, route: routeOf(room, action) },
  })
  const actions = (room: string) => new Proxy({}, { get: (_, action: string) => procedure(room, action) })
  return new Proxy({}, { get: (_, room: string) => actions(room) }) as Router
}
