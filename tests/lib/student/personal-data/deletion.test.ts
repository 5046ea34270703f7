import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { inSystem, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { AccountType } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { getStudentCard } from '#lib/student/card/card.ts'
import { addTag } from '#lib/student/card/profile.ts'
import {
  cancelDeletion,
  DELETION_GRACE_DAYS,
  deleteDueAccounts,
  requestDeletion,
  sendDeletionCode,
} from '#lib/student/personal-data/deletion.ts'
import { createDeletionCode } from '#lib/student/personal-data/deletion-code.ts'
import { getMyData } from '#lib/student/personal-data/export.ts'
import { canRequestDeletion } from '#lib/student/personal-data/rules.ts'
import { cardSections } from '#lib/student-card.ts'
import { addMember } from '#lib/user/member.ts'
import { findActor } from '#lib/user/session.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { listEmailsTo, newestEmailTo } from '../../../setup/servers/sent-emails.ts'
import {
  createOtherTenant,
  createTestTenant,
  createTestUser,
  PASSWORD,
  signInTestUser,
  type TestTenant,
} from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let actor: Actor
let token: string
let email: string
let count = 0
const password = PASSWORD

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  email = `person${++count}@deletion.test`
  const userId = await createTestUser(email, PASSWORD)
  for (const { tenant } of [home, other]) {
    await addMember({ tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' })
  }
  ;({ actor, token } = await signInTestUser(userId, 'go'))
})
afterAll(() => pool.end())

const idIn = ({ tenant }: TestTenant) =>
  actor.memberships.find(({ tenantId }) => tenantId === tenant.id)?.membershipId ?? ''
const cardIn = (school: TestTenant) => getStudentCard(school.as.OWNER, { studentId: idIn(school) })
const actionsIn = async (school: TestTenant) =>
  (await listAuditEntries(school.as.OWNER, { objectId: idIn(school) })).items.map(({ action }) => action)
const after = (days: number) => new Date(Date.now() + days * DAY_MS)

test.each<[AccountType[], string]>([
  [[], 'own_account'],
  [['ACCOUNT_TYPE_STUDENT', 'ACCOUNT_TYPE_STUDENT'], 'own_account'],
  [['ACCOUNT_TYPE_STUDENT', 'ACCOUNT_TYPE_TEAM_MEMBER'], 'deletion_team'],
  [['ACCOUNT_TYPE_TEAM_MEMBER', 'ACCOUNT_TYPE_PRODUCT_OWNER'], 'deletion_owner'],
])('a person with the memberships %j: %s', (accountTypes, reason) => {
  expect(canRequestDeletion(accountTypes)).toEqual({ allow: reason === 'own_account', reason })
})

test('is requested with the password, shown to the schools and canceled', async () => {
  await expect(requestDeletion(actor, { password: 'wrong' })).rejects.toMatchObject({
    details: { fields: { password: ['password_wrong'] } },
  })
  const { dueAt } = await requestDeletion(actor, { password })
  const again = await requestDeletion(actor, { password })
  expect(again.dueAt).toEqual(dueAt)
  expect(await getMyData(actor)).toMatchObject({ deletionDueAt: dueAt })
  expect((await cardIn(other)).deletionDueAt).toEqual(dueAt)
  await cancelDeletion(actor)
  await cancelDeletion(actor)
  expect(await getMyData(actor)).toMatchObject({ deletionDueAt: null })
  expect(await deleteDueAccounts(cardSections, after(DELETION_GRACE_DAYS + 1))).toBe(0)
  for (const school of [home, other]) {
    expect(await actionsIn(school)).toEqual(['student.deletion_canceled', 'student.deletion_requested'])
  }
  expect(await listEmailsTo(email)).toHaveLength(1)
})

test('of an account without a password is confirmed with an emailed code', async () => {
  await expect(sendDeletionCode(actor)).rejects.toMatchObject({
    details: { fields: { form: ['deletion_with_password'] } },
  })
  await pool.query('update "user" set password_hash = null where id = $1', [actor.userId])
  expect(await getMyData(actor)).toMatchObject({ hasPassword: false, deletionDueAt: null })
  await sendDeletionCode(actor)
  const { code } = await newestEmailTo(email)
  const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  for (const input of [{ code: other }, { code: '' }, { password: '' }, { password: 'anything' }]) {
    await expect(requestDeletion(actor, input), JSON.stringify(input)).rejects.toMatchObject({
      details: { fields: { code: ['code_wrong'] } },
    })
  }
  const { dueAt } = await requestDeletion(actor, { code })
  expect(await getMyData(actor)).toMatchObject({ deletionDueAt: dueAt })
  // The next tests count the accounts that are due.
  await cancelDeletion(actor)
})

test('by a code: the code of another person and an old one are refused, and guessing is limited', async () => {
  await pool.query('update "user" set password_hash = null where id = $1', [actor.userId])
  const stranger = await createDeletionCode(home.as.OWNER.userId)
  const wrong = { details: { fields: { code: ['code_wrong'] } } }
  await expect(requestDeletion(actor, { code: stranger })).rejects.toMatchObject(wrong)
  const code = await createDeletionCode(actor.userId)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 60_000 })
  await expect(requestDeletion(actor, { code })).rejects.toMatchObject(wrong)
  vi.useRealTimers()
  for (let attempt = 0; attempt < 3; attempt++) await requestDeletion(actor, { code: '000000' }).catch(() => {})
  await expect(requestDeletion(actor, { code })).rejects.toMatchObject({ code: 'too_many' })
})

