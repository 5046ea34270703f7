import { beforeEach, expect, test } from 'vitest'
import { chatCardSection } from '#lib/chat/erasure.ts'
import { deleteChatMessage, editChatMessage } from '#lib/chat/message/change.ts'
import { listMessageEdits } from '#lib/chat/message/edits.ts'
import { forwardMessage } from '#lib/chat/message/forward.ts'
import { listPinned, pinChatMessage } from '#lib/chat/message/pin.ts'
import { reactToMessage } from '#lib/chat/message/reaction.ts'
import { listReaders } from '#lib/chat/readers.ts'
import { ListReaders, PIN_LIMIT } from '#lib/chat/schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requestApi } from '../../api/api-request.ts'
import { chatCourse, giveAccess, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { getConversation, listMessages } from '../../setup/chat/parsed-chat.ts'
import { parsed } from '../../setup/parsed/parsed.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let courseId: string
let direct: string
beforeEach(async () => {
  home = await createTestTenant()
  courseId = (await chatCourse(home)).courseId
  direct = await startDirect(home.as.STUDENT, home.as.CURATOR)
})

const code = (name: string) => expect.objectContaining({ code: name })
const readers = parsed(ListReaders, listReaders)
const reactionsOf = async (actor: Actor, conversationId: string) =>
  (await listMessages(actor, { conversationId })).messages.map(({ reactions, ownReactions }) => ({
    reactions,
    ownReactions,
  }))

test('reactions are counted once per member and are removed again', async () => {
  const { STUDENT, CURATOR } = home.as
  const { seq } = await sendText(STUDENT, direct, 'Готово')
  const react = (actor: Actor, reaction: '👍' | '🎉', isSet = true) =>
    reactToMessage(actor, { conversationId: direct, seq, reaction, isSet })
  await Promise.all([react(CURATOR, '👍'), react(CURATOR, '👍'), react(STUDENT, '👍'), react(CURATOR, '🎉')])
  const [shown] = await reactionsOf(CURATOR, direct)
  expect(shown?.reactions.toSorted((a, b) => b.count - a.count)).toEqual([
    { reaction: '👍', count: 2 },
    { reaction: '🎉', count: 1 },
  ])
  expect(shown?.ownReactions.toSorted()).toEqual(['🎉', '👍'].toSorted())
  await react(CURATOR, '👍', false)
  await react(CURATOR, '👍', false)
  expect((await reactionsOf(STUDENT, direct))[0]).toMatchObject({ ownReactions: ['👍'] })
  await deleteChatMessage(STUDENT, { conversationId: direct, seq })
  expect(await reactionsOf(STUDENT, direct)).toEqual([{ reactions: [], ownReactions: [] }])
  await expect(react(CURATOR, '👍')).rejects.toEqual(code('not_found'))
})

test('the readers of an edited message see its earlier texts, until it is deleted', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  const { seq } = await sendText(CURATOR, direct, 'Термін — п’ятниця')
  const ref = { conversationId: direct, seq }
  for (const body of ['Термін — субота', 'Термін — субота', 'Термін — неділя'])
    await editChatMessage(CURATOR, { ...ref, body })
  expect((await listMessageEdits(STUDENT, ref)).edits.map(({ body }) => body)).toEqual([
    'Термін — субота',
    'Термін — п’ятниця',
  ])
  for (const actor of [OWNER, (await createOtherTenant()).as.OWNER])
    await expect(listMessageEdits(actor, ref)).rejects.toEqual(code('not_found'))
  await deleteChatMessage(CURATOR, ref)
  expect(await listMessageEdits(STUDENT, ref)).toEqual({ edits: [] })
})

