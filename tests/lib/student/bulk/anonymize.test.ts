import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { listOwnCertificates } from '#lib/certificate/issue/claim.ts'
import { issueCertificates, issueDue } from '#lib/certificate/issue/issue.ts'
import { readCertificate } from '#lib/certificate/issue/public.ts'
import { readPdf } from '#lib/certificate/issue/render.ts'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { scheduleMessage } from '#lib/outbox/changes.ts'
import { sendOutgoingMessage } from '#lib/outbox/send.ts'
import { objectKey } from '#lib/storage/object-key.ts'
import { anonymizeDeletedStudents } from '#lib/student/bulk/anonymize.ts'
import { getStudentCard } from '#lib/student/card/card.ts'
import { listSection } from '#lib/student/card/list-section.ts'
import { addNote } from '#lib/student/card/notes.ts'
import { updateProfile } from '#lib/student/card/profile.ts'
import { createStudentMessage } from '#lib/student/message/message.ts'
import { studentSenders } from '#lib/student/message/senders.ts'
import { cardSections } from '#lib/student-card.ts'
import { addMember } from '#lib/user/member.ts'
import { completeCourse, createCertifiedCourse } from '../../../setup/course/earned-certificate.ts'
import { appendTestEvents, joinRoom } from '../../../setup/meeting/chat-room.ts'
import { createWebinar, visitorAt } from '../../../setup/meeting/events.ts'
import { registerForEvent } from '../../../setup/parsed/registration.ts'
import {
  addTestMember,
  createOtherTenant,
  createTestTenant,
  createTestUser,
  type TestTenant,
} from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let email: string
let userId: string
let count = 0

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
})
beforeEach(async () => {
  email = `erased${++count}@anonymize.test`
  userId = await createTestUser(email)
})
afterAll(() => pool.end())

