import type { AnyProcedure, Route } from '@orpc/server'

const READS = /^(get|list|count|find)(?=[A-Z]|$)/

/** `inviteAccept` stays GET as the specification has it. */
const READS_TOO = new Set(['student/inviteAccept'])

type Routable = AnyProcedure & { route(route: Route): AnyProcedure }

/** Gives a room's procedures their addresses: /module/<room>/<action>; reading (get, list, count, find) is GET. */
export function room<T extends Record<string, AnyProcedure>>(name: string, procedures: T): T {
  const routed = Object.entries(procedures).map(([action, procedure]) => {
    const method = READS.test(action) || READS_TOO.has(`${name}/${action}`) ? 'GET' : 'POST'
    return [action, (procedure as Routable).route({ method, path: `/module/${name}/${action}`, tags: [name] })]
  })
  return Object.fromEntries(routed)
}
