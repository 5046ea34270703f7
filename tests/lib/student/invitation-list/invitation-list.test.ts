import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { acceptInvitation, openInvitation } from '#lib/student/acceptance.ts'
import { canResendInvitation, canRevokeInvitation, INVITATION_STATES } from '#lib/student/invitation-list/rules.ts'
import { inviteStudent, resendStudentInvitation, revokeInvitation } from '#lib/student/student.ts'
import { listInvitations } from '../../../setup/parsed/student.ts'
import { newestEmailTo } from '../../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let count = 0

beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
})
afterAll(() => pool.end())

const query = (text: string) => inTenant({ tenantId: home.tenant.id }, (tx) => tx.execute(text))
async function invite(name = 'Ірина Бондар') {
  const email = `listed${++count}@invite.test`
  const { studentId, invitationId } = await inviteStudent(home.as.OWNER, { email, name })
  const { searchParams } = new URL((await newestEmailTo(email, home.tenant.id)).link)
  const link = { student: searchParams.get('student') ?? '', tenant: searchParams.get('tenant') ?? '' }
  return { email, studentId, invitationId, link }
}
const rowOf = async (email: string) => (await listInvitations(home.as.DIRECTOR, { q: email })).items
const setMail = (email: string, change: string) => query(`update mail set ${change} where "to" = '${email}'`)

test('shows the state of an invitation, step by step', async () => {
  const { email, link, studentId, invitationId } = await invite()
  expect(await rowOf(email)).toMatchObject([{ id: invitationId, studentId, name: 'Ірина Бондар', state: 'created' }])
  await setMail(email, `status = 'sent'`)
  expect(await rowOf(email)).toMatchObject([{ state: 'sent', openedAt: null, error: null }])
  await openInvitation(link)
  expect(await rowOf(email)).toMatchObject([{ state: 'opened', openedAt: expect.stringMatching(/Z$/) }])
  await acceptInvitation(link)
  expect(await rowOf(email)).toMatchObject([{ state: 'accepted' }])
})

test('distinguishes a failed email with the reply of the server, an expired and a revoked invitation', async () => {
  const failed = await invite()
  await setMail(failed.email, `status = 'bounced', error = '550 5.1.1 unknown'`)
  expect(await rowOf(failed.email)).toMatchObject([{ state: 'failed', error: '550 5.1.1 unknown' }])
  const expired = await invite()
  await query(`update invitation set expires_at = now() - interval '1 second' where id = '${expired.invitationId}'`)
  expect(await rowOf(expired.email)).toMatchObject([{ state: 'expired' }])
  const revoked = await invite()
  await revokeInvitation(home.as.OWNER, revoked)
  expect(await rowOf(revoked.email)).toMatchObject([{ state: 'revoked' }])
  const { items } = await listInvitations(home.as.OWNER, { state: 'failed' })
  expect(items.map(({ email }) => email)).toEqual([failed.email])
})

test('has one row per student: the newest invitation', async () => {
  const { email, studentId, invitationId } = await invite()
  await resendStudentInvitation(home.as.OWNER, { studentId })
  const rows = await rowOf(email)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ studentId, state: 'created' })
  expect(rows[0]?.id).not.toBe(invitationId)
})

test('is read page by page, newest first, each invitation once', async () => {
  const made = []
  for (let index = 0; index < 5; index += 1) made.push(await invite('Сторінка Тест'))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await listInvitations(home.as.OWNER, { q: 'сторінка', limit: 2, cursor })
    seen.push(...page.items.map(({ email }) => email))
    cursor = page.next ?? undefined
  } while (cursor)
  expect(seen).toEqual(made.map(({ email }) => email).reverse())
  await expect(listInvitations(home.as.OWNER, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid' })
})

test('is for owners and directors, and shows another school nothing', async () => {
  const { email } = await invite()
  expect((await listInvitations(other.as.OWNER, { q: email })).items).toEqual([])
  for (const role of ['EXPERT', 'CURATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
    await expect(async () => listInvitations(home.as[role], {}), role).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('offers to send again what was not accepted, and to revoke what can still be used', () => {
  expect(INVITATION_STATES.filter(canResendInvitation)).toEqual([
    'created',
    'sent',
    'opened',
    'failed',
    'expired',
    'revoked',
  ])
  expect(INVITATION_STATES.filter(canRevokeInvitation)).toEqual(['created', 'sent', 'opened', 'failed'])
})
