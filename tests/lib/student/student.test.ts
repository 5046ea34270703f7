import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { acceptInvitation, findInvitation, openInvitation, resendInvitation } from '#lib/student/acceptance.ts'
import { getStudentRegistration, saveRegistrationForm } from '#lib/student/registration-form/registration-form.ts'
import { invitationState, statusOnInvitation } from '#lib/student/rules.ts'
import { InvitationLink, InviteStudent, RegisterStudent } from '#lib/student/schema.ts'
import { inviteStudent, resendStudentInvitation, revokeInvitation } from '#lib/student/student.ts'
import { addMember } from '#lib/user/member.ts'
import { findActor } from '#lib/user/session.ts'
import { signIn } from '#lib/user/sign-in.ts'
import { listAuditEntries } from '../../setup/parsed/audit.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { registerStudent } from '../../setup/parsed/student.ts'
import { listEmailsTo, newestEmailTo } from '../../setup/servers/sent-emails.ts'
import {
  createOtherTenant,
  createTestTenant,
  createTestUser,
  PASSWORD,
  signInTestUser,
  type TestTenant,
} from '../../setup/tenants.ts'

const caller = { address: '10.6.0.1', userAgent: 'tests', locale: 'uk' } as const
let home: TestTenant
let other: TestTenant
let count = 0
let email: string

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  email = `student${++count}@invite.test`
})
afterAll(() => pool.end())

const linkIn = (href: string): { student: string; tenant: string } => {
  const { searchParams } = new URL(href)
  return { student: searchParams.get('student') ?? '', tenant: searchParams.get('tenant') ?? '' }
}
const invite = (change: object = {}) => inviteStudent(home.as.OWNER, { email, name: 'Ірина Бондар', ...change })
async function invited(): Promise<{ student: string; tenant: string }> {
  await invite()
  return linkIn((await newestEmailTo(email, home.tenant.id)).link)
}
const expire = () =>
  inTenant({ tenantId: home.tenant.id }, async (tx) => {
    await tx.execute(`update invitation set expires_at = now() - interval '1 second'`)
  })
async function statusOf(studentId: string): Promise<string> {
  const { rows } = await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.execute<{ status: string }>(`select status from membership where id = '${studentId}'`),
  )
  return rows[0]?.status ?? ''
}
const names = { firstName: 'Ірина', lastName: 'Бондар', password: PASSWORD }

