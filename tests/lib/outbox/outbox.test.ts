import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { deliverEmail } from '#lib/core/mail/delivery.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import {
  discardOutgoingMessage,
  editMessage,
  holdMessage,
  recallMessage,
  scheduleMessage,
} from '#lib/outbox/changes.ts'
import { sendOutgoingMessage } from '#lib/outbox/send.ts'
import { studentSenders } from '#lib/student/message/senders.ts'
import { inviteStudent } from '#lib/student/student.ts'
import { addMember, findOrCreateUser, setMembersBlocked } from '#lib/user/member.ts'
import { auditedActions } from '../../setup/audit.ts'
import { getMessage, listMessages } from '../../setup/parsed/outbox.ts'
import { createStudentMessage } from '../../setup/parsed/student.ts'
import { listStudents } from '../../setup/parsed/student-list.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
const signal = new AbortController().signal
const later = () => new Date(Date.now() + 61_000)

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
  owner = home.as.OWNER
})
afterAll(() => pool.end())

let count = 0
async function addStudents(amount: number, school = home): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < amount; number++) {
    const { userId } = await findOrCreateUser({ email: `reader-${++count}@outbox.test`, firstName: `Читач ${count}` })
    const student = {
      tenantId: school.tenant.id,
      userId,
      accountType: 'ACCOUNT_TYPE_STUDENT',
      status: 'accepted',
    } as const
    ids.push((await addMember(student)).membershipId)
  }
  return ids
}

async function draft(studentIds: string[], actor = owner): Promise<string> {
  const input = { target: { studentIds }, action: 'email', subject: 'Новий розклад', text: 'Заняття о 18:00.' } as const
  return (await createStudentMessage(actor, { messageId: randomUUID(), ...input })).messageId
}

const run = (messageId: string, now = later) =>
  sendOutgoingMessage({ tenantId: owner.tenantId, messageId }, studentSenders, { signal }, now)

const mailsOf = async (messageId: string) => {
  const pattern = `outbox:${messageId}:%`
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ id: string; to: string; status: string }>(
      sql`select id, "to", status from mail where once_key like ${pattern} order by "to"`,
    ),
  )
  return rows
}

async function setStatus(mailId: string, status: string): Promise<void> {
  await inTenant(owner, (tx) =>
    tx.execute(sql`update mail set status = ${status}, error = '550 5.1.1' where id = ${mailId}`),
  )
}

const deliverAll = async (messageId: string) => {
  for (const { id } of await mailsOf(messageId)) {
    await deliverEmail({ tenantId: owner.tenantId, mailId: id }, { isLastAttempt: false })
  }
}

const stateOf = async (messageId: string) => (await getMessage(owner, { messageId })).message.state

