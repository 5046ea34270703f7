import { isProcedure } from '@orpc/server'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { router } from '#lib/api.ts'
import { inSystem, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addMember } from '#lib/user/member.ts'
import { beginSession, findActor } from '#lib/user/session.ts'
import { sampleOf, shapeOf } from '../architecture/checks/sample-input.ts'
import { createCourse } from '../setup/parsed/course.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

const procedures = Object.entries(router).flatMap(([module, actions]) =>
  Object.entries<unknown>(actions).flatMap(([action, procedure]) => {
    if (!isProcedure(procedure)) return []
    const { inputSchema, route } = procedure['~orpc']
    const shape = inputSchema instanceof z.ZodType ? shapeOf(inputSchema) : {}
    return [{ name: `${module}/${action}`, method: route.method ?? 'POST', shape }]
  }),
)

let other: TestTenant
let token: string
let person: Actor
let student: Actor
let ids: Record<string, string>

/** A session of a login link of `home`, of a person who has become a director of `other` since. */
beforeAll(async () => {
  const home = await createTestTenant()
  other = await createOtherTenant()
  student = home.as.STUDENT
  const { userId } = home.as.STUDENT
  const caller = { address: '192.0.2.8', userAgent: 'tests', locale: 'uk' } as const
  token = await inSystem((tx) => beginSession(tx, userId, caller, home.tenant.id))
  const staff = { accountType: 'ACCOUNT_TYPE_TEAM_MEMBER', roles: ['DIRECTOR'], status: 'active' } as const
  const { membershipId } = await addMember({ ...staff, roles: ['DIRECTOR'], tenantId: other.tenant.id, userId })
  const { courseId } = await createCourse(other.as.OWNER, { title: 'Курс' })
  ids = { courseId, studentId: other.as.STUDENT.membershipId, memberId: other.as.MENTOR.membershipId, membershipId }
})

test('has ended, and without that it would have no rights in the second school', async () => {
  for (const host of ['', 'go', other.tenant.subdomain]) expect(await findActor(token, host)).toBeNull()
  await pool.query('update session set revoked_at = null where bound_tenant_id is not null')
  expect(await findActor(token, other.tenant.subdomain)).toBeNull()
  const actor = await findActor(token, 'go')
  expect(actor).toMatchObject({ tenantId: student.tenantId, membershipId: student.membershipId, roles: ['STUDENT'] })
  expect(actor?.memberships).toEqual([expect.objectContaining({ tenantId: student.tenantId })])
  if (actor) person = actor
})

test('no procedure admits it with ids of the second school where it does not admit every student', async () => {
  const admitted: string[] = []
  for (const { name, method, shape } of procedures) {
    if (name === 'user/logout') continue
    const input = Object(sampleOf(shape, (field) => ids[field] ?? newId()))
    const call = (actor: Actor) =>
      method === 'GET'
        ? requestApi(method, `${name}?${new URLSearchParams(input)}`, { actor })
        : requestApi(method, name, { body: input, actor })
    const [ordinary, bound] = [await call(student), await call(person)]
    if (bound.status < 400 && ordinary.status >= 400) admitted.push(`${name}: ${bound.status}`)
    expect(bound.status, name).toBeLessThan(500)
  }
  expect(admitted).toEqual([])
})
