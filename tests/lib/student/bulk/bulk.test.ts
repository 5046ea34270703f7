import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { anonymizeDeletedStudents } from '#lib/student/bulk/anonymize.ts'
import { confirmBulkJob, createBulkJob, getBulkJob, listOutcomes } from '#lib/student/bulk/bulk.ts'
import { runBulkJob } from '#lib/student/bulk/run.ts'
import type { BulkChange } from '#lib/student/bulk/schema.ts'
import { inviteStudent } from '#lib/student/student.ts'
import { cardSections } from '#lib/student-card.ts'
import { addMember, findOrCreateUser } from '#lib/user/member.ts'
import { findActor } from '#lib/user/session.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { setPlan } from '../../../setup/parsed/billing.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { changeAccess } from '../../../setup/parsed/course-access.ts'
import { listStudents } from '../../../setup/parsed/student-list.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
const signal = new AbortController().signal

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
  owner = home.as.OWNER
})
afterAll(() => pool.end())

let count = 0
async function addStudents(
  amount: number,
  status: 'invited' | 'accepted' = 'accepted',
  school = home,
): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < amount; number++) {
    const { userId } = await findOrCreateUser({ email: `student-${++count}@bulk.test`, firstName: `Студент ${count}` })
    const student = { tenantId: school.tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status } as const
    ids.push((await addMember(student)).membershipId)
  }
  return ids
}

async function run(studentIds: string[], change: BulkChange, actor = owner) {
  const { jobId } = await createBulkJob(actor, { jobId: randomUUID(), target: { studentIds }, change })
  await confirmBulkJob(actor, { jobId })
  await runBulkJob({ tenantId: actor.tenantId, jobId }, changeAccess, { signal })
  const { state, doneCount: done, unchangedCount: unchanged, failedCount: failed } = await getBulkJob(actor, { jobId })
  expect(state).toBe('done')
  return { jobId, done, unchanged, failed }
}

const rowsOf = async (statement: string) =>
  (await inTenant({ tenantId: home.tenant.id }, (tx) => tx.execute(statement))).rows