describe('a message', () => {
  test('is sent only after it was released and a minute has passed, once to each recipient', async () => {
    const ids = await addStudents(3)
    const messageId = await draft(ids)
    await run(messageId)
    expect(await mailsOf(messageId)).toHaveLength(0)
    await scheduleMessage(owner, { messageId })
    await scheduleMessage(owner, { messageId })
    await run(messageId, () => new Date())
    expect(await mailsOf(messageId)).toHaveLength(0)
    await Promise.all([run(messageId), run(messageId)])
    await run(messageId)
    expect(await mailsOf(messageId)).toHaveLength(3)
    expect(await stateOf(messageId)).toBe('sending')
    await deliverAll(messageId)
    const { message, recipients, languages } = await getMessage(owner, { messageId })
    expect(message).toMatchObject({ state: 'sent', sentCount: 3, bouncedCount: 0, recipientCount: 3 })
    expect(recipients.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
    expect(languages).toEqual([{ locale: 'uk', recipients: 3 }])
  })

  test('continues where a crash has interrupted it', async () => {
    const messageId = await draft(await addStudents(101))
    await scheduleMessage(owner, { messageId })
    const stop = new AbortController()
    let batches = 0
    const clock = () => {
      if (++batches === 2) stop.abort(new Error('crash'))
      return later()
    }
    const interrupted = sendOutgoingMessage({ tenantId: owner.tenantId, messageId }, studentSenders, stop, clock)
    await expect(interrupted).rejects.toThrow('crash')
    await run(messageId)
    expect(new Set((await mailsOf(messageId)).map(({ to }) => to)).size).toBe(101)
    expect(await mailsOf(messageId)).toHaveLength(101)
  })

  test('is recalled within the minute and then sends nothing, and later not at all', async () => {
    const messageId = await draft(await addStudents(2))
    await scheduleMessage(owner, { messageId })
    expect(await recallMessage(owner, { messageId })).toEqual({ recalled: 2 })
    expect(await recallMessage(owner, { messageId })).toEqual({ recalled: 0 })
    expect((await auditedActions(owner, messageId)).filter((action) => action === 'message.recalled')).toHaveLength(1)
    await run(messageId)
    expect(await mailsOf(messageId)).toHaveLength(0)
    expect((await getMessage(owner, { messageId, state: 'recalled' })).recipients).toHaveLength(2)
    const sent = await draft(await addStudents(1))
    await scheduleMessage(owner, { messageId: sent })
    await run(sent)
    await deliverAll(sent)
    await expect(recallMessage(owner, { messageId: sent })).rejects.toMatchObject({ code: 'gone' })
  })

  test('that is recalled while it is sent keeps the sent emails', async () => {
    const messageId = await draft(await addStudents(2))
    await scheduleMessage(owner, { messageId })
    await run(messageId)
    const [first] = await mailsOf(messageId)
    await deliverEmail({ tenantId: owner.tenantId, mailId: first?.id ?? '' }, { isLastAttempt: false })
    expect(await recallMessage(owner, { messageId })).toEqual({ recalled: 1 })
    expect((await mailsOf(messageId)).map(({ status }) => status).sort()).toEqual(['recalled', 'sent'])
  })

  test('is held, edited and sent, and each of these is audited', async () => {
    const messageId = await draft(await addStudents(1))
    await scheduleMessage(owner, { messageId })
    const texts = { subject: 'Зміна часу', text: 'Заняття о 19:00.' }
    await expect(editMessage(owner, { messageId, revision: 1, ...texts })).rejects.toMatchObject({ code: 'gone' })
    await holdMessage(owner, { messageId })
    await holdMessage(owner, { messageId })
    await run(messageId)
    expect(await mailsOf(messageId)).toHaveLength(0)
    await editMessage(owner, { messageId, revision: 1, ...texts })
    const second = editMessage(home.as.DIRECTOR, { messageId, revision: 1, ...texts, text: 'Інше' })
    await expect(second).rejects.toMatchObject({ code: 'conflict' })
    await expect(editMessage(owner, { messageId, revision: 2, subject: '', text: '' })).rejects.toMatchObject({
      code: 'invalid',
    })
    await scheduleMessage(owner, { messageId })
    await run(messageId)
    const [sent] = await mailsOf(messageId)
    const { rows } = await inSystem((tx) =>
      tx
        .execute(sql`select set_config('app.tenant_id', ${owner.tenantId}, true)`)
        .then(() => tx.execute<{ subject: string }>(sql`select subject from mail where id = ${sent?.id}`)),
    )
    expect(rows[0]?.subject).toBe('Зміна часу')
    const audit = await inTenant(owner, (tx) =>
      tx.execute<{ action: string }>(
        sql`select action from audit_entry where object_id = ${messageId} order by created_at, id`,
      ),
    )
    expect(audit.rows.map(({ action }) => action)).toEqual([
      'message.scheduled',
      'message.held',
      'message.edited',
      'message.scheduled',
    ])
  })

  test('skips those who were blocked in the meantime, with the reason', async () => {
    const ids = await addStudents(2)
    const messageId = await draft(ids)
    await scheduleMessage(owner, { messageId })
    await inTenant(owner, (tx) => setMembersBlocked(tx, ids.slice(0, 1), new Date()))
    await run(messageId)
    const { recipients, message } = await getMessage(owner, { messageId, state: 'failed' })
    expect(recipients).toMatchObject([{ id: ids[0], reason: 'blocked' }])
    expect(message.failedCount).toBe(1)
    expect(await mailsOf(messageId)).toHaveLength(1)
  })

  test('posted twice is one draft, which can be discarded', async () => {
    const [id = ''] = await addStudents(1)
    const input = { target: { studentIds: [id] }, action: 'email' as const, subject: 'А', text: 'Б' }
    const messageId = randomUUID()
    await Promise.all([1, 2].map(() => createStudentMessage(owner, { messageId, ...input })))
    expect((await getMessage(owner, { messageId })).message.recipientCount).toBe(1)
    await discardOutgoingMessage(owner, { messageId })
    await expect(getMessage(owner, { messageId })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a bounce', () => {
  test('is counted, and makes the status of the student unknown until the address is corrected', async () => {
    const [id = ''] = await addStudents(1)
    const messageId = await draft([id])
    await scheduleMessage(owner, { messageId })
    await run(messageId)
    const [mail] = await mailsOf(messageId)
    await setStatus(mail?.id ?? '', 'bounced')
    const { message, recipients } = await getMessage(owner, { messageId })
    expect(message).toMatchObject({ state: 'sent', bouncedCount: 1, sentCount: 0 })
    expect(recipients).toMatchObject([{ state: 'bounced', reason: '550 5.1.1' }])
    expect((await listMessages(owner, { filter: 'bounced' })).items.map((item) => item.id)).toContain(messageId)
    const statusOf = async () =>
      (await listStudents(owner, { q: 'outbox.test', limit: 200 })).items.find((item) => item.id === id)?.status
    expect(await statusOf()).toBe('unknown')
    await inSystem((tx) => tx.execute(sql`update "user" set email = 'fixed@outbox.test' where email = ${mail?.to}`))
    expect(await statusOf()).toBe('accepted')
  })
})

describe('invitations', () => {
  test('get a new link each, except those who have accepted', async () => {
    const [accepted = ''] = await addStudents(1)
    const { studentId } = await inviteStudent(owner, { email: 'again@outbox.test' })
    const target = { studentIds: [accepted, studentId] }
    const { messageId } = await createStudentMessage(owner, {
      messageId: randomUUID(),
      target,
      action: 'invite',
      text: 'Чекаємо!',
    })
    await scheduleMessage(owner, { messageId })
    await run(messageId)
    expect((await mailsOf(messageId)).map(({ to }) => to)).toEqual(['again@outbox.test'])
    expect((await getMessage(owner, { messageId, state: 'failed' })).recipients).toMatchObject([
      { id: accepted, reason: 'already_accepted' },
    ])
    const { rows } = await inTenant(owner, (tx) =>
      tx.execute(sql`select 1 from invitation where student_id = ${studentId} and revoked_at is null`),
    )
    expect(rows).toHaveLength(1)
  })
})

test('the outbox is searched by text and address and read page by page', async () => {
  const ids = await addStudents(1)
  const messageIds = [await draft(ids), await draft(ids), await draft(ids)]
  const first = await listMessages(owner, { q: 'розклад', limit: 2 })
  expect(first.items.map(({ id }) => id)).toEqual(messageIds.slice(1).reverse())
  const second = await listMessages(owner, { q: 'розклад', limit: 2, cursor: first.next ?? undefined })
  expect(second.items[0]?.id).toBe(messageIds[0])
  expect((await listMessages(owner, { q: `reader-${count}@outbox.test` })).items).toHaveLength(3)
  expect((await listMessages(owner, { filter: 'recalled', q: 'немає' })).items).toEqual([])
})

test('owner and director manage the outbox, nobody else and no other school', async () => {
  const ids = await addStudents(1)
  const messageId = await draft(ids)
  const refusals: Record<string, string> = {}
  for (const role of ROLES) {
    const actions = [getMessage, scheduleMessage, holdMessage, recallMessage].map((action) =>
      action(home.as[role], { messageId }).then(
        () => 'ok',
        (error: { code?: string }) => error.code ?? 'error',
      ),
    )
    refusals[role] = [...new Set(await Promise.all(actions.slice(0, 1)))].join()
  }
  expect(refusals).toEqual(
    Object.fromEntries(ROLES.map((role) => [role, ['OWNER', 'DIRECTOR'].includes(role) ? 'ok' : 'not_found'])),
  )
  for (const action of [getMessage, scheduleMessage, holdMessage, recallMessage, discardOutgoingMessage]) {
    await expect(action(other.as.OWNER, { messageId })).rejects.toMatchObject({ code: 'not_found' })
  }
  await expect(async () => listMessages(home.as.EXPERT, {})).rejects.toMatchObject({ code: 'forbidden' })
  expect((await listMessages(other.as.OWNER, {})).items).toEqual([])
  const foreign = createStudentMessage(other.as.OWNER, {
    messageId: randomUUID(),
    target: { studentIds: ids },
    action: 'email',
    subject: 'А',
    text: 'Б',
  })
  await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
})
