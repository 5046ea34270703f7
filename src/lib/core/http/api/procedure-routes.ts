import type { AnyProcedure, Route } from '@orpc/server'

const GET_ACTION = /^(get|list|count|find)(?=[A-Z]|$)/

/** `inviteAccept` is GET in the specification. */
const ALSO_GET = new Set(['student/inviteAccept'])

type Routable = AnyProcedure & { route(route: Route): AnyProcedure }

/** Sets the routes of a module's procedures: /module/<module>/<action>. Actions that read (get, list, count, find) are GET. */
export function routeProcedures<T extends Record<string, AnyProcedure>>(name: string, procedures: T): T {
  const routed = Object.entries(procedures).map(([action, procedure]) => {
    const method = GET_ACTION.test(action) || ALSO_GET.has(`${name}/${action}`) ? 'GET' : 'POST'
    return [action, (procedure as Routable).route({ method, path: `/module/${name}/${action}`, tags: [name] })]
  })
  return Object.fromEntries(routed)
}
