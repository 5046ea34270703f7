import { beforeEach, expect, test } from 'vitest'
import { archiveConversation, leaveConversation } from '#lib/chat/membership.ts'
import { addConversationParticipants, listConversationParticipants } from '#lib/chat/participants.ts'
import { canAddParticipants, canLeaveConversation } from '#lib/chat/rules.ts'
import { CONVERSATION_KINDS } from '#lib/chat/schema.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { chatCourse, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { getConversation, listConversations, listMessages } from '../../setup/chat/parsed-chat.ts'
import { listNotifications } from '../../setup/notification.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let courseId: string
beforeEach(async () => {
  home = await createTestTenant()
  courseId = (await chatCourse(home)).courseId
})

const code = (name: string) => expect.objectContaining({ code: name })
const listed = async (actor: Actor, isArchived = false) =>
  (await listConversations(actor, { isArchived })).items.map(({ id }) => id)
const team = (actor: Actor, others: readonly Actor[]) =>
  start(actor, {
    kind: 'team',
    title: 'Рада',
    conversationId: newId(),
    memberIds: others.map(({ membershipId }) => membershipId),
  })

test('an archived conversation is read, and returns with the next message', async () => {
  const { STUDENT, CURATOR } = home.as
  const course = await start(CURATOR, { kind: 'course', courseId })
  await sendText(CURATOR, course, 'Раз')
  for (const _ of [1, 2]) await archiveConversation(STUDENT, { conversationId: course, isArchived: true })
  expect([await listed(STUDENT), await listed(STUDENT, true)]).toEqual([[], [course]])
  expect(await getConversation(STUDENT, { conversationId: course })).toMatchObject({ isArchived: true, unread: 0 })
  expect(await listed(CURATOR)).toEqual([course])
  await sendText(CURATOR, course, 'Два')
  expect([await listed(STUDENT), await listed(STUDENT, true)]).toEqual([[course], []])
  expect(await getConversation(STUDENT, { conversationId: course })).toMatchObject({ isArchived: false, unread: 1 })
  await archiveConversation(STUDENT, { conversationId: course, isArchived: true })
  await archiveConversation(STUDENT, { conversationId: course, isArchived: false })
  expect(await listed(STUDENT)).toEqual([course])
})

test('a member leaves a conversation of the team, and the others keep it', async () => {
  const { CURATOR, MENTOR } = home.as
  const id = await team(CURATOR, [MENTOR])
  await sendText(CURATOR, id, 'Раз')
  await leaveConversation(MENTOR, { conversationId: id })
  expect([await listed(MENTOR), await listed(CURATOR)]).toEqual([[], [id]])
  await expect(getConversation(MENTOR, { conversationId: id })).rejects.toEqual(code('not_found'))
  await expect(sendText(MENTOR, id, 'Два')).rejects.toEqual(code('not_found'))
  await expect(leaveConversation(MENTOR, { conversationId: id })).rejects.toEqual(code('not_found'))
})

const add = (actor: Actor, conversationId: string, others: readonly Actor[]) =>
  addConversationParticipants(actor, { conversationId, memberIds: others.map(({ membershipId }) => membershipId) })
const names = (members: readonly { name: string }[]) => members.map(({ name }) => name.split(' ')[0])

test('participants add others and those who left, who read everything, and have nothing unread', async () => {
  const { CURATOR, MENTOR, EXPERT } = home.as
  const id = await team(CURATOR, [MENTOR])
  await sendText(CURATOR, id, 'Раз')
  await leaveConversation(MENTOR, { conversationId: id })
  await sendText(CURATOR, id, 'Два')
  for (const _ of [1, 2]) await add(CURATOR, id, [MENTOR])
  expect((await listMessages(MENTOR, { conversationId: id })).messages.map(({ body }) => body)).toEqual(['Раз', 'Два'])
  expect(await getConversation(MENTOR, { conversationId: id })).toMatchObject({ unread: 0, canAddParticipants: true })
  expect((await listNotifications(MENTOR, {})).items).toMatchObject([{ kind: 'chat_added' }])
  await Promise.all([1, 2, 3].map(() => add(MENTOR, id, [EXPERT])))
  await sendText(CURATOR, id, 'Три')
  expect(await getConversation(EXPERT, { conversationId: id })).toMatchObject({ unread: 1 })
  const { participants, candidates } = await listConversationParticipants(EXPERT, { conversationId: id })
  expect(names(participants)).toEqual(['curator', 'expert', 'mentor'])
  expect(names(candidates)).toEqual(['director', 'moderator', 'owner', 'presenter'])
})

