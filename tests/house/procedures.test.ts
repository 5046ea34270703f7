import { isProcedure } from '@orpc/server'
import { expect, test } from 'vitest'
import * as hallway from '#lib/api.ts'
import { misnamed, type ProcedureFacts } from './procedures.ts'
import { report } from './tree.ts'

test.each([
  { room: 'course', action: 'listCourses', method: 'POST', path: '/module/course/listCourses' },
  { room: 'course', action: 'create', method: 'GET', path: '/module/course/create' },
  { room: 'course', action: 'getting', method: 'GET', path: '/module/course/getting' },
  { room: 'course', action: 'Create', method: 'POST', path: '/module/course/Create' },
  { room: 'course', action: 'create', method: 'POST', path: '/course' },
])('refuses $method $path as $room/$action', (facts) => {
  expect(misnamed(facts)).toHaveLength(1)
})

test('every procedure stands where its name says', () => {
  const procedures = Object.values(hallway).flatMap((one) => proceduresOf(one))
  expect(procedures.length).toBeGreaterThan(5)
  expect(report(procedures.flatMap(misnamed))).toEqual([])
})

function proceduresOf(router: unknown): ProcedureFacts[] {
  if (typeof router !== 'object' || router === null) return []
  return Object.entries(router).flatMap(([room, actions]) =>
    Object.entries(actions ?? {}).flatMap(([action, procedure]) => {
      if (!isProcedure(procedure)) return []
      const { method, path } = procedure['~orpc'].route
      return { room, action, method, path }
    }),
  )
}
