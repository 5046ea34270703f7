import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { requestDeletion } from '#lib/student/personal-data/deletion.ts'
import { requestDataExport } from '#lib/student/personal-data/export.ts'
import { createLoginLink, findLoginLink, signInByLink } from '#lib/student/sign-in/login-link.ts'
import type { StudentLink } from '#lib/student/sign-in/schema.ts'
import { acceptTeamInvitation } from '#lib/team/acceptance.ts'
import { addMember, findOrCreateUser, setMembersBlocked } from '#lib/user/member.ts'
import { changePassword } from '#lib/user/password-reset.ts'
import {
  beginSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
} from '#lib/user/second-factor.ts'
import { findActor } from '#lib/user/session.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import {
  createOtherTenant,
  createTestTenant,
  PASSWORD,
  signInTestUser,
  type TestTenant,
} from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let studentId: string
let userId: string
let email: string
let count = 0
const caller = { address: '192.0.2.8', userAgent: 'Firefox', locale: 'uk' as const }

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  email = `person${++count}@link.test`
  ;({ userId, studentId } = await addStudent(home))
})
afterAll(() => pool.end())

async function addStudent({ tenant }: TestTenant, address = email) {
  const person = await findOrCreateUser({ email: address, firstName: 'Олена', lastName: 'Коваль', isVerified: true })
  const student = { tenantId: tenant.id, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' } as const
  const { membershipId } = await addMember({ ...student, userId: person.userId })
  return { userId: person.userId, studentId: membershipId }
}

async function create(): Promise<StudentLink> {
  const { url } = await createLoginLink(home.as.OWNER, { studentId })
  const params = new URL(url).searchParams
  return { token: params.get('link') ?? '', tenant: params.get('tenant') ?? '' }
}

const gone = (reason: string) => ({ code: 'gone', details: { fields: { form: [reason] } } })
const write = (statement: string) => inTenant({ tenantId: home.tenant.id }, (tx) => tx.execute(statement))

test('signs the student in once and leaves other login sessions', async () => {
  const before = await signInTestUser(userId, 'go')
  const link = await create()
  expect(await findLoginLink(link)).toMatchObject({ state: 'open', school: { name: 'Школа Мрія' } })
  // Opening the page, e.g. by a preview, does not use the link.
  await findLoginLink(link)
  const { token, redirect } = await signInByLink(link, caller)
  expect(redirect).toContain('/profile')
  expect(await findActor(token, 'go')).toMatchObject({ userId, membershipId: studentId })
  expect(await findActor(before.token, 'go')).not.toBeNull()
  await expect(signInByLink(link, caller)).rejects.toMatchObject(gone('link_used'))
  const { items } = await listAuditEntries(home.as.OWNER, { objectId: studentId })
  expect(items).toMatchObject([
    { action: 'student.login_link_used', address: caller.address, actor: { id: studentId } },
    { action: 'student.login_link_created', actor: { id: home.as.OWNER.membershipId } },
  ])
  const [notice] = await listEmailsTo(email, home.tenant.id)
  expect(notice?.text).toContain('Школа Мрія')
  expect(notice?.text).not.toContain(link.token)
})

test('twenty requests at once sign in exactly once', async () => {
  const link = await create()
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => signInByLink(link, caller)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('only the digest is stored', async () => {
  const { token } = await create()
  const { rows } = await write(`select to_jsonb(l)::text as stored from login_link l where student_id = '${studentId}'`)
  expect(String(rows[0]?.stored)).not.toContain(token)
})

test('does not work after its time or after the address was corrected', async () => {
  const link = await create()
  await pool.query('update "user" set email = $1 where id = $2', [`new${count}@link.test`, userId])
  await expect(signInByLink(link, caller)).rejects.toMatchObject(gone('link_canceled'))
  await write('update login_link set expires_at = now()')
  await expect(signInByLink(link, caller)).rejects.toMatchObject(gone('link_expired'))
})

test('is not for team members, members of other schools and a second factor, also when they became so since', async () => {
  const link = await create()
  const refused = (reason: string) => ({ code: 'unprocessable', details: { data: { reason } } })
  await pool.query('update "user" set totp_enabled_at = now() where id = $1', [userId])
  await expect(signInByLink(link, caller)).rejects.toMatchObject(refused('second_factor'))
  await pool.query('update "user" set totp_enabled_at = null where id = $1', [userId])
  await inTenant({ tenantId: home.tenant.id }, (tx) => setMembersBlocked(tx, [studentId], new Date()))
  await expect(signInByLink(link, caller)).rejects.toMatchObject(refused('blocked'))
  await inTenant({ tenantId: home.tenant.id }, (tx) => setMembersBlocked(tx, [studentId], null))
  await addStudent(other)
  await expect(signInByLink(link, caller)).rejects.toMatchObject(refused('shared_account'))
  const staff = { accountType: 'ACCOUNT_TYPE_TEAM_MEMBER', roles: ['CURATOR'], status: 'active' } as const
  await addMember({ ...staff, tenantId: other.tenant.id, userId, roles: ['CURATOR'] })
  await expect(signInByLink(link, caller)).rejects.toMatchObject(refused('staff_account'))
  await expect(createLoginLink(home.as.OWNER, { studentId })).rejects.toMatchObject(refused('staff_account'))
})

test('is bounded to ten an hour', async () => {
  for (let links = 0; links < 10; links += 1) await create()
  await expect(create()).rejects.toMatchObject({ code: 'too_many' })
})

test('another school and other roles find no student and no link', async () => {
  const stranger = await addStudent(other, `stranger${count}@link.test`)
  await expect(createLoginLink(home.as.OWNER, { studentId: stranger.studentId })).rejects.toMatchObject({
    code: 'not_found',
  })
  const link = await create()
  const isWrong = { details: { fields: { form: ['link_wrong'] } } }
  await expect(signInByLink({ ...link, tenant: other.tenant.subdomain }, caller)).rejects.toMatchObject(isWrong)
  await expect(signInByLink({ ...link, token: `${link.token}x` }, caller)).rejects.toMatchObject(isWrong)
  for (const role of ROLES) {
    if (role === 'OWNER' || role === 'DIRECTOR') continue
    await expect(async () => createLoginLink(home.as[role], { studentId })).rejects.toMatchObject({ code: 'forbidden' })
  }
})

describe('the session of a link', () => {
  const signIn = async () => (await signInByLink(await create(), { ...caller, host: 'go' })).token
  const boundSession = { code: 'forbidden', details: { fields: { form: ['bound_session'] } } }
  const join = () =>
    addMember({ tenantId: other.tenant.id, userId, accountType: 'ACCOUNT_TYPE_TEAM_MEMBER', status: 'invited' })

  test('is bound to the school and is no known device', async () => {
    const signedIn = await signInByLink(await create(), { ...caller, host: 'go' })
    expect(signedIn.device).toBeNull()
    expect(await findActor(signedIn.token, 'go')).toMatchObject({ membershipId: studentId, isBoundToSchool: true })
    expect(await findActor(signedIn.token, other.tenant.subdomain)).toBeNull()
  })

  test.each([
    ['another membership', join],
    ['a new password', () => pool.query('update "user" set password_hash = \'x\' where id = $1', [userId])],
    ['another address', () => pool.query('update "user" set email = \'b\' || email where id = $1', [userId])],
    ['a second factor', () => pool.query('update "user" set totp_enabled_at = now() where id = $1', [userId])],
  ])('ends by %s; others do not', async (_cause, change) => {
    const own = await signInTestUser(userId, 'go')
    const token = await signIn()
    await change()
    expect(await findActor(token, 'go')).toBeNull()
    expect(await findActor(own.token, 'go')).toMatchObject({ isBoundToSchool: false })
  })

  test('changes nothing of the account and joins no other school', async () => {
    const actor = await findActor(await signIn(), 'go')
    if (!actor) throw new Error('signed in')
    const passwords = { current: 'x', password: PASSWORD, passwordConfirmation: PASSWORD }
    const attempts = [
      () => beginSecondFactor(actor),
      () => enableSecondFactor(actor, { code: '123456' }),
      () => renewRecoveryCodes(actor, passwords),
      () => disableSecondFactor(actor, passwords),
      () => changePassword(actor, passwords),
      () => requestDataExport(actor),
      () => requestDeletion(actor, {}),
      () => acceptTeamInvitation(actor, { member: 'x', tenant: other.tenant.subdomain }),
    ]
    for (const attempt of attempts) await expect(async () => attempt()).rejects.toMatchObject(boundSession)
  })
})
