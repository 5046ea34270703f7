import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { findInvitation } from '#lib/student/acceptance.ts'
import { getStudentCard } from '#lib/student/card/card.ts'
import {
  cancelEmailCorrection,
  confirmEmailCorrection,
  findEmailCorrection,
  requestEmailCorrection,
} from '#lib/student/sign-in/correction.ts'
import type { StudentLink } from '#lib/student/sign-in/schema.ts'
import { inviteStudent } from '#lib/student/student.ts'
import { addMember, findOrCreateUser } from '#lib/user/member.ts'
import { findActor } from '#lib/user/session.ts'
import { requestApi } from '../../../api/api-request.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { listEmailsTo, newestEmailTo } from '../../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, signInTestUser, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let studentId: string
let userId: string
let wrong: string
let right: string
let count = 0
const caller = { address: '192.0.2.7' }

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  wrong = `wrong${++count}@correction.test`
  right = `right${count}@correction.test`
  ;({ userId, studentId } = await addStudent(home, wrong))
})
afterAll(() => pool.end())

async function addStudent({ tenant }: TestTenant, email: string) {
  const person = await findOrCreateUser({ email, firstName: 'Олена', lastName: 'Коваль', isVerified: true })
  const student = { tenantId: tenant.id, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' } as const
  const { membershipId } = await addMember({ ...student, userId: person.userId })
  return { userId: person.userId, studentId: membershipId }
}

async function request(email = right): Promise<StudentLink> {
  await requestEmailCorrection(home.as.OWNER, { studentId, email })
  const { link } = await newestEmailTo(email, home.tenant.id)
  const params = new URL(link).searchParams
  return { token: params.get('correction') ?? '', tenant: params.get('tenant') ?? '' }
}

const card = () => getStudentCard(home.as.OWNER, { studentId })
const actions = async () =>
  (await listAuditEntries(home.as.OWNER, { objectId: studentId })).items.map(({ action }) => action)

test('a mistyped address changes after it was confirmed from the new mailbox, and the previous one is informed', async () => {
  const { token } = await signInTestUser(userId, 'go')
  const link = await request()
  expect(await card()).toMatchObject({ email: wrong, correction: { email: right } })
  expect(await findEmailCorrection(link)).toMatchObject({ state: 'open', email: right, school: { name: 'Школа Мрія' } })
  expect(await findActor(token, 'go')).not.toBeNull()

  expect(await confirmEmailCorrection(link, caller)).toEqual({ email: right, invitation: null })
  expect(await card()).toMatchObject({ email: right, correction: null })
  const notice = await newestEmailTo(wrong, home.tenant.id)
  expect(notice.text).toContain('Школа Мрія')
  expect(notice.text).not.toContain(right)
  expect(await findActor(token, 'go')).toBeNull()
  expect(await actions()).toEqual(['student.email_corrected', 'student.email_correction_requested'])
})

test('a second confirmation, also at the same time, succeeds and changes nothing', async () => {
  const link = await request()
  await Promise.all([confirmEmailCorrection(link, caller), confirmEmailCorrection(link, caller)])
  await confirmEmailCorrection(link, caller)
  expect(await listEmailsTo(wrong, home.tenant.id)).toHaveLength(1)
  expect(await findEmailCorrection(link)).toMatchObject({ state: 'used' })
  expect((await actions()).filter((action) => action === 'student.email_corrected')).toHaveLength(1)
})

test('the links of a canceled, a replaced and an expired correction do not work', async () => {
  const first = await request()
  await cancelEmailCorrection(home.as.DIRECTOR, { studentId })
  await cancelEmailCorrection(home.as.DIRECTOR, { studentId })
  const gone = (reason: string) => ({ code: 'gone', details: { fields: { form: [reason] } } })
  await expect(confirmEmailCorrection(first, caller)).rejects.toMatchObject(gone('link_canceled'))
  const second = await request()
  const third = await request(`third${count}@correction.test`)
  await expect(confirmEmailCorrection(second, caller)).rejects.toMatchObject(gone('link_canceled'))
  await inTenant({ tenantId: home.tenant.id }, (tx) => tx.execute('update email_correction set expires_at = now()'))
  await expect(confirmEmailCorrection(third, caller)).rejects.toMatchObject(gone('link_expired'))
  expect(await card()).toMatchObject({ email: wrong, correction: null })
  expect((await actions()).filter((action) => action === 'student.email_correction_canceled')).toHaveLength(1)
})

test('an address of another account is refused, at the request and when it was registered since', async () => {
  const takenEmail = `taken${count}@correction.test`
  await findOrCreateUser({ email: takenEmail, isVerified: true })
  await expect(requestEmailCorrection(home.as.OWNER, { studentId, email: takenEmail })).rejects.toMatchObject({
    code: 'unprocessable',
    details: { fields: { email: ['email_taken'] } },
  })
  const link = await request()
  await findOrCreateUser({ email: right })
  await expect(confirmEmailCorrection(link, caller)).rejects.toMatchObject({
    details: { fields: { form: ['email_taken'] } },
  })
  expect((await card()).email).toBe(wrong)
})

test('the present address and one that is no address are refused', async () => {
  await expect(requestEmailCorrection(home.as.OWNER, { studentId, email: wrong })).rejects.toMatchObject({
    details: { fields: { email: ['email_same'] } },
  })
  const body = { studentId, email: 'no address' }
  expect(await requestApi('POST', 'student/requestEmailCorrection', { actor: home.as.OWNER, body })).toMatchObject({
    status: 400,
    body: { fields: { email: [expect.any(String)] } },
  })
})

test('an invited student continues with a new invitation; the link in the wrong mailbox ends', async () => {
  const email = `invited${count}@correction.test`
  ;({ studentId } = await inviteStudent(home.as.OWNER, { email }))
  const oldLink = new URL((await newestEmailTo(email, home.tenant.id)).link).searchParams.get('student') ?? ''
  const { invitation } = await confirmEmailCorrection(await request(), caller)
  const tenant = home.tenant.subdomain
  expect(await findInvitation({ student: invitation ?? '', tenant })).toMatchObject({ state: 'open', email: right })
  expect(await findInvitation({ student: oldLink, tenant })).toMatchObject({ state: 'revoked' })
})

test('an account with another membership belongs to the person, also when it became one since', async () => {
  const link = await request()
  await addStudent(other, wrong)
  const shared = { details: { data: { reason: 'shared_account' } } }
  await expect(confirmEmailCorrection(link, caller)).rejects.toMatchObject(shared)
  await expect(requestEmailCorrection(home.as.OWNER, { studentId, email: 'x@correction.test' })).rejects.toMatchObject(
    shared,
  )
})

describe('another school and other roles', () => {
  test('find no student and no link', async () => {
    const stranger = await addStudent(other, `stranger${count}@correction.test`)
    const input = { studentId: stranger.studentId, email: right }
    await expect(requestEmailCorrection(home.as.OWNER, input)).rejects.toMatchObject({ code: 'not_found' })
    await expect(cancelEmailCorrection(home.as.OWNER, input)).rejects.toMatchObject({ code: 'not_found' })
    const link = await request()
    const elsewhere = { ...link, tenant: other.tenant.subdomain }
    const isWrong = { details: { fields: { form: ['link_wrong'] } } }
    await expect(confirmEmailCorrection(elsewhere, caller)).rejects.toMatchObject(isWrong)
    await expect(findEmailCorrection({ ...link, token: `${link.token}x` })).rejects.toMatchObject(isWrong)
    await expect(findEmailCorrection({ ...link, tenant: 'no-such-school' })).rejects.toMatchObject(isWrong)
  })

  test.each(ROLES.filter((role) => role !== 'OWNER' && role !== 'DIRECTOR'))('%s is refused', async (role) => {
    const actor = home.as[role]
    await expect(async () => requestEmailCorrection(actor, { studentId, email: right })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(async () => cancelEmailCorrection(actor, { studentId })).rejects.toMatchObject({ code: 'forbidden' })
  })
})
