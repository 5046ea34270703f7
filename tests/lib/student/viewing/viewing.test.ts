import { type AnyProcedure, isProcedure } from '@orpc/server'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { router } from '#lib/api.ts'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { handleApiRequest } from '#lib/core/http/api/handler.ts'
import { runGuarded } from '#lib/core/http/read-only.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { getStudentCard } from '#lib/student/card/card.ts'
import { endExpiredViews, endViewing, findViewingActor, startViewing } from '#lib/student/viewing/viewing.ts'
import { addMember } from '#lib/user/member.ts'
import { revokeSession } from '#lib/user/session.ts'
import { idFields, sampleOf, shapeOf } from '../../../architecture/checks/sample-input.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { createOtherTenant, createTestTenant, createTestUser, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let studentId: string
let viewer: Actor

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
  const userId = await createTestUser('olena@view.test')
  studentId = await addStudent(home, userId)
  await addStudent(other, userId)
  const { courseId } = await createCourse(home.as.OWNER, { title: 'Основи' })
  await grantAccess(home.as.OWNER, { courseId, studentId })
  viewer = await view(home.as.OWNER)
})
afterAll(() => pool.end())

async function addStudent({ tenant }: TestTenant, userId: string): Promise<string> {
  const student = { tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' } as const
  return (await addMember(student)).membershipId
}

async function view(actor: Actor): Promise<Actor> {
  const { cookie } = await startViewing(actor, { studentId })
  const found = await findViewingActor(actor, cookie)
  if (!found) throw new Error('the view was started before')
  return found
}

const procedures = Object.entries(router).flatMap(([module, actions]) =>
  Object.entries<unknown>(actions).flatMap(([action, procedure]) =>
    isProcedure(procedure) ? [{ name: `${module}/${action}`, procedure: procedure as AnyProcedure }] : [],
  ),
)

/** Calls a procedure as the middleware does for a team member who views as the student. */
async function callAsViewer(name: string, procedure: AnyProcedure): Promise<{ status: number; code: unknown }> {
  const { method } = procedure['~orpc'].route
  const { inputSchema } = procedure['~orpc']
  const shape = inputSchema instanceof z.ZodType ? shapeOf(inputSchema) : null
  const input: unknown = shape && idFields(shape).length >= 0 ? sampleOf(shape, () => studentId) : {}
  const url = new URL(`http://go.kafedra.localhost:4321/v1/module/${name}`)
  for (const [key, value] of Object.entries(Object(input))) {
    if (method === 'GET' && typeof value !== 'object') url.searchParams.set(key, String(value))
  }
  const body = method === 'GET' ? {} : { body: JSON.stringify(input), headers: { 'content-type': 'application/json' } }
  const request = new Request(url, { method: method ?? 'POST', ...body })
  const t = getTranslator('uk')
  const locals = { actor: viewer, token: null, locale: 'uk' as const, t, requestId: 'test', address: '10.9.0.2' }
  const context = { request, url, locals } as never as Parameters<typeof handleApiRequest>[1]
  try {
    const response = await runGuarded(context, () => handleApiRequest(router, context))
    return { status: response.status, code: (await response.json()).code }
  } catch (error) {
    return { status: Number(Object(error).status), code: Object(error).code }
  }
}

/** Number and checksum of the rows of all tables, of both schools and of no school. */
async function checksum(): Promise<string> {
  const { rows: tables } = await inSystem((tx) =>
    tx.execute<{ name: string }>(sql`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'throttle' order by 1`),
  )
  const sums: string[] = []
  for (const tenantId of [home.tenant.id, other.tenant.id]) {
    for (const { name } of tables) {
      const { rows } = await inTenant({ tenantId }, (tx) =>
        tx.execute(sql`select ${name}::text as name, count(*) as rows, md5(coalesce(string_agg(md5(t::text), '' order by t::text), ''))
          as content from ${sql.identifier(name)} t`),
      )
      sums.push(JSON.stringify(rows))
    }
  }
  return sums.join('\n')
}

describe('nothing is written while viewing', () => {
  test('by any procedure', async () => {
    expect(procedures.length).toBeGreaterThan(150)
    const before = await checksum()
    const outcomes = []
    for (const { name, procedure } of procedures) outcomes.push({ name, ...(await callAsViewer(name, procedure)) })
    const posted = new Set(
      procedures.filter(({ procedure }) => procedure['~orpc'].route.method !== 'GET').map(({ name }) => name),
    )
    const admitted = outcomes.filter(({ name, code }) => posted.has(name) && code !== 'read_only')
    expect(admitted).toEqual([])
    expect(outcomes.filter(({ status }) => status >= 500)).toEqual([])
    expect(await checksum()).toBe(before)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('by a %s to a page, an upload or an endpoint', async (method) => {
    let ran = false
    for (const path of ['/profile', '/course/lesson/x', '/v1/file', '/v1/zip/x/y', '/login']) {
      const url = new URL(path, 'http://go.kafedra.localhost:4321')
      const context = { request: new Request(url, { method }), url, locals: { actor: viewer } }
      const run = runGuarded(context, async () => {
        ran = true
      })
      await expect(run).rejects.toMatchObject({ code: 'read_only', status: 403 })
    }
    expect(ran).toBe(false)
  })

  test('by the database, where code writes during a GET', async () => {
    const url = new URL('http://go.kafedra.localhost:4321/profile')
    const context = { request: new Request(url), url, locals: { actor: viewer } }
    const write = sql`update student set overdue_count = 99`
    const inside = runGuarded(context, () => inTenant({ tenantId: home.tenant.id }, (tx) => tx.execute(write)))
    await expect(inside).rejects.toMatchObject({ code: 'read_only' })
    await expect(inTenant(viewer, (tx) => tx.execute(write))).rejects.toMatchObject({ code: 'read_only' })
    const account = runGuarded(context, () => inSystem((tx) => tx.execute(sql`update "user" set first_name = 'x'`)))
    await expect(account).rejects.toMatchObject({ code: 'read_only' })
  })

  test('except by the end of the view', async () => {
    const url = new URL('/v1/student-view/end', 'http://go.kafedra.localhost:4321')
    const context = { request: new Request(url, { method: 'POST' }), url, locals: { actor: viewer } }
    expect(await runGuarded(context, async () => 'ran')).toBe('ran')
  })
})

describe('a view', () => {
  test('is for owner and director, and for students of the own school', async () => {
    for (const role of ROLES) {
      const code = await startRefusal(home.as[role], studentId)
      expect({ role, code }).toEqual({ role, code: role === 'OWNER' || role === 'DIRECTOR' ? null : 'forbidden' })
    }
    expect(await startRefusal(other.as.OWNER, studentId)).toBe('not_found')
  })

  async function startRefusal(actor: Actor, id: string): Promise<unknown> {
    try {
      await startViewing(actor, { studentId: id })
      return null
    } catch (error) {
      return Object(error).code
    }
  }

  test('shows this school only, and not the account', async () => {
    const actor = await view(home.as.OWNER)
    expect(actor).toMatchObject({ membershipId: studentId, roles: ['STUDENT'], userId: home.as.OWNER.userId })
    expect(actor.memberships).toEqual([expect.objectContaining({ tenantId: home.tenant.id })])
  })

  test('belongs to one login session, and ends with the role of the viewer', async () => {
    const { cookie } = await startViewing(home.as.DIRECTOR, { studentId })
    expect(await findViewingActor(home.as.DIRECTOR, cookie)).not.toBeNull()
    expect(await findViewingActor({ ...home.as.DIRECTOR, sessionId: newId() }, cookie)).toBeNull()
    expect(await findViewingActor(home.as.EXPERT, cookie)).toBeNull()
    expect(await findViewingActor(home.as.DIRECTOR, `${other.tenant.id}.${cookie.split('.')[1]}`)).toBeNull()
    expect(await findViewingActor(home.as.DIRECTOR, 'x')).toBeNull()
    const setRoles = (roles: string) =>
      inTenant(home.as.DIRECTOR, (tx) =>
        tx.execute(`update membership set roles = '${roles}' where id = '${home.as.DIRECTOR.membershipId}'`),
      )
    await setRoles('{EXPERT}')
    expect(await findViewingActor(home.as.DIRECTOR, cookie)).toBeNull()
    await setRoles('{DIRECTOR}')
    expect(await findViewingActor(home.as.DIRECTOR, cookie)).not.toBeNull()
  })

  test('ends when the viewer is blocked or has left', async () => {
    const { cookie } = await startViewing(home.as.DIRECTOR, { studentId })
    const setColumn = (column: string) =>
      inTenant(home.as.DIRECTOR, (tx) =>
        tx.execute(`update membership set ${column} where id = '${home.as.DIRECTOR.membershipId}'`),
      )
    await setColumn('blocked_at = now()')
    expect(await findViewingActor(home.as.DIRECTOR, cookie)).toBeNull()
    await setColumn('blocked_at = null')
    expect(await findViewingActor(home.as.DIRECTOR, cookie)).not.toBeNull()
    await setColumn("status = 'invited'")
    expect(await findViewingActor(home.as.DIRECTOR, cookie)).toBeNull()
    await setColumn("status = 'active'")
  })

  test('is ended once, and a new one ends the previous one; start and end are audited', async () => {
    const actions = async () => {
      const { items } = await listAuditEntries(home.as.OWNER, { objectId: studentId, limit: 100 })
      return items.map(({ action }) => action)
    }
    await endViewing(await view(home.as.OWNER))
    const earlier = await actions()
    const [first, second] = [await startViewing(home.as.OWNER, { studentId }), await view(home.as.OWNER)]
    expect(await findViewingActor(home.as.OWNER, first.cookie)).toBeNull()
    expect(await endViewing(second)).toBe(studentId)
    expect(await endViewing(second)).toBeNull()
    const added = (await actions()).slice(0, -earlier.length)
    expect(added.toSorted()).toEqual([
      'student.view_ended',
      'student.view_ended',
      'student.view_started',
      'student.view_started',
    ])
  })

  test('expires after 30 minutes, and its end is audited', async () => {
    const { cookie, expiresAt } = await startViewing(home.as.OWNER, { studentId })
    expect(Math.round((expiresAt.getTime() - Date.now()) / 60_000)).toBe(30)
    await inTenant(home.as.OWNER, (tx) =>
      tx.execute(sql`update impersonation set expires_at = now() - interval '1 second' where ended_at is null`),
    )
    expect(await findViewingActor(home.as.OWNER, cookie)).toBeNull()
    const endings = async () =>
      (await listAuditEntries(home.as.OWNER, { objectId: studentId, action: 'student.view_ended', limit: 100 })).items
        .length
    const before = await endings()
    const ended = await endExpiredViews()
    expect(ended).toBeGreaterThan(0)
    expect(await endExpiredViews()).toBe(0)
    expect((await endings()) - before).toBe(ended)
  })

  test('does not change the last activity of the student', async () => {
    const before = (await getStudentCard(home.as.OWNER, { studentId })).lastActiveAt
    await view(home.as.OWNER)
    expect((await getStudentCard(home.as.OWNER, { studentId })).lastActiveAt).toEqual(before)
  })
})

test('a session that was signed out views nothing', async () => {
  const { cookie } = await startViewing(home.as.DIRECTOR, { studentId })
  await revokeSession(home.as.DIRECTOR, { sessionId: home.as.DIRECTOR.sessionId })
  // The middleware has no actor then; the cookie alone grants nothing.
  expect(await findViewingActor({ ...home.as.DIRECTOR, sessionId: newId() }, cookie)).toBeNull()
})