const join = async ({ tenant }: TestTenant) => {
  const student = { tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' } as const
  return (await addMember(student)).membershipId
}
const rowsIn = async ({ tenant }: TestTenant, statement: string) =>
  (await inTenant({ tenantId: tenant.id }, (tx) => tx.execute(sql.raw(statement)))).rows
const addStudent = async (school: TestTenant) => {
  const bystander = await createTestUser(`bystander${count}@anonymize.test`)
  const { membershipId } = await addMember({
    tenantId: school.tenant.id,
    userId: bystander,
    accountType: 'ACCOUNT_TYPE_STUDENT',
    status: 'accepted',
  })
  return membershipId
}
/** The guest with the email writes in the room, gets an answer and is on the stage. */
async function writeInRoom(school: TestTenant, workshopId: string): Promise<void> {
  const [session] = await rowsIn(school, `select id from workshop_session where workshop_id = '${workshopId}'`)
  const room = { tenantId: school.tenant.id, id: String(session?.id), workshopId }
  const author = { name: 'Олена Гостя', role: 'viewer' as const }
  const { personId } = await joinRoom(room, 'viewer', { name: author.name, email })
  const host = await joinRoom(room, 'host', { name: 'Олена Ведуча' })
  const messageId = newId()
  const text = 'Коли перерва?'
  const answer = { messageId, text: 'О сьомій.', author: { name: host.name, role: 'host' as const } }
  const stream = { stream: `${personId}-camera`, personId, kind: 'camera' as const, name: author.name }
  await appendTestEvents(room, [
    { type: 'question', actorId: personId, payload: { messageId, author, text } },
    { type: 'messageShown', actorId: host.personId, payload: { messageId, authorId: personId, author, text } },
    { type: 'messagePinned', actorId: host.personId, payload: { messageId, pinned: true, text, author } },
    { type: 'answer', actorId: host.personId, payload: answer },
    { type: 'broadcast.change', payload: { onAir: [{ ...stream, microphone: true, camera: true }] } },
  ])
}
const deleteIn = (school: TestTenant) =>
  rowsIn(school, `update student set deleted_at = now() - interval '31 days' where user_id = '${userId}'`)
const account = async () => {
  const { rows } = await inSystem((tx) =>
    tx.execute<{ email: string; name: string }>(
      sql`select email, trim(first_name || ' ' || last_name) as name from "user" where id = ${userId}`,
    ),
  )
  return rows[0]
}
const ERASED = { name: '', email: expect.stringMatching(/@deleted\.invalid$/) }

test('a person whom one school deletes keeps the account for the other, and loses it when that deletes too', async () => {
  for (const school of [home, other]) await join(school)
  await deleteIn(home)
  expect(await anonymizeDeletedStudents(cardSections)).toBe(1)
  expect(await account()).toMatchObject({ email })
  await deleteIn(other)
  expect(await anonymizeDeletedStudents(cardSections)).toBe(1)
  expect(await account()).toEqual(ERASED)
})

test('a person whom two schools delete at the same time loses the account', async () => {
  for (const school of [home, other]) {
    await join(school)
    await deleteIn(school)
  }
  await Promise.all([1, 2, 3].map(() => anonymizeDeletedStudents(cardSections)))
  expect(await account()).toEqual(ERASED)
})

test('the author in another school keeps the account', async () => {
  await join(home)
  await addMember({
    tenantId: other.tenant.id,
    userId,
    accountType: 'ACCOUNT_TYPE_TEAM_MEMBER',
    roles: ['EXPERT'],
    status: 'active',
  })
  await rowsIn(other, `update membership set removed_at = now() where user_id = '${userId}'`)
  await deleteIn(home)
  await anonymizeDeletedStudents(cardSections)
  expect(await account()).toMatchObject({ email })
})

test('emails, lists of recipients and registrations of the school keep neither name nor address', async () => {
  const studentId = await join(home)
  await join(other)
  const owner = home.as.OWNER
  for (const { tenant } of [home, other]) {
    await sendEmail({
      tenantId: tenant.id,
      to: email,
      locale: 'uk',
      subject: `Для ${email}`,
      body: { html: `<p>${email}</p>`, text: email },
    })
  }
  await rowsIn(home, `update mail set status = 'sent' where "to" = '${email}'`)
  const messageId = newId()
  await createStudentMessage(owner, {
    messageId,
    target: { studentIds: [studentId] },
    action: 'email',
    subject: 'Новини',
    text: 'Текст',
  })
  await scheduleMessage(owner, { messageId })
  const { signal } = new AbortController()
  const data = { tenantId: owner.tenantId, messageId }
  await sendOutgoingMessage(data, studentSenders, { signal }, () => new Date(Date.now() + 61_000))
  const { workshopId } = await createWebinar(owner, { startAt: new Date(Date.now() + DAY_MS).toISOString() })
  await registerForEvent(visitorAt(home), { workshopId, name: 'Олена Гостя', email })
  await writeInRoom(home, workshopId)
  await deleteIn(home)
  expect(await anonymizeDeletedStudents(cardSections)).toBe(1)

  const textIn = async (school: TestTenant, table: string) =>
    JSON.stringify(await rowsIn(school, `select t.* from ${table} t`))
  const tables = ['mail', 'outgoing_recipient', 'registration', 'workshop_participant', 'invitation', 'student']
  for (const table of [...tables, 'workshop_event', 'meeting_message']) {
    const text = await textIn(home, table)
    expect(text, table).not.toContain(email)
    expect(text, table).not.toContain('Олена Гостя')
  }
  expect(await textIn(home, 'workshop_event')).toContain('Олена Ведуча')
  expect(await rowsIn(home, 'select 1 from registration')).toHaveLength(1)
  expect(await rowsIn(home, `select 1 from mail where status = 'queued' and "to" like 'erased%'`)).toEqual([])
  expect(await textIn(other, 'mail')).toContain(email)
})

test('the audit log and the notes of the team keep no name, and the log stays append-only', async () => {
  const studentId = await join(home)
  const owner = home.as.OWNER
  const bystanderId = await addStudent(home)
  for (const id of [studentId, bystanderId]) {
    await addNote(owner, { studentId: id, noteId: newId(), text: `Передзвонити: ${email}` })
    const { revision } = await getStudentCard(owner, { studentId: id })
    const name = { firstName: 'Стерта', lastName: 'Особа', phone: null, locale: 'uk', timeZone: 'Europe/Kyiv' } as const
    await updateProfile(owner, { studentId: id, revision, ...name })
  }
  const entries = () =>
    rowsIn(
      home,
      `select action, object_name, before, after from audit_entry where object_id = '${studentId}' order by created_at, id`,
    )
  // The address identifies the person where a link did not admit them.
  const linkId = newId()
  const failed = { action: 'invitation_link.failed' as const, objectId: linkId, after: { reason: 'student_blocked' } }
  await inTenant({ tenantId: home.tenant.id }, async (tx) => {
    const visitor = { tenantId: home.tenant.id, membershipId: null, address: '203.0.113.9' }
    for (const objectName of [email, 'another@student.test'])
      await recordAuditEntry(tx, visitor, { ...failed, objectName })
  })
  const [changed] = await entries()
  expect(JSON.stringify(changed)).toContain('Стерта')
  await deleteIn(home)
  await anonymizeDeletedStudents(cardSections)
  expect((await entries())[0]).toEqual({ action: 'student.changed', object_name: '', before: null, after: null })
  const ofLink = await rowsIn(
    home,
    `select object_name, address from audit_entry where object_id = '${linkId}' order by object_name`,
  )
  expect(ofLink).toEqual([
    { object_name: '', address: null },
    { object_name: 'another@student.test', address: '203.0.113.9' },
  ])
  expect(await rowsIn(home, `select text from student_note where student_id = '${studentId}'`)).toEqual([])
  expect(await rowsIn(home, `select 1 from student_note where student_id = '${bystanderId}'`)).toHaveLength(1)
  const ofBystander = `from audit_entry where object_id = '${bystanderId}'`
  expect(await rowsIn(home, `select object_name ${ofBystander} and action = 'student.changed'`)).toEqual([
    { object_name: expect.stringContaining('Тест') },
  ])
  for (const member of [bystanderId, studentId]) {
    const change = inTenant({ tenantId: home.tenant.id }, async (tx) => {
      await tx.execute(sql`select set_config('app.erased_member', ${member}, true)`)
      await tx.execute(sql`update audit_entry set object_name = 'Інша' where object_id = ${bystanderId}`)
    })
    await expect(change).rejects.toMatchObject({ cause: { message: 'audit_entry is append-only' } })
  }
})

test('certificates end without a name, delivery address and PDF, and their public pages are not found', async () => {
  const owner = home.as.OWNER
  const student = await addTestMember(home, 'STUDENT', email)
  const course = await createCertifiedCourse(owner, { confirmName: false })
  await completeCourse(owner, student, course)
  await issueCertificates(owner, { courseId: course.courseId, studentIds: [student.membershipId] })
  await issueDue({ tenantId: home.tenant.id, courseId: course.courseId }, { signal: new AbortController().signal })
  const [own] = await listOwnCertificates(student)
  const { id } = await readCertificate(home.tenant.id, own?.publicId ?? '')
  await rowsIn(home, `update certificate set delivery = '{"recipient": "Х", "phone": "1", "address": "вул. Тиха, 1"}'`)
  expect((await readPdf(home.tenant.id, id)).length).toBeGreaterThan(1000)
  await rowsIn(home, `update student set deleted_at = now() - interval '31 days' where id = '${student.membershipId}'`)
  await anonymizeDeletedStudents(cardSections)
  const [row] = await rowsIn(home, `select state, number, name_as_printed, delivery, snapshot from certificate`)
  expect(row).toEqual({ state: 'revoked', number: own?.number, name_as_printed: '', delivery: null, snapshot: null })
  await expect(readCertificate(home.tenant.id, own?.publicId ?? '')).rejects.toMatchObject({ code: 'not_found' })
  await expect.poll(() => store.read(objectKey(home.tenant.id, id))).toBeNull()
  const card = await listSection(owner, { studentId: student.membershipId, section: 'certificates' }, cardSections)
  expect(card.items).toMatchObject([{ href: null, stateKey: 'certificate:state.revoked' }])
})
