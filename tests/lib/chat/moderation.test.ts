import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { banMember, listBans, unbanMember } from '#lib/chat/moderation/bans.ts'
import { countReports, listReports, reportMessage, resolveReport } from '#lib/chat/moderation/reports.ts'
import { canBan, canReportMessage, canReviewReports } from '#lib/chat/moderation/rules.ts'
import { ListReports, ReportMessage } from '#lib/chat/moderation/schema.ts'
import { CHAT_MANAGERS, CHAT_ROLES } from '#lib/chat/rules.ts'
import { CONVERSATION_KINDS } from '#lib/chat/schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { chatCourse, giveAccess, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { getConversation, listConversations, listMessages } from '../../setup/chat/parsed-chat.ts'
import { listNotifications } from '../../setup/notification.ts'
import { parsed } from '../../setup/parsed/parsed.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let course: string
let classmate: Actor
beforeEach(async () => {
  home = await createTestTenant()
  const { courseId } = await chatCourse(home)
  course = await start(home.as.CURATOR, { kind: 'course', courseId })
  classmate = await addTestMember(home, 'STUDENT', `classmate@${home.tenant.subdomain}.test`)
  await giveAccess(classmate, courseId)
})

const code = (name: string) => expect.objectContaining({ code: name })
const personWith = (role: (typeof ROLES)[number]) => ({ roles: [role] })
const STAFF = CHAT_ROLES.filter((role) => role !== 'STUDENT')
const report = parsed(ReportMessage, reportMessage)
const reports = async (actor: Actor) => (await listReports(actor, ListReports.parse({}))).items
const auditOf = async (action: string) => {
  const { rows } = await inTenant(home.as.OWNER, (tx) =>
    tx.execute(sql`select object_id as "objectId" from audit_entry where action = ${action}`),
  )
  return rows.map(({ objectId }) => objectId)
}

test('managers review all reports, other staff those of their courses, students none', () => {
  for (const isAssigned of [false, true]) {
    const reviewers = ROLES.filter((role) => canReviewReports(personWith(role), { isAssigned }).allow)
    expect(reviewers).toEqual(isAssigned ? STAFF : [...CHAT_MANAGERS])
  }
})

test('reviewers ban students from courses and groups, nobody else and nowhere else', () => {
  for (const kind of CONVERSATION_KINDS)
    for (const isAssigned of [false, true])
      for (const isStudent of [false, true]) {
        const allowed = ROLES.filter((role) => canBan(personWith(role), { kind, isAssigned }, { isStudent }).allow)
        const isPossible = isStudent && (kind === 'course' || kind === 'group')
        expect([kind, isAssigned, isStudent, allowed]).toEqual([
          kind,
          isAssigned,
          isStudent,
          isPossible ? (isAssigned ? STAFF : [...CHAT_MANAGERS]) : [],
        ])
      }
})

test('messages of others are reported, own and deleted ones are not', () => {
  const me = { membershipId: 'me' }
  expect(canReportMessage(me, { authorId: 'other', isDeleted: false }).allow).toBe(true)
  expect(canReportMessage(me, { authorId: 'me', isDeleted: false }).allow).toBe(false)
  expect(canReportMessage(me, { authorId: 'other', isDeleted: true }).allow).toBe(false)
})

test('a report shows the staff the text as it was, once, and the decision ends it', async () => {
  const { STUDENT, CURATOR, OWNER, MENTOR } = home.as
  await sendText(classmate, course, 'Купуйте рекламу')
  const input = { conversationId: course, seq: 1, reason: 'spam', note: 'Уже втретє' } as const
  for (const _ of [1, 2]) await report(STUDENT, input)
  await report(CURATOR, { ...input, reason: 'other' })
  await expect(report(classmate, input)).rejects.toEqual(code('forbidden'))
  expect([await countReports(OWNER), await countReports(CURATOR), await countReports(STUDENT)]).toEqual([2, 2, 0])
  const [first] = await reports(OWNER)
  expect(first).toMatchObject({ body: 'Купуйте рекламу', reason: 'spam', note: 'Уже втретє', canBan: true })
  expect(await reports(MENTOR)).toEqual([])
  await expect(reports(STUDENT)).rejects.toEqual(code('forbidden'))
  expect((await listNotifications(OWNER, {})).items).toMatchObject([{ kind: 'chat_reported', count: 2 }])
  const reportId = first?.id ?? ''
  for (const actor of [MENTOR, STUDENT])
    await expect(resolveReport(actor, { reportId, outcome: 'deleted' })).rejects.toEqual(code('not_found'))
  for (const _ of [1, 2]) await resolveReport(CURATOR, { reportId, outcome: 'deleted' })
  await expect(resolveReport(CURATOR, { reportId, outcome: 'dismissed' })).rejects.toEqual(code('conflict'))
  expect(await reports(OWNER)).toEqual([])
  const { messages } = await listMessages(STUDENT, { conversationId: course })
  expect(messages).toMatchObject([{ body: '', deletedAt: expect.any(Date) }])
  await expect(report(STUDENT, input)).rejects.toEqual(code('forbidden'))
})