test('takes effect in all schools after the grace period, once', async () => {
  await addTag(home.as.OWNER, { studentId: idIn(home), tag: 'vip' })
  await requestDeletion(actor, { password })
  expect(await deleteDueAccounts(cardSections, after(DELETION_GRACE_DAYS - 1))).toBe(0)
  expect(await deleteDueAccounts(cardSections, after(DELETION_GRACE_DAYS + 1))).toBe(1)
  expect(await deleteDueAccounts(cardSections, after(DELETION_GRACE_DAYS + 1))).toBe(0)
  for (const school of [home, other]) {
    const card = await cardIn(school)
    expect(card).toMatchObject({ firstName: '', lastName: '', phone: null, tags: [], deletionDueAt: null })
    expect(card.email).toMatch(/@deleted\.invalid$/)
    expect(card.anonymizedAt).not.toBeNull()
    expect(card.blockedAt).not.toBeNull()
    expect((await actionsIn(school))[0]).toBe('student.deletion_completed')
  }
  expect(await findActor(token, 'go')).toBeNull()
  const { rows } = await inSystem((tx) =>
    tx.execute(sql`select email, first_name, password_hash from "user" where id = ${actor.userId}`),
  )
  expect(rows).toEqual([{ email: `${actor.userId}@deleted.invalid`, first_name: '', password_hash: null }])
  expect(await listEmailsTo(email)).toHaveLength(2)
})

test('is refused for the owner of a school and for a team member, also one who joined since', async () => {
  const ownerId = home.as.OWNER.userId
  await pool.query('update "user" set password_hash = (select password_hash from "user" where id = $1) where id = $2', [
    actor.userId,
    ownerId,
  ])
  await expect(requestDeletion(home.as.OWNER, { password })).rejects.toMatchObject({
    code: 'unprocessable',
    details: { fields: { form: ['deletion_owner'] } },
  })
  await requestDeletion(actor, { password })
  await addMember({
    tenantId: other.tenant.id,
    userId: actor.userId,
    accountType: 'ACCOUNT_TYPE_TEAM_MEMBER',
    roles: ['CURATOR'],
    status: 'active',
  })
  expect(await deleteDueAccounts(cardSections, after(DELETION_GRACE_DAYS + 1))).toBe(0)
  expect((await cardIn(home)).email).toBe(email)
  await expect(requestDeletion(actor, { password })).rejects.toMatchObject({
    details: { fields: { form: ['deletion_team'] } },
  })
})

test('is refused while viewing as a student', async () => {
  const viewing = {
    ...actor,
    impersonation: { memberId: home.as.OWNER.membershipId, expiresAt: after(1), endPath: '/end' },
  }
  await expect(requestDeletion(viewing, { password })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(cancelDeletion(viewing)).rejects.toMatchObject({ code: 'forbidden' })
})
