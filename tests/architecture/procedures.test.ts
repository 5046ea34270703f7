import { isProcedure } from '@orpc/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import * as registry from '#lib/api.ts'
import { misnamed, type ProcedureFacts, unboundedIntegers } from './checks/procedures.ts'
import { report } from './checks/source-tree.ts'

test.each([
  { module: 'course', action: 'listCourses', method: 'POST', path: '/module/course/listCourses' },
  { module: 'course', action: 'create', method: 'GET', path: '/module/course/create' },
  { module: 'course', action: 'getting', method: 'GET', path: '/module/course/getting' },
  { module: 'course', action: 'Create', method: 'POST', path: '/module/course/Create' },
  { module: 'course', action: 'create', method: 'POST', path: '/course' },
])('refuses $method $path as $module/$action', (facts) => {
  expect(misnamed(facts)).toHaveLength(1)
})

test('every procedure is defined where its name says', () => {
  const procedures = Object.values(registry).flatMap((router) => proceduresOf(router))
  expect(procedures.length).toBeGreaterThan(5)
  expect(report(procedures.flatMap(misnamed))).toEqual([])
})

test('every procedure validates its input by a schema', () => {
  const unchecked = Object.entries(registry.router).flatMap(([module, procedures]) =>
    Object.entries(procedures).flatMap(([action, procedure]) => {
      const schema: unknown = isProcedure(procedure) ? procedure['~orpc'].inputSchema : undefined
      return schema instanceof z.ZodType ? [] : [`${module}/${action}`]
    }),
  )
  expect(unchecked).toEqual([])
})

// Sizes of files are stored in `bigint` columns, and zod limits them to integers that a number represents exactly.
const BIGINT = new Set(['size', 'minSize', 'maxBytes'])
// Versions of texts in the storage are hashes, which are compared and never stored.
const HASHES = new Set(['storage: version'])

test.each(Object.keys(registry.router))('takes no whole number in %s that its column could not hold', (module) => {
  const actions: Record<string, unknown> = Object(Reflect.get(registry.router, module))
  const unbounded = Object.entries(actions).flatMap(([action, procedure]) => {
    const schema = isProcedure(procedure) ? procedure['~orpc'].inputSchema : undefined
    if (!(schema instanceof z.ZodType)) return []
    const shape = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
    return unboundedIntegers(shape).flatMap((field) =>
      BIGINT.has(field) || HASHES.has(`${module}: ${field}`) ? [] : [`${action}: ${field}`],
    )
  })
  expect(unbounded).toEqual([])
})

function proceduresOf(router: unknown): ProcedureFacts[] {
  if (typeof router !== 'object' || router === null) return []
  return Object.entries(router).flatMap(([module, actions]) =>
    Object.entries(actions ?? {}).flatMap(([action, procedure]) => {
      if (!isProcedure(procedure)) return []
      const { method, path } = procedure['~orpc'].route
      return { module, action, method, path }
    }),
  )
}