test('a reported message of a direct conversation is deleted by a manager who does not read it', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  const direct = await startDirect(STUDENT, CURATOR)
  await sendText(CURATOR, direct, 'Образа')
  await report(STUDENT, { conversationId: direct, seq: 1, reason: 'insult' })
  const [item] = await reports(OWNER)
  expect(item).toMatchObject({ body: 'Образа', canBan: false })
  await expect(resolveReport(OWNER, { reportId: item?.id ?? '', outcome: 'banned' })).rejects.toEqual(code('forbidden'))
  await resolveReport(OWNER, { reportId: item?.id ?? '', outcome: 'deleted' })
  expect((await listMessages(STUDENT, { conversationId: direct })).messages).toMatchObject([{ body: '' }])
  await expect(getConversation(OWNER, { conversationId: direct })).rejects.toEqual(code('not_found'))
})

test('a banned student neither reads nor writes in the conversation until the ban ends', async () => {
  const { STUDENT, CURATOR, MENTOR } = home.as
  await sendText(classmate, course, 'Спам')
  await report(STUDENT, { conversationId: course, seq: 1, reason: 'spam' })
  const [item] = await reports(CURATOR)
  await resolveReport(CURATOR, { reportId: item?.id ?? '', outcome: 'banned' })
  const ban = { conversationId: course, memberId: classmate.membershipId }
  await banMember(CURATOR, ban)
  expect((await listConversations(classmate, {})).items).toEqual([])
  await expect(listMessages(classmate, { conversationId: course })).rejects.toEqual(code('not_found'))
  await expect(sendText(classmate, course, 'Знову')).rejects.toEqual(code('not_found'))
  expect((await listBans(CURATOR)).bans).toMatchObject([ban])
  expect((await listBans(MENTOR)).bans).toEqual([])
  await expect(listBans(STUDENT)).rejects.toEqual(code('forbidden'))
  for (const _ of [1, 2]) await unbanMember(CURATOR, ban)
  expect((await listMessages(classmate, { conversationId: course })).messages).toHaveLength(1)
  expect(await auditOf('chat.member_banned')).toEqual([classmate.membershipId])
  expect(await auditOf('chat.member_unbanned')).toEqual([classmate.membershipId])
})

test('reports and bans of other schools are not found', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  await sendText(classmate, course, 'Спам')
  await report(STUDENT, { conversationId: course, seq: 1, reason: 'spam' })
  const [item] = await reports(OWNER)
  const { as } = await createOtherTenant()
  expect(await reports(as.OWNER)).toEqual([])
  await expect(report(as.STUDENT, { conversationId: course, seq: 1, reason: 'spam' })).rejects.toEqual(
    code('not_found'),
  )
  const resolved = resolveReport(as.OWNER, { reportId: item?.id ?? '', outcome: 'deleted' })
  await expect(resolved).rejects.toEqual(code('not_found'))
  const ban = { conversationId: course, memberId: classmate.membershipId }
  await expect(banMember(as.OWNER, ban)).rejects.toEqual(code('not_found'))
  await expect(banMember(STUDENT, ban)).rejects.toEqual(code('forbidden'))
  await expect(banMember(CURATOR, { ...ban, memberId: OWNER.membershipId })).rejects.toEqual(code('forbidden'))
})
