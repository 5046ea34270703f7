import { type Client, createORPCClient, ORPCError } from '@orpc/client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import type { RouterClient } from '@orpc/server'
import type { Router } from '#lib/api.ts'
import { trackMutation } from './busy.ts'
import { CallError } from './call-error.ts'
import { showFailure } from './notice.ts'

export interface CallContext {
  /** A background call (autosave, progress, presence): without spinner and toast. */
  isQuiet?: boolean
  /** The request may outlive the page (keepalive). */
  isLeaving?: boolean
}

/** The type of a value after JSON serialization. oRPC's own type does not support interfaces. */
type Serialized<T> = T extends Date | bigint
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

const GET_ACTION = /^(get|list|count|find)(?=[A-Z]|$)/
const ALSO_GET = new Set(['student/inviteAccept'])

/** Method and path follow from the names, as in core/http/api/procedure-routes.ts, so the browser needs no contract. */
export function routeOf(module: string, action: string): { method: 'GET' | 'POST'; path: `/${string}` } {
  const isRead = GET_ACTION.test(action) || ALSO_GET.has(`${module}/${action}`)
  return { method: isRead ? 'GET' : 'POST', path: `/module/${module}/${action}` }
}

/** Decodes the body of an error response `{ code, message, fields, ... }`. */
function decodeError(body: unknown, status: number): ORPCError<string, Record<string, unknown>> {
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
      const isMutation = routeOf(path[0] ?? '', path[1] ?? '').method === 'POST'
      const call = next().catch((error: unknown) => {
        const failure = CallError.from(error)
        if (failure.unexpected && !context.isQuiet) showFailure()
        throw failure
      })
      return isMutation && !context.isQuiet ? trackMutation(call) : call
    },
  ],
})

/**
 * The API of this tenant: `await api.course.create({ title })`. Throws CallError; unexpected failures have already
 * raised the generic toast. `{ context: { isQuiet: true } }` shows neither spinner nor toast.
 */
export const api: WireClient<RouterClient<Router, CallContext>> = createORPCClient(link)

function contract(): Router {
  const procedure = (module: string, action: string) => ({
    '~orpc': { errorMap: {}, meta: {}, route: routeOf(module, action) },
  })
  const actions = (module: string) => new Proxy({}, { get: (_, action: string) => procedure(module, action) })
  return new Proxy({}, { get: (_, module: string) => actions(module) }) as Router
}
