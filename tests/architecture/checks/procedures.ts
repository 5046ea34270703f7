import type { Violation } from './source.ts'

export interface ProcedureFacts {
  module: string
  action: string
  method: string | undefined
  path: string | undefined
}

const READS = /^(get|list|count|find)(?=[A-Z]|$)/
const ACTION = /^[a-z]+([A-Z][a-z0-9]*)*$/
// GET in the specification, although it writes.
const READS_TOO = new Set(['student/inviteAccept'])

/** The client derives methods from names: get, list, count and find are GET, all others POST. */
export function misnamed({ module, action, method, path }: ProcedureFacts): Violation[] {
  const expectedMethod = READS.test(action) || READS_TOO.has(`${module}/${action}`) ? 'GET' : 'POST'
  const message = [
    ACTION.test(action) ? [] : 'is not written in camelCase',
    method === expectedMethod ? [] : `is ${method} and must be ${expectedMethod}`,
    path === `/module/${module}/${action}` ? [] : `stands at ${path}`,
  ].flat()
  return message.map((text) => ({ path: `${module}/${action}`, message: text }))
}

/** Integer fields of a JSON schema that accept numbers above the range of an `integer` column. */
export function unboundedIntegers(shape: unknown, field = ''): string[] {
  if (typeof shape !== 'object' || shape === null) return []
  const { type, minimum, maximum, properties } = shape as Record<string, unknown>
  const own = type === 'integer' && !(isInt4(minimum) && isInt4(maximum)) ? [field] : []
  const named = Object.entries(Object(properties)).flatMap(([name, inner]) => unboundedIntegers(inner, name))
  const { items, anyOf, oneOf, prefixItems, additionalProperties, $defs } = shape as Record<string, unknown>
  const inner = [items, anyOf, oneOf, prefixItems, additionalProperties, Object.values(Object($defs))].flat()
  return [...own, ...named, ...inner.flatMap((each) => unboundedIntegers(each, field))]
}

const isInt4 = (bound: unknown): boolean => typeof bound === 'number' && Math.abs(bound) <= 2 ** 31
