import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { createCourse } from '../setup/parsed/course.ts'

import { newestEmailTo } from '../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, PASSWORD, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

let home: TestTenant
let other: TestTenant

beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
})
afterAll(() => pool.end())

const accept = (query: Record<string, string>) =>
  requestApi('GET', `student/inviteAccept?${new URLSearchParams(query)}`)

test('an invitation is accepted by its link: 200, and 200 again', async () => {
  const invited = await requestApi('POST', 'student/invite', {
    actor: home.as.DIRECTOR,
    body: { email: 'iryna@api.test', name: 'Ірина' },
  })
  expect(invited).toMatchObject({
    status: 200,
    body: { studentId: expect.any(String), invitationId: expect.any(String) },
  })
  const link = Object.fromEntries(new URL((await newestEmailTo('iryna@api.test', home.tenant.id)).link).searchParams)
  expect(await accept(link)).toMatchObject({ status: 200, body: { status: 'accepted' } })
  expect(await accept(link)).toMatchObject({ status: 200 })
  expect((await accept({ ...link, tenant: other.tenant.subdomain })).status).toBe(400)

  const registered = await requestApi('POST', 'student/register', {
    body: { ...link, firstName: 'Ірина', password: PASSWORD },
  })
  expect(registered).toMatchObject({ status: 200, body: { redirect: 'http://go.kafedra.localhost:4321/profile' } })
  expect(registered.cookies[0]).toContain(`token=${registered.body.token};`)
  const again = await requestApi('POST', 'student/register', {
    body: { ...link, firstName: 'Ірина', password: PASSWORD },
  })
  expect(again).toMatchObject({ status: 409, cookies: [] })
})

test('people join a course by an invitation link: with an email and a password, or signed in', async () => {
  const { courseId } = await createCourse(home.as.OWNER, { title: 'Ораторство' })
  const linkId = newId()
  const created = await requestApi('POST', 'course/createInvitationLink', {
    actor: home.as.DIRECTOR,
    body: { linkId, courseId },
  })
  expect(created).toMatchObject({ status: 200, body: { linkId } })
  const open = Object.fromEntries(new URL(String(created.body.url)).searchParams)
  const email = 'joins@api.test'
  expect((await requestApi('POST', 'course/requestJoin', { body: { ...open, email: 'nobody' } })).status).toBe(400)
  expect(await requestApi('POST', 'course/requestJoin', { body: { ...open, email } })).toMatchObject({
    status: 200,
    body: { sent: true },
  })
  const token = Object.fromEntries(new URL((await newestEmailTo(email, home.tenant.id)).link).searchParams)
  const body = { ...token, firstName: 'Ірина', password: PASSWORD }
  expect((await requestApi('POST', 'course/registerByLink', { body: { ...body, password: 'short' } })).status).toBe(400)
  const registered = await requestApi('POST', 'course/registerByLink', { body })
  expect(registered.status).toBe(200)
  expect(registered.cookies[0]).toContain(`token=${registered.body.token};`)
  expect((await requestApi('POST', 'course/registerByLink', { body })).status).toBe(409)

  expect((await requestApi('POST', 'course/joinByLink', { body: open })).status).toBe(401)
  expect((await requestApi('POST', 'course/joinByLink', { actor: other.as.STUDENT, body: open })).status).toBe(200)
  const list = await requestApi('GET', `course/listInvitationLinks?courseId=${courseId}`, { actor: home.as.OWNER })
  expect(list.body).toMatchObject([{ id: linkId, useCount: 2 }])
  const revoke = (actor: TestTenant['as']['OWNER']) =>
    requestApi('POST', 'course/revokeInvitationLink', { actor, body: { linkId } })
  expect((await revoke(other.as.OWNER)).status).toBe(404)
  expect((await revoke(home.as.OWNER)).status).toBe(200)
  expect((await requestApi('POST', 'course/joinByLink', { actor: home.as.STUDENT, body: open })).status).toBe(410)
})

test('missing or wrong parameters are refused with the specification’s message', async () => {
  const wrong: Record<string, string>[] = [
    {},
    { student: 'x' },
    { tenant: home.tenant.subdomain },
    { student: 'x', tenant: home.tenant.subdomain },
    { student: "' or 1=1 --", tenant: '../../etc' },
  ]
  for (const query of wrong) {
    const { status, body } = await accept(query)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_invitation', message: 'Invalid invitation parameters' })
  }
})

test('only owner and director invite to the school', async () => {
  const invite = (actor: TestTenant['as']['OWNER'] | null) =>
    requestApi('POST', 'student/invite', { actor, body: { email: 'p@api.test' } })
  expect((await invite(null)).status).toBe(401)
  for (const role of ['EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
    expect((await invite(home.as[role])).status).toBe(403)
  }
  const asOwner = async (email: string) =>
    (await requestApi('POST', 'student/invite', { actor: home.as.OWNER, body: { email } })).status
  expect(await asOwner('олена пошта.укр')).toBe(400)
  expect(await asOwner('олена@пошта.укр')).toBe(200)
})
