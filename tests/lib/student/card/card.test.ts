import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { getStudentCard, listRisks } from '#lib/student/card/card.ts'
import { endAllDevices, endDevice, listStudentDevices } from '#lib/student/card/devices.ts'
import { listSection } from '#lib/student/card/list-section.ts'
import { addNote, deleteNote, listStudentNotes, restoreNote, updateNote } from '#lib/student/card/notes.ts'
import { addTag, removeTag, updateProfile } from '#lib/student/card/profile.ts'
import { remindStudent } from '#lib/student/card/reminder.ts'
import { inviteStudent } from '#lib/student/student.ts'
import { cardSections } from '#lib/student-card.ts'
import { addMember, findOrCreateUser, setMembersBlocked } from '#lib/user/member.ts'
import { updatePersonal } from '#lib/user/user.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { listTimeline } from '../../../setup/parsed/student-card.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, signInTestUser, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let studentId: string
let email: string
let userId: string
let count = 0

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  email = `person${++count}@card.test`
  ;({ userId, studentId } = await addStudent(home, email))
})
afterAll(() => pool.end())

async function addStudent({ tenant }: TestTenant, address: string) {
  const person = await findOrCreateUser({ email: address, firstName: 'Олена', lastName: 'Коваль', isVerified: true })
  const student = { tenantId: tenant.id, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' } as const
  const { membershipId } = await addMember({ ...student, userId: person.userId })
  return { userId: person.userId, studentId: membershipId }
}

const card = (actor: Actor = home.as.OWNER) => getStudentCard(actor, { studentId })
const ago = (days: number) => `now() - interval '${days} days'`
const write = (statement: string) => inTenant({ tenantId: home.tenant.id }, (tx) => tx.execute(statement))
const profile = (change: object = {}) => ({
  studentId,
  revision: 1,
  firstName: 'Олена',
  lastName: 'Коваль',
  phone: '+380671234567',
  locale: 'uk' as const,
  timeZone: 'Europe/Kyiv',
  ...change,
})

/** Every function of the card with an input for a student and a note. */
const CALLS: Record<string, (actor: Actor, id: string, noteId: string) => Promise<unknown>> = {
  getStudentCard: async (actor, id) => getStudentCard(actor, { studentId: id }),
  listRisks: async (actor, id) => listRisks(actor, { studentId: id }, cardSections),
  listTimeline: async (actor, id) => listTimeline(actor, { studentId: id }, cardSections),
  listHomework: async (actor, id) => listSection(actor, { studentId: id, section: 'homework' }, cardSections),
  listEvents: async (actor, id) => listSection(actor, { studentId: id, section: 'events' }, cardSections),
  listNotes: async (actor, id) => listStudentNotes(actor, { studentId: id }),
  listDevices: async (actor, id) => listStudentDevices(actor, { studentId: id }),
  updateProfile: async (actor, id) => updateProfile(actor, profile({ studentId: id })),
  addTag: async (actor, id) => addTag(actor, { studentId: id, tag: 'vip' }),
  removeTag: async (actor, id) => removeTag(actor, { studentId: id, tag: 'vip' }),
  addNote: async (actor, id) => addNote(actor, { studentId: id, noteId: newId(), text: 'Нотатка' }),
  updateNote: async (actor, _, noteId) => updateNote(actor, { noteId, revision: 1, text: 'Нова' }),
  deleteNote: async (actor, _, noteId) => deleteNote(actor, { noteId }),
  restoreNote: async (actor, _, noteId) => restoreNote(actor, { noteId }),
  endDevice: async (actor, id) => endDevice(actor, { studentId: id, sessionId: newId() }),
  endAllDevices: async (actor, id) => endAllDevices(actor, { studentId: id }),
  remind: async (actor, id) => remindStudent(actor, { studentId: id }, cardSections),
}
describe('permissions of the student card', () => {
  test.each(Object.keys(CALLS))('%s is for owner and director', async (name) => {
    const noteId = newId()
    await addNote(home.as.OWNER, { studentId, noteId, text: 'Нотатка' })
    for (const role of ROLES) {
      const outcome = await CALLS[name]?.(home.as[role], studentId, noteId).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )
      const isAdministrator = role === 'OWNER' || role === 'DIRECTOR'
      expect({ role, outcome: outcome === 'forbidden' }).toEqual({ role, outcome: !isAdministrator })
    }
  })

  test.each(Object.keys(CALLS))('%s finds nothing of another school', async (name) => {
    const stranger = await addStudent(other, `stranger${count}@card.test`)
    const noteId = newId()
    await addNote(other.as.OWNER, { studentId: stranger.studentId, noteId, text: 'Чужа нотатка' })
    await expect(CALLS[name]?.(home.as.OWNER, stranger.studentId, noteId)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the profile', () => {
  test('is changed with an audit entry', async () => {
    await updateProfile(home.as.DIRECTOR, profile({ firstName: 'Оленка' }))
    expect(await card()).toMatchObject({ firstName: 'Оленка', phone: '+380671234567', revision: 2 })
    const { items } = await listAuditEntries(home.as.OWNER, { objectId: studentId })
    expect(items).toMatchObject([
      { action: 'student.changed', before: { firstName: 'Олена', phone: null }, after: { firstName: 'Оленка' } },
    ])
  })

  test('of a patronymic is changed, searched and shown in the timeline with the person and the change', async () => {
    await updateProfile(home.as.DIRECTOR, profile({ lastName: 'Коваль', patronymic: 'Петрівна' }))
    // An older client that does not know the field keeps it.
    await updateProfile(home.as.DIRECTOR, profile({ lastName: 'Коваль', revision: 2 }))
    expect(await card()).toMatchObject({ patronymic: 'Петрівна', revision: 2 })
    const { items } = await listTimeline(home.as.OWNER, { studentId }, cardSections)
    expect(items.find(({ kind }) => kind === 'changed')).toMatchObject({
      change: {
        action: 'student.changed',
        by: expect.any(String),
        before: { patronymic: null },
        after: { patronymic: 'Петрівна' },
      },
    })
  })

  test('of a blocked student is at risk for this reason only', async () => {
    await inTenant(home.as.OWNER, (tx) => setMembersBlocked(tx, [studentId], new Date(Date.now() - 3 * 86_400_000)))
    expect(await listRisks(home.as.OWNER, { studentId }, cardSections)).toEqual([{ kind: 'blocked', count: 3 }])
  })

  test('is not overwritten by a second member of staff, who sees what the first has saved', async () => {
    await updateProfile(home.as.OWNER, profile({ firstName: 'Перша' }))
    await expect(updateProfile(home.as.DIRECTOR, profile({ firstName: 'Друга' }))).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { current: { firstName: 'Перша', revision: 2 } } },
    })
    expect((await card()).firstName).toBe('Перша')
    await updateProfile(home.as.DIRECTOR, profile({ firstName: 'Друга', revision: 2 }))
    expect((await card()).firstName).toBe('Друга')
  })

  test('conflicts with a change by the person too', async () => {
    const { actor } = await signInTestUser(userId, 'go')
    await updatePersonal(actor, { timeZone: 'Europe/Warsaw' })
    await expect(updateProfile(home.as.OWNER, profile())).rejects.toMatchObject({ code: 'conflict' })
  })

  test('saved twice, after a lost answer, is saved once', async () => {
    await updateProfile(home.as.OWNER, profile())
    await updateProfile(home.as.OWNER, profile())
    expect((await card()).revision).toBe(2)
  })

  test('of a person who studies in another school too belongs to the person', async () => {
    await addStudent(other, email)
    await expect(updateProfile(home.as.OWNER, profile())).rejects.toMatchObject({
      code: 'unprocessable',
      details: { data: { reason: 'shared_account' } },
    })
    await addTag(home.as.OWNER, { studentId, tag: 'vip' })
    expect(await card()).toMatchObject({ isShared: true, tags: ['vip'] })
  })
})