test('only participants add to a conversation, only of the team, and only team members of the school', async () => {
  const { CURATOR, MENTOR, EXPERT, OWNER, STUDENT, MEMBER } = home.as
  const other = await createOtherTenant()
  const id = await team(CURATOR, [MENTOR])
  await leaveConversation(MENTOR, { conversationId: id })
  for (const actor of [MENTOR, OWNER, other.as.OWNER]) {
    await expect(add(actor, id, [EXPERT])).rejects.toEqual(code('not_found'))
    await expect(listConversationParticipants(actor, { conversationId: id })).rejects.toEqual(code('not_found'))
  }
  for (const added of [STUDENT, MEMBER, other.as.CURATOR])
    await expect(add(CURATOR, id, [added])).rejects.toEqual(code('unprocessable'))
  const course = await start(CURATOR, { kind: 'course', courseId })
  await expect(add(CURATOR, course, [EXPERT])).rejects.toEqual(code('forbidden'))
  await expect(add({ ...CURATOR, plans: [] }, id, [EXPERT])).rejects.toEqual(code('plan_inactive'))
  for (const role of ROLES)
    for (const isParticipant of [false, true]) {
      const kinds = CONVERSATION_KINDS.filter(
        (kind) => canAddParticipants({ roles: [role] }, { kind, isParticipant }).allow,
      )
      expect([role, isParticipant, kinds]).toEqual([
        role,
        isParticipant,
        isParticipant && role !== 'MEMBER' ? ['team'] : [],
      ])
    }
})

test('of the last participants who leave at the same time, one stays', async () => {
  const { CURATOR, MENTOR } = home.as
  const id = await team(CURATOR, [MENTOR])
  const left = await Promise.allSettled(
    [CURATOR, MENTOR].map((actor) => leaveConversation(actor, { conversationId: id })),
  )
  expect(left.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const stayed = left[0]?.status === 'rejected' ? CURATOR : MENTOR
  await expect(leaveConversation(stayed, { conversationId: id })).rejects.toEqual(code('unprocessable'))
  await add(stayed, id, [home.as.EXPERT])
  await leaveConversation(stayed, { conversationId: id })
})

test('direct conversations and those of courses are archived, not left', async () => {
  const { STUDENT, CURATOR } = home.as
  const direct = await startDirect(STUDENT, CURATOR)
  const course = await start(CURATOR, { kind: 'course', courseId })
  for (const conversationId of [direct, course])
    await expect(leaveConversation(STUDENT, { conversationId })).rejects.toEqual(code('forbidden'))
  for (const kind of CONVERSATION_KINDS) {
    const leaving = ROLES.filter((role) => canLeaveConversation({ roles: [role] }, { kind, isParticipant: true }).allow)
    expect([kind, leaving.length]).toEqual([kind, kind === 'team' ? ROLES.length - 1 : 0])
  }
  expect(canLeaveConversation({ roles: ['OWNER'] }, { kind: 'team', isParticipant: false }).allow).toBe(false)
})

test('conversations of others and of other schools are not found', async () => {
  const { CURATOR, MENTOR, EXPERT } = home.as
  const id = await team(CURATOR, [MENTOR])
  const { as } = await createOtherTenant()
  for (const actor of [EXPERT, as.OWNER]) {
    await expect(archiveConversation(actor, { conversationId: id, isArchived: true })).rejects.toEqual(
      code('not_found'),
    )
    await expect(leaveConversation(actor, { conversationId: id })).rejects.toEqual(code('not_found'))
  }
})