test('staff pin in a course, both in a direct conversation, at most twenty', async () => {
  const { STUDENT, CURATOR } = home.as
  const course = await start(CURATOR, { kind: 'course', courseId })
  const pin = (actor: Actor, conversationId: string, seq: number, isPinned = true) =>
    pinChatMessage(actor, { conversationId, seq, isPinned })
  for (let n = 0; n <= PIN_LIMIT; n += 1) await sendText(CURATOR, course, `Повідомлення ${n}`)
  await expect(pin(STUDENT, course, 1)).rejects.toEqual(code('forbidden'))
  for (let seq = 1; seq < PIN_LIMIT; seq += 1) await pin(CURATOR, course, seq)
  const last = await Promise.allSettled([pin(CURATOR, course, PIN_LIMIT), pin(CURATOR, course, PIN_LIMIT + 1)])
  expect(last.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await deleteChatMessage(CURATOR, { conversationId: course, seq: 1 })
  await pin(CURATOR, course, 2, false)
  await pin(CURATOR, course, 2, false)
  expect((await listPinned(STUDENT, { conversationId: course })).messages).toHaveLength(PIN_LIMIT - 2)
  await sendText(STUDENT, direct, 'Важливе')
  expect(await pin(STUDENT, direct, 1)).toMatchObject({ isPinned: true })
  await expect(pin(STUDENT, direct, 9)).rejects.toEqual(code('not_found'))
})

test('a mention reaches readers only, and everyone is mentioned by staff only', async () => {
  const { STUDENT, CURATOR, MENTOR, EXPERT } = home.as
  const course = await start(CURATOR, { kind: 'course', courseId })
  const classmate = await addTestMember(home, 'STUDENT', 'classmate@school.test')
  await giveAccess(classmate, courseId)
  const mentions = [STUDENT, MENTOR, EXPERT].map(({ membershipId }) => membershipId)
  const sent = await sendText(CURATOR, course, '@student Тест, гляньте', { mentions })
  expect(sent.mentions.map(({ name }) => name).toSorted()).toEqual(['expert Тест', 'student Тест'])
  const mentioned = async (actor: Actor) => (await getConversation(actor, { conversationId: course })).isMentioned
  expect([await mentioned(STUDENT), await mentioned(classmate)]).toEqual([true, false])
  await expect(sendText(STUDENT, course, '@усі', { mentionsAll: true })).rejects.toEqual(code('forbidden'))
  await sendText(CURATOR, course, '@усі', { mentionsAll: true })
  expect(await mentioned(classmate)).toBe(true)
  await expect(sendText(CURATOR, direct, '@усі', { mentionsAll: true })).rejects.toEqual(code('forbidden'))
  // The student, the classmate and the owner, who has created the course.
  expect(await readers(CURATOR, { conversationId: course })).toMatchObject({ total: 3 })
  expect((await readers(STUDENT, { conversationId: course, search: 'cur' })).readers).toMatchObject([
    { name: 'curator Тест' },
  ])
  expect((await readers(STUDENT, { conversationId: course, search: 'mentor' })).readers).toEqual([])
})

test('a message is forwarded once, with its first author, where the sender may post', async () => {
  const { STUDENT, CURATOR, MENTOR } = home.as
  const team = await start(CURATOR, {
    kind: 'team',
    title: 'Куратори',
    conversationId: newId(),
    memberIds: [MENTOR.membershipId],
  })
  const { seq } = await sendText(STUDENT, direct, 'Питання студента')
  const messageId = newId()
  const forward = { conversationId: direct, seq, toConversationId: team, messageId }
  const sent = await Promise.all([forwardMessage(CURATOR, forward), forwardMessage(CURATOR, forward)])
  expect(sent.map((message) => message.seq)).toEqual([1, 1])
  expect(sent[0]).toMatchObject({ body: 'Питання студента', forwardedFrom: 'student Тест', author: 'curator Тест' })
  const other = await start(MENTOR, {
    kind: 'team',
    title: 'Інша',
    conversationId: newId(),
    memberIds: [CURATOR.membershipId],
  })
  const again = { conversationId: team, seq: 1, toConversationId: other, messageId: newId() }
  expect(await forwardMessage(MENTOR, again)).toMatchObject({ forwardedFrom: 'student Тест' })
  await expect(forwardMessage(STUDENT, { ...forward, messageId: newId() })).rejects.toEqual(code('not_found'))
  await expect(forwardMessage(MENTOR, { ...forward, messageId: newId() })).rejects.toEqual(code('not_found'))
  // The forwarded copies are erased with the texts of the student.
  const person = { studentId: STUDENT.membershipId, email: STUDENT.email }
  await inTenant(CURATOR, async (tx) => {
    await chatCardSection.erase?.(tx, person)
  })
  for (const conversationId of [team, other])
    expect((await listMessages(CURATOR, { conversationId })).messages).toMatchObject([{ body: '' }])
})

test('nothing of it works on conversations of others, by guessed ids either', async () => {
  const other = await createOtherTenant()
  const { STUDENT, OWNER, MENTOR } = home.as
  await sendText(STUDENT, direct, 'Наше')
  const ref = { conversationId: direct, seq: 1 }
  for (const actor of [other.as.OWNER, other.as.STUDENT, OWNER, MENTOR])
    for (const attempt of [
      () => reactToMessage(actor, { ...ref, reaction: '👍', isSet: true }),
      () => pinChatMessage(actor, { ...ref, isPinned: true }),
      () => listPinned(actor, ref),
      () => readers(actor, ref),
      () => forwardMessage(actor, { ...ref, toConversationId: direct, messageId: newId() }),
    ])
      await expect(attempt()).rejects.toEqual(code('not_found'))
})

test('the procedures validate their input', async () => {
  await sendText(home.as.STUDENT, direct, 'Текст')
  const call = async (action: string, body: object) =>
    (
      await requestApi('POST', `chat/${action}`, {
        actor: home.as.CURATOR,
        body: { conversationId: direct, seq: 1, ...body },
      })
    ).status
  expect(await call('react', { reaction: '💣', isSet: true })).toBe(400)
  expect(await call('react', { reaction: '👍', isSet: true })).toBe(200)
  expect(await call('pin', { isPinned: 'x' })).toBe(400)
  expect(await call('pin', { seq: 0, isPinned: true })).toBe(400)
  expect(await call('forwardMessage', { toConversationId: 'x', messageId: newId() })).toBe(400)
})