describe('notes', () => {
  test('are added once, changed by revision, deleted and restored', async () => {
    const noteId = newId()
    const note = { studentId, noteId, text: 'Дзвонити ввечері' }
    await addNote(home.as.OWNER, note)
    await addNote(home.as.OWNER, note)
    const texts = async () => (await listStudentNotes(home.as.OWNER, { studentId })).items.map(({ text }) => text)
    expect(await texts()).toEqual(['Дзвонити ввечері'])
    await updateNote(home.as.OWNER, { noteId, revision: 1, text: 'Дзвонити зранку' })
    await expect(updateNote(home.as.DIRECTOR, { noteId, revision: 1, text: 'Не дзвонити' })).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { current: { text: 'Дзвонити зранку', revision: 2 } } },
    })
    await deleteNote(home.as.OWNER, { noteId })
    expect(await texts()).toEqual([])
    await restoreNote(home.as.OWNER, { noteId })
    expect(await texts()).toEqual(['Дзвонити зранку'])
  })
})

describe('devices', () => {
  test('of a person are listed and ended', async () => {
    await signInTestUser(userId, 'go')
    await signInTestUser(userId, 'go')
    const [first] = await listStudentDevices(home.as.OWNER, { studentId })
    await endDevice(home.as.OWNER, { studentId, sessionId: first?.sessionId ?? '' })
    expect(await listStudentDevices(home.as.OWNER, { studentId })).toHaveLength(1)
    expect(await endAllDevices(home.as.OWNER, { studentId })).toBe(1)
    expect(await endAllDevices(home.as.OWNER, { studentId })).toBe(0)
    expect(await auditedActions(home.as.OWNER, studentId)).toEqual(['student.signed_out', 'student.signed_out'])
    expect(await listStudentDevices(home.as.OWNER, { studentId })).toEqual([])
  })

  test('in another school are not shown and not ended', async () => {
    await addStudent(other, email)
    const { actor } = await signInTestUser(userId, 'go')
    const set = (tenantId: string) =>
      inSystem((tx) =>
        tx.execute(`update session set tenant_id = '${tenantId}', account_type = 'ACCOUNT_TYPE_STUDENT'
          where id = '${actor.sessionId}'`),
      )
    await set(other.tenant.id)
    expect(await listStudentDevices(home.as.OWNER, { studentId })).toEqual([])
    const ended = endDevice(home.as.OWNER, { studentId, sessionId: actor.sessionId })
    await expect(ended).rejects.toMatchObject({ code: 'not_found' })
    expect(await endAllDevices(home.as.OWNER, { studentId })).toBe(0)
    await set(home.tenant.id)
    expect(await listStudentDevices(home.as.OWNER, { studentId })).toHaveLength(1)
  })

  test('the first sign-in is the last activity at once', async () => {
    expect((await card()).lastActiveAt).toBeNull()
    await signInTestUser(userId, 'go')
    expect((await card()).lastActiveAt).toBeInstanceOf(Date)
  })
})