describe('a bulk action', () => {
  test('adds and removes tags, once', async () => {
    const ids = await addStudents(3)
    const first = await run(ids, { action: 'tag', tag: 'Осінь' })
    expect(first).toMatchObject({ done: 3, unchanged: 0 })
    expect(await auditedActions(owner, first.jobId)).toEqual(['students.changed'])
    expect(await run(ids, { action: 'tag', tag: 'Осінь' })).toMatchObject({ done: 0, unchanged: 3 })
    // The history of a student contains only actual changes.
    for (const id of ids) expect(await auditedActions(owner, id)).toEqual(['student.changed'])
    expect((await listStudents(owner, { tag: 'Осінь' })).items).toHaveLength(3)
    expect(await run(ids.slice(1), { action: 'untag', tag: 'Осінь' })).toMatchObject({ done: 2 })
    expect((await listStudents(owner, { tag: 'Осінь' })).items.map(({ id }) => id)).toEqual(ids.slice(0, 1))
  })

  test('grants, extends and freezes access, and reports students without access', async () => {
    const ids = await addStudents(3)
    const { courseId } = await createCourse(owner, { title: 'Голос' })
    const until = '2027-03-01T21:59:00.000Z'
    expect(await run(ids.slice(0, 2), { action: 'addToCourse', courseId, until: null })).toMatchObject({ done: 2 })
    expect(await run(ids.slice(0, 1), { action: 'addToCourse', courseId, until: null })).toMatchObject({ unchanged: 1 })
    const extended = await run(ids, { action: 'extend', courseId, until })
    expect(extended).toMatchObject({ done: 2, failed: 1 })
    expect((await getBulkJob(owner, extended)).rows).toMatchObject([{ studentId: ids[2], reason: 'no_access' }])
    expect(await listOutcomes(owner, extended)).toHaveLength(3)
    expect(await run(ids.slice(0, 2), { action: 'freeze', courseId, until })).toMatchObject({ done: 2 })
    const { items } = await listAuditEntries(owner, { objectId: ids[0] ?? '' })
    // Access without an end is not extended: nothing has changed.
    expect(items).toMatchObject([
      {
        action: 'student.access_changed',
        before: { paused: 0 },
        after: { course: 'Голос', change: 'freeze', paused: 1 },
        actor: { id: owner.membershipId },
      },
      { action: 'student.access_changed', before: null, after: { course: 'Голос', change: 'give', until: null } },
    ])
    expect(await auditedActions(owner, ids[2] ?? '')).toEqual([])
    const dates = { startAt: new Date().toISOString(), endAt: null, timeZone: 'Europe/Kyiv' }
    const { groupId } = await createGroup(owner, { courseId, name: 'Перша', ...dates })
    expect(await run(ids, { action: 'addToGroup', groupId })).toMatchObject({ done: 3 })
    expect(await run(ids, { action: 'addToGroup', groupId })).toMatchObject({ unchanged: 3 })
    expect((await listStudents(owner, { groupId })).items).toHaveLength(3)
    expect(await run(ids, { action: 'addToGroup', groupId: randomUUID() })).toMatchObject({ failed: 3 })
  })

  test('applies to all students that its filter selects at its creation, over all pages', async () => {
    const ids = await addStudents(230)
    const { jobId } = await createBulkJob(owner, {
      jobId: randomUUID(),
      target: { filter: { q: 'bulk.test', overdue: false } },
      change: { action: 'tag', tag: 'Усі' },
    })
    await addStudents(1)
    await runBulkJob({ tenantId: owner.tenantId, jobId }, changeAccess, { signal })
    const job = await getBulkJob(owner, { jobId })
    expect(job.doneCount).toBe(job.total)
    expect(job.total).toBeGreaterThanOrEqual(ids.length)
    expect(job.total).toBe(count - 1)
  })

  test('is done once when it is posted twice and run twice at the same time', async () => {
    const ids = await addStudents(150)
    const jobId = randomUUID()
    const input = { jobId, target: { studentIds: ids }, change: { action: 'tag', tag: 'Раз' } } as const
    await Promise.all([createBulkJob(owner, input), createBulkJob(owner, input)])
    const data = { tenantId: owner.tenantId, jobId }
    await Promise.all([runBulkJob(data, changeAccess, { signal }), runBulkJob(data, changeAccess, { signal })])
    expect(await getBulkJob(owner, { jobId })).toMatchObject({ state: 'done', total: 150, doneCount: 150 })
  })

  test('is for owner and director only, and for students of the own school', async () => {
    const [mine] = await addStudents(1)
    const [theirs] = await addStudents(1, 'accepted', other)
    const change = { action: 'tag', tag: 'Х' } as const
    const input = (id = mine) => ({ jobId: randomUUID(), target: { studentIds: [id ?? ''] }, change })
    for (const role of ROLES.filter((name) => name !== 'OWNER' && name !== 'DIRECTOR')) {
      await expect(createBulkJob(home.as[role], input()), role).rejects.toMatchObject({ code: 'forbidden' })
    }
    await expect(createBulkJob(owner, input(theirs))).rejects.toMatchObject({ code: 'not_found' })
    const { jobId } = await createBulkJob(home.as.DIRECTOR, input())
    await expect(getBulkJob(owner, { jobId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(getBulkJob(other.as.OWNER, { jobId })).rejects.toMatchObject({ code: 'not_found' })
    const nobody = { jobId: randomUUID(), target: { filter: { q: 'немає', overdue: false } }, change }
    await expect(createBulkJob(owner, nobody)).rejects.toMatchObject({ code: 'unprocessable' })
  })
})

describe('blocking and deleting', () => {
  test('end the access at once and are reversed', async () => {
    const { membershipId } = home.as.STUDENT
    const isIn = async () => (await findActor(home.token.STUDENT, 'go')) !== null
    expect(await run([membershipId], { action: 'block' })).toMatchObject({ done: 1 })
    expect(await isIn()).toBe(false)
    expect(await run([membershipId], { action: 'delete' })).toMatchObject({ done: 1 })
    expect(await run([membershipId], { action: 'restore' })).toMatchObject({ done: 1 })
    expect(await isIn()).toBe(false)
    expect(await run([membershipId], { action: 'unblock' })).toMatchObject({ done: 1 })
    expect(await isIn()).toBe(true)
    expect(await run([membershipId], { action: 'delete' })).toMatchObject({ done: 1 })
    expect(await isIn()).toBe(false)
    expect((await listStudents(owner, { q: 'student@school' })).items).toEqual([])
    expect((await listStudents(owner, { q: 'student@school', status: 'deleted' })).items).toHaveLength(1)
    expect(await run([membershipId], { action: 'restore' })).toMatchObject({ done: 1 })
    expect(await isIn()).toBe(true)
    const [restored, deleted] = (await listAuditEntries(owner, { objectId: membershipId, action: 'student.changed' }))
      .items
    expect(restored).toMatchObject({ before: { deleted: true }, after: { deleted: false } })
    expect(deleted).toMatchObject({ before: { deleted: false }, after: { deleted: true } })
  })

  test('anonymise after 30 days, but keep the account of a person who is in another school', async () => {
    const [gone, shared] = await addStudents(2)
    const [person] = await rowsOf(`select user_id, email from student where id = '${shared}'`)
    const elsewhere = { tenantId: other.tenant.id, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' } as const
    await addMember({ ...elsewhere, userId: String(person?.user_id) })
    await run([gone ?? '', shared ?? ''], { action: 'delete' })
    const day = 24 * 3600 * 1000
    expect(await anonymizeDeletedStudents(cardSections, new Date(Date.now() + 29 * day))).toBe(0)
    expect(await anonymizeDeletedStudents(cardSections, new Date(Date.now() + 31 * day))).toBe(2)
    const anonymous =
      await rowsOf(`select s.email, s.name, u.email as account from student s join "user" u on u.id = s.user_id
      where s.id in ('${gone}', '${shared}') order by s.created_at`)
    expect(anonymous).toMatchObject([
      { email: `${gone}@deleted.invalid`, name: '', account: expect.stringMatching(/@deleted\.invalid$/) },
      { email: `${shared}@deleted.invalid`, name: '', account: person?.email },
    ])
    expect((await listStudents(other.as.OWNER, { q: String(person?.email) })).items).toHaveLength(1)
    const restoring = createBulkJob(owner, {
      jobId: randomUUID(),
      target: { studentIds: [gone ?? ''] },
      change: { action: 'restore' },
    })
    await expect(restoring).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('the last seat of the plan is taken once, by 20 invitations and 2 bulk actions at the same time', async () => {
  const school = await createTestTenant('Повна школа')
  const { tenant } = school
  const nextPayment = new Date(Date.now() + 86_400_000)
  await setPlan({ tenantId: tenant.id, group: 'lms', plan: 'start', nextPayment, trialEndsAt: null })
  const full = (await findActor(school.token.OWNER, tenant.subdomain)) ?? owner
  const blocked = await addStudents(2, 'accepted', school)
  await run(blocked, { action: 'block' }, full)
  await addStudents(98, 'accepted', school)
  const attempts = Array.from({ length: 20 }, (_, n) => inviteStudent(full, { email: `seat-${n}@bulk.test` }))
  const unblocked = blocked.map((id) => run([id], { action: 'unblock' }, full))
  const results = await Promise.allSettled(attempts)
  const invited = results.filter(({ status }) => status === 'fulfilled').length
  const admitted = (await Promise.all(unblocked)).reduce((sum, { done }) => sum + done, 0)
  expect(invited + admitted).toBe(1)
  const refused = results.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { details: { fields: { form: ['limit_student_count'] } } } })
})