describe('an invitation', () => {
  test('creates a student without an account and emails the link to the student host', async () => {
    const { studentId } = await invite()
    expect(await statusOf(studentId)).toBe('invited')
    const letter = await newestEmailTo(email, home.tenant.id)
    expect(letter.subject).toBe('Школа Мрія запрошує вас на навчання')
    expect(letter.link).toMatch(
      /^http:\/\/go\.kafedra\.localhost:4321\/invite-accept\?student=[\w-]{43}&tenant=school-/,
    )
    const kept = await inTenant({ tenantId: home.tenant.id }, (tx) => tx.execute('select * from invitation'))
    expect(JSON.stringify(kept.rows)).not.toContain(linkIn(letter.link).student)
  })

  test('stores surname, given name and patronymic in their fields, and a name in one field by its words', async () => {
    const nameOf = async (input: object) => {
      const { studentId } = await invite({ name: undefined, ...input })
      const { rows } = await inTenant({ tenantId: home.tenant.id }, (tx) =>
        tx.execute<Record<string, unknown>>(
          `select u.last_name, u.first_name, u.patronymic from "user" u join membership m on m.user_id = u.id where m.id = '${studentId}'`,
        ),
      )
      return Object.values(rows[0] ?? {})
    }
    const names = { lastName: 'Шевченко', firstName: 'Анна Марія', patronymic: 'Григорівна' }
    expect(await nameOf({ email: 'three@names.test', ...names })).toEqual(['Шевченко', 'Анна Марія', 'Григорівна'])
    expect(await nameOf({ email: 'one@names.test', name: 'Ірина Бондар' })).toEqual(['Бондар', 'Ірина', null])
  })

  test('counts towards the daily limit of the school, concurrent ones included, and a refused one leaves nothing', async () => {
    await invite({ email: 'first@day.test' })
    await pool.query(`update throttle set count = 97 where key like 'emails:invitations:%'`)
    const emails = Array.from({ length: 6 }, (_, n) => `day-${n}@day.test`)
    const answers = await Promise.allSettled(emails.map((to) => invite({ email: to })))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const refused = answers.find((answer) => answer.status === 'rejected')
    expect(refused?.reason).toMatchObject({
      code: 'too_many',
      details: {
        fields: { form: ['emails_of_day'] },
        variables: { limit: 100, left: 0, at: expect.stringMatching(/\d/) },
        message: 'too_many_hours',
      },
    })
    const { rows } = await pool.query(`select count(*)::int as people from "user" where email like 'day-%@day.test'`)
    expect(rows).toEqual([{ people: 3 }])
    await expect(inviteStudent(other.as.OWNER, { email: 'theirs@day.test' })).resolves.toBeTruthy()
  })

  test('names the course, and uses the language of a known person', async () => {
    const userId = await createTestUser(email, PASSWORD)
    await pool.query(`update "user" set locale = 'en' where id = $1`, [userId])
    const { studentId } = await invite({ course: { title: 'Перший вебінар' } })
    expect(await statusOf(studentId)).toBe('registered')
    expect(await newestEmailTo(email, home.tenant.id)).toMatchObject({
      locale: 'en',
      subject: 'You’re invited to the course “Перший вебінар”',
    })
  })

  test('sent again keeps the student and replaces the link', async () => {
    const first = await invite()
    const old = linkIn((await newestEmailTo(email, home.tenant.id)).link)
    const second = await invite()
    expect(second.studentId).toBe(first.studentId)
    expect(second.invitationId).not.toBe(first.invitationId)
    await expect(acceptInvitation(old)).rejects.toMatchObject({
      code: 'gone',
      details: { fields: { form: ['invitation_revoked'] } },
    })
    expect(await acceptInvitation(linkIn((await newestEmailTo(email, home.tenant.id)).link))).toMatchObject({
      state: 'accepted',
    })
  })

  test('sent twice concurrently creates one student', async () => {
    const both = await Promise.all([invite(), invite()])
    expect(both[0].studentId).toBe(both[1].studentId)
  })

  test('is emailed at most ten times a day to one person', async () => {
    for (let n = 0; n < 10; n++) await invite()
    await expect(invite()).rejects.toMatchObject({ code: 'too_many' })
    expect(await listEmailsTo(email, home.tenant.id)).toHaveLength(10)
  })

  test.each(['EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const)(
    '%s does not invite to the school',
    async (role) => {
      await expect(inviteStudent(home.as[role], { email })).rejects.toMatchObject({ code: 'forbidden' })
    },
  )

  test('is sent by owner and director only, and only while the plan is active', async () => {
    for (const role of ['EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
      await expect(inviteStudent(home.as[role], { email })).rejects.toMatchObject({ code: 'forbidden' })
    }
    const through = (assigned: boolean) => ({ email, course: { title: 'Курс', assigned } })
    await expect(inviteStudent(home.as.EXPERT, through(true))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(inviteStudent(home.as.CURATOR, through(false))).rejects.toMatchObject({ code: 'forbidden' })
    await inviteStudent(home.as.CURATOR, through(true))
    const lapsed = { ...home.as.OWNER, plans: [] }
    await expect(inviteStudent(lapsed, { email })).rejects.toMatchObject({ code: 'plan_inactive' })
  })

  test("never exceeds the plan's limit", async () => {
    const small = await createTestTenant('Мала')
    await setPlan({ tenantId: small.tenant.id, group: 'lms', plan: 'start', nextPayment: new Date(Date.now() + 1e9) })
    const owner = await findActor(small.token.OWNER, small.tenant.subdomain)
    if (!owner) throw new Error('the owner is signed in')
    await inTenant({ tenantId: small.tenant.id }, (tx) =>
      tx.execute(`with people as (insert into "user" (id, email) select gen_random_uuid(), 'n' || n || '@limit.test' from generate_series(1, 98) n returning id)
        insert into membership (tenant_id, id, user_id, account_type, status)
        select '${small.tenant.id}', gen_random_uuid(), id, 'ACCOUNT_TYPE_STUDENT', 'invited' from people`),
    )
    expect((await inviteStudent(owner, { email })).studentId).toBeTruthy()
    const full = {
      code: 'unprocessable',
      details: { fields: { form: ['limit_student_count'] }, variables: { max: 100 } },
    }
    await expect(inviteStudent(owner, { email: `more${email}` })).rejects.toMatchObject(full)
    expect((await inviteStudent(owner, { email })).studentId).toBeTruthy()
  })
})

describe('acceptance', () => {
  test('by a new student sets name and password and signs in on the student host', async () => {
    const link = await invited()
    expect(await acceptInvitation(link)).toMatchObject({
      hasAccount: false,
      email,
      firstName: 'Ірина',
      lastName: 'Бондар',
    })
    const { token, redirect } = await registerStudent({ ...link, ...names }, caller)
    expect(redirect).toBe('http://go.kafedra.localhost:4321/profile')
    const actor = await findActor(token, 'go')
    expect(actor).toMatchObject({ email, tenantId: home.tenant.id, roles: ['STUDENT'], firstName: 'Ірина' })
    expect(await statusOf(actor?.membershipId ?? '')).toBe('accepted')
    expect(await signIn({ email, password: PASSWORD }, caller)).toMatchObject({ kind: 'signedIn' })
  })

  test('by two people with one link succeeds once, the other is refused', async () => {
    const link = await invited()
    const chosen = [PASSWORD, `${PASSWORD}2`]
    const answers = await Promise.allSettled(
      chosen.map((password) => registerStudent({ ...link, ...names, password }, caller)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find((answer) => answer.status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
    const won = chosen[answers.findIndex((answer) => answer.status === 'fulfilled')] ?? ''
    expect(await signIn({ email, password: won }, caller)).toMatchObject({ kind: 'signedIn' })
  })

  test('twice is a success, also after the account exists', async () => {
    const link = await invited()
    await acceptInvitation(link)
    await registerStudent({ ...link, ...names }, caller)
    expect(await acceptInvitation(link)).toMatchObject({ state: 'accepted', hasAccount: true })
  })

  test('does not set a second password', async () => {
    const link = await invited()
    await registerStudent({ ...link, ...names }, caller)
    await expect(registerStudent({ ...link, ...names, password: 'Insha-2026-x!' }, caller)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await signIn({ email, password: PASSWORD }, caller)).toMatchObject({ kind: 'signedIn' })
  })

  test('by a person of another school keeps the account and opens the new school', async () => {
    const userId = await createTestUser(email, PASSWORD)
    await addMember({ tenantId: other.tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' })
    const { token } = await signInTestUser(userId, 'go')
    const link = await invited()
    expect((await findActor(token, 'go'))?.memberships).toHaveLength(1)
    expect(await acceptInvitation(link)).toMatchObject({ hasAccount: true })
    expect(await findActor(token, 'go')).toMatchObject({ tenantId: home.tenant.id, memberships: [{}, {}] })
    await expect(registerStudent({ ...link, ...names }, caller)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('by staff of another school makes a student here and leaves the other membership', async () => {
    const { EXPERT } = other.as
    email = EXPERT.email
    const link = await invited()
    expect(await acceptInvitation(link, { userId: EXPERT.userId })).toMatchObject({
      hasAccount: true,
      state: 'accepted',
    })
    const student = await signInTestUser(EXPERT.userId, 'go')
    expect(student.actor).toMatchObject({ tenantId: home.tenant.id, roles: ['STUDENT'] })
    expect(await findActor(other.token.EXPERT, other.tenant.subdomain)).toMatchObject({ roles: ['EXPERT'] })
  })

  test('with an account requests the required fields of the school, and stores the consent once', async () => {
    const school = await createTestTenant('Школа з умовами')
    const owner = school.as.OWNER
    const form = { isOpen: true, fields: [], consentText: 'Згода на обробку', consentUrl: null }
    await saveRegistrationForm(owner, { revision: 0, ...form })
    await createTestUser(email, PASSWORD)
    const { studentId } = await inviteStudent(owner, { email })
    const link = linkIn((await newestEmailTo(email, school.tenant.id)).link)
    await expect(acceptInvitation(link)).rejects.toMatchObject({
      code: 'invalid',
      details: { fields: { consentVersion: ['consent_required'] } },
    })
    await expect(acceptInvitation({ ...link, consentVersion: 7 })).rejects.toMatchObject({
      details: { fields: { consentVersion: ['consent_changed'] } },
    })
    expect((await findInvitation(link)).state).toBe('open')
    await expect(acceptInvitation({ ...link, consentVersion: 2 })).resolves.toMatchObject({ state: 'accepted' })
    await expect(acceptInvitation(link)).resolves.toMatchObject({ state: 'accepted' })
    expect(await getStudentRegistration(owner, { studentId })).toMatchObject({
      consents: [{ version: 2, text: 'Згода на обробку' }],
    })
  })

  test('after 14 days requires a new link, which is emailed', async () => {
    const link = await invited()
    await expire()
    await expect(acceptInvitation(link)).rejects.toMatchObject({
      code: 'gone',
      details: { fields: { form: ['invitation_expired'] } },
    })
    await expect(registerStudent({ ...link, ...names }, caller)).rejects.toMatchObject({ code: 'gone' })
    await resendInvitation(link)
    expect(await listEmailsTo(email, home.tenant.id)).toHaveLength(2)
    expect(await acceptInvitation(linkIn((await newestEmailTo(email, home.tenant.id)).link))).toMatchObject({
      state: 'accepted',
    })
    await expect(resendInvitation(link)).rejects.toMatchObject({ code: 'gone' })
  })

  test("with missing or wrong parts is refused with the specification's message", async () => {
    const link = await invited()
    const wrong = [
      {},
      { student: link.student },
      { tenant: link.tenant },
      { ...link, student: 'x' },
      { ...link, tenant: other.tenant.subdomain },
      { ...link, tenant: 'nobody' },
    ]
    for (const input of wrong) {
      await expect(acceptInvitation(input)).rejects.toMatchObject({
        code: 'invalid_invitation',
      })
      await expect(resendInvitation(input)).rejects.toMatchObject({ code: 'invalid_invitation' })
      await expect(findInvitation(input)).rejects.toMatchObject({ code: 'invalid_invitation' })
    }
    expect((await findInvitation(link)).state).toBe('open')
  })

  test('through a forwarded link joins neither the account that is signed in nor the invited one', async () => {
    const stranger = await createTestUser(`stranger-${email}`)
    const link = await invited()
    await expect(acceptInvitation(link, { userId: stranger })).rejects.toMatchObject({
      code: 'forbidden',
      details: { fields: { form: ['invitation_other_account'] } },
    })
    const { state, studentId, userId } = await findInvitation(link)
    expect([state, await statusOf(studentId)]).toEqual(['open', 'invited'])
    expect(await acceptInvitation(link, { userId })).toMatchObject({ state: 'accepted' })
  })

  test('is refused to a blocked student', async () => {
    const link = await invited()
    const { studentId } = await findInvitation(link)
    await inTenant({ tenantId: home.tenant.id }, (tx) =>
      tx.execute(`update membership set blocked_at = now() where id = '${studentId}'`),
    )
    await expect(acceptInvitation(link)).rejects.toMatchObject({ code: 'forbidden' })
    await expire()
    await expect(resendInvitation(link)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('grants nothing to an attacker who signed up with the invited email address', async () => {
    const link = await invited()
    await pool.query(`update "user" set password_hash = 'attacker' where email = $1`, [email])
    expect(await acceptInvitation(link)).toMatchObject({ hasAccount: false })
    await registerStudent({ ...link, ...names }, caller)
    expect(await signIn({ email, password: PASSWORD }, caller)).toMatchObject({ kind: 'signedIn' })
  })
})

describe('the audit log', () => {
  const actionsOf = async (studentId: string) =>
    (await listAuditEntries(home.as.OWNER, { objectId: studentId })).items.map(({ action }) => action).reverse()

  test('has an entry when an invitation is created, sent, opened once, and accepted once', async () => {
    const link = await invited()
    const { studentId } = await openInvitation(link)
    await openInvitation(link)
    await Promise.all([acceptInvitation(link), acceptInvitation(link)])
    expect(await actionsOf(studentId)).toEqual([
      'invitation.created',
      'invitation.sent',
      'invitation.opened',
      'invitation.accepted',
    ])
  })

  test('has the reason of a failure, a few times an hour at most', async () => {
    const link = await invited()
    const { studentId } = await findInvitation(link)
    await expire()
    for (let n = 0; n < 7; n++) await expect(acceptInvitation(link)).rejects.toMatchObject({ code: 'gone' })
    const { items } = await listAuditEntries(home.as.OWNER, { objectId: studentId, action: 'invitation.failed' })
    expect(items).toHaveLength(5)
    expect(items[0]?.after).toMatchObject({ reason: 'invitation_expired' })
  })
})

describe('revocation', () => {
  test('ends the link, and a second call does nothing', async () => {
    const link = await invited()
    const { studentId } = await findInvitation(link)
    await revokeInvitation(home.as.DIRECTOR, { studentId })
    await revokeInvitation(home.as.DIRECTOR, { studentId })
    await expect(acceptInvitation(link)).rejects.toMatchObject({
      code: 'gone',
      details: { fields: { form: ['invitation_revoked'] } },
    })
    const { items } = await listAuditEntries(home.as.OWNER, { objectId: studentId, action: 'invitation.revoked' })
    expect(items).toHaveLength(1)
  })

  test('is followed by a new link when the invitation is sent again, until it is accepted', async () => {
    await invited()
    const { studentId } = await findInvitation(linkIn((await newestEmailTo(email, home.tenant.id)).link))
    await revokeInvitation(home.as.OWNER, { studentId })
    await resendStudentInvitation(home.as.OWNER, { studentId })
    await acceptInvitation(linkIn((await newestEmailTo(email, home.tenant.id)).link))
    await expect(resendStudentInvitation(home.as.OWNER, { studentId })).rejects.toMatchObject({
      code: 'unprocessable',
      details: { fields: { form: ['already_accepted'] } },
    })
  })

  test('is not possible for other roles, nor with the student of another school', async () => {
    const link = await invited()
    const { studentId } = await findInvitation(link)
    for (const role of ['EXPERT', 'CURATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
      await expect(revokeInvitation(home.as[role], { studentId })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(resendStudentInvitation(home.as[role], { studentId })).rejects.toMatchObject({ code: 'forbidden' })
    }
    await expect(revokeInvitation(other.as.OWNER, { studentId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(resendStudentInvitation(other.as.OWNER, { studentId })).rejects.toMatchObject({ code: 'not_found' })
    expect((await findInvitation(link)).state).toBe('open')
  })
})

test('an accepted status never reverts', () => {
  expect(statusOnInvitation('accepted', false)).toBe('accepted')
  expect(statusOnInvitation(null, true)).toBe('registered')
  expect(statusOnInvitation('unknown', false)).toBe('invited')
  const day = (n: number) => new Date(2026, 0, n)
  expect(invitationState({ acceptedAt: day(1), revokedAt: day(2), expiresAt: day(3) }, day(9))).toBe('accepted')
  expect(invitationState({ acceptedAt: null, revokedAt: null, expiresAt: day(3) }, day(3))).toBe('expired')
})

test('every procedure refuses malformed input', () => {
  for (const schema of [InvitationLink, InviteStudent, RegisterStudent]) {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        expect(() => schema.safeParse(value)).not.toThrow()
      }),
    )
  }
})