describe('risks', () => {
  test.each([
    [6, null, []],
    [8, null, [{ kind: 'neverSignedIn', count: 8 }]],
    [30, 7, [{ kind: 'inactive7', count: 7 }]],
    [30, 14, [{ kind: 'inactive14', count: 14 }]],
  ])('accepted %i days ago, last seen %s days ago', async (accepted, seen, risks) => {
    const seenAt = seen === null ? 'null' : ago(seen)
    await write(
      `update student set created_at = ${ago(accepted)}, last_active_at = ${seenAt} where id = '${studentId}'`,
    )
    expect(await listRisks(home.as.OWNER, { studentId }, cardSections)).toEqual(risks)
  })

  test('a reminder is sent once a day, with the reason, in the language of the student', async () => {
    await expect(remindStudent(home.as.OWNER, { studentId }, cardSections)).rejects.toMatchObject({
      code: 'unprocessable',
    })
    await write(`update student set last_active_at = ${ago(20)}, overdue_count = 2 where id = '${studentId}'`)
    const [first, second] = await Promise.all([
      remindStudent(home.as.OWNER, { studentId }, cardSections),
      remindStudent(home.as.DIRECTOR, { studentId }, cardSections),
    ])
    expect([first, second].toSorted()).toEqual([false, true])
    const emails = await listEmailsTo(email, home.tenant.id)
    expect(emails).toHaveLength(1)
    const listed = await write(`select kind, read_at from notification where member_id = '${studentId}'`)
    expect(listed.rows).toEqual([{ kind: 'student_reminder', read_at: null }])
    expect(emails[0]?.text).toContain('2 завдання')
    expect(await auditedActions(home.as.OWNER, studentId)).toEqual(['student.reminded'])
  })

  test('are limited per hour for a school; calls of others do not count', async () => {
    const key = `remind:${other.tenant.id}`
    const remind = (actor: Actor) => remindStudent(actor, { studentId: newId() }, cardSections)
    for (const actor of [other.as.STUDENT, other.as.EXPERT])
      await expect(remind(actor)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await pool.query('select 1 from throttle where key = $1', [key])).rows).toEqual([])
    await expect(remind(other.as.OWNER)).rejects.toMatchObject({ code: 'not_found' })
    await pool.query(`update throttle set count = 99 where key = $1`, [key])
    await expect(remind(other.as.OWNER)).rejects.toMatchObject({ code: 'not_found' })
    await expect(remind(other.as.OWNER)).rejects.toMatchObject({ code: 'too_many' })
  })
})

describe('the timeline', () => {
  test('has the entries of all sources, newest first, page by page, each once', async () => {
    const invited = await inviteStudent(home.as.OWNER, { email: `invited${count}@card.test`, name: 'Ірина Бондар' })
    const id = invited.studentId
    await addNote(home.as.OWNER, { studentId: id, noteId: newId(), text: 'Перша' })
    await addNote(home.as.OWNER, { studentId: id, noteId: newId(), text: 'Друга' })
    const all = await listTimeline(home.as.OWNER, { studentId: id }, cardSections)
    expect(all.items.map(({ kind }) => kind).toSorted()).toEqual(['emailed', 'invited', 'noted', 'noted'])
    const paged: string[] = []
    let cursor: string | undefined
    do {
      const page = await listTimeline(home.as.OWNER, { studentId: id, limit: 1, cursor }, cardSections)
      paged.push(...page.items.map((entry) => `${entry.kind} ${entry.id}`))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(paged).toEqual(all.items.map((entry) => `${entry.kind} ${entry.id}`))
  })
})
