import { asc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { approveMessage, deleteMessage, pinMessage, setAnswering } from '#lib/meeting/chat/actions.ts'
import { exportChat, findMessages } from '#lib/meeting/chat/message-pages.ts'
import { isolatePerson, mutePerson } from '#lib/meeting/chat/moderation.ts'
import { rebuildChat } from '#lib/meeting/chat/projection.ts'
import { DELETE_OWN_LIMIT_MS } from '#lib/meeting/chat/rules.ts'
import { UPVOTE } from '#lib/meeting/chat/schema.ts'
import { addReaction } from '#lib/meeting/chat/send-message.ts'
import { meetingMessage, meetingReaction } from '#lib/meeting/chat/table.ts'
import { openRoomStream } from '#lib/meeting/stream.ts'
import { requestApi } from '../../api/api-request.ts'
import { installFakeMediaProcess } from '../../setup/media/fake-media-process.ts'
import {
  appendTestEvents,
  type ChatRoom,
  createChatRoom,
  joinRoom,
  readRoomLog,
  sendTestMessage,
  type TestParticipant,
} from '../../setup/meeting/chat-room.ts'
import { answerQuestion, banPerson, listChatMessages, listPeople } from '../../setup/parsed/meeting.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const refusal = (code: string, reason?: string) =>
  expect.objectContaining({
    code,
    ...(reason && { details: expect.objectContaining({ data: expect.objectContaining({ reason }) }) }),
  })

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

const texts = async ({ seatToken }: TestParticipant, more: Partial<Parameters<typeof listChatMessages>[0]> = {}) =>
  (await listChatMessages({ seatToken, ...more })).messages.map(({ text }) => text)

async function people(room: ChatRoom) {
  const [host, moderator, viewer, other] = await Promise.all([
    joinRoom(room, 'host'),
    joinRoom(room, 'moderator'),
    joinRoom(room, 'viewer'),
    joinRoom(room, 'viewer'),
  ])
  return { host, moderator, viewer, other }
}

const openStream = ({ seatToken }: TestParticipant) =>
  openRoomStream(new Request(`http://school.test/v1/room?${new URLSearchParams({ seatToken })}`))

const tables = (room: ChatRoom) =>
  inTenant(room, async (tx) => ({
    messages: await tx
      .select()
      .from(meetingMessage)
      .where(eq(meetingMessage.sessionId, room.id))
      .orderBy(asc(meetingMessage.seq)),
    reactions: await tx
      .select()
      .from(meetingReaction)
      .where(eq(meetingReaction.sessionId, room.id))
      .orderBy(asc(meetingReaction.messageId), asc(meetingReaction.personId), asc(meetingReaction.emoji)),
  }))

describe('sending a chat message', () => {
  test('delivers it to everybody in the order of the log', async () => {
    const room = await createChatRoom(ours)
    const { host, viewer, other } = await people(room)
    await sendTestMessage(viewer, 'Добрий вечір')
    await sendTestMessage(host, 'Вітаю всіх')
    expect(await texts(other)).toEqual(['Вітаю всіх', 'Добрий вечір'])
    expect(await texts(host)).toEqual(['Вітаю всіх', 'Добрий вечір'])
  })

  test('stores one message however often and concurrently the browser retries', async () => {
    const room = await createChatRoom(ours)
    const { viewer, other } = await people(room)
    const messageId = newId()
    const tries = await Promise.all([1, 2, 3].map(() => sendTestMessage(viewer, 'Раз', { messageId })))
    const again = await sendTestMessage(viewer, 'Раз', { messageId })
    expect(new Set([...tries, again].map(({ seq }) => seq)).size).toBe(1)
    expect(await texts(other)).toEqual(['Раз'])
    expect((await readRoomLog(room)).filter(({ type }) => type === 'message')).toHaveLength(1)
  })

  test('does not overwrite another person’s message with the same client id', async () => {
    const room = await createChatRoom(ours)
    const { viewer, other } = await people(room)
    const { messageId } = await sendTestMessage(viewer, 'Моє')
    await expect(sendTestMessage(other, 'Ні, моє', { messageId })).rejects.toEqual(refusal('conflict'))
    expect(await texts(other)).toEqual(['Моє'])
  })

  test('loses nothing and keeps one order when two hundred people write at once', async () => {
    const room = await createChatRoom(ours)
    const { host } = await people(room)
    const crowd = await Promise.all(Array.from({ length: 20 }, () => joinRoom(room, 'viewer')))
    const words = crowd.flatMap((participant, person) =>
      Array.from({ length: 10 }, (_, index) => ({ participant, text: `${person}-${index}` })),
    )
    const results = await Promise.all(words.map(({ participant, text }) => sendTestMessage(participant, text)))
    expect(new Set(results.map(({ seq }) => seq)).size).toBe(200)
    const log = (await readRoomLog(room)).flatMap((event) => (event.type === 'message' ? [event.payload.text] : []))
    expect([...log].sort()).toEqual(words.map(({ text }) => text).sort())
    const pages: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await listChatMessages({ seatToken: host.seatToken, cursor })
      pages.push(...page.messages.map(({ text }) => text))
      if (page.next === null) break
      cursor = page.next
    }
    expect(pages.reverse()).toEqual(log)
  })

  test('stores a reply, and drops a reply to an unknown message', async () => {
    const room = await createChatRoom(ours)
    const { viewer, other } = await people(room)
    const { messageId } = await sendTestMessage(viewer, 'Чути?')
    await sendTestMessage(other, 'Чути', { replyTo: messageId })
    await sendTestMessage(other, 'Чути', { replyTo: newId() })
    const { messages } = await listChatMessages({ seatToken: viewer.seatToken })
    expect(messages.map(({ reply }) => reply?.text ?? null)).toEqual([null, 'Чути?', null])
  })

  test.each([
    ['chat_off', { mode: 'off' as const }, 'Слово'],
    ['staff_only', { mode: 'staffOnly' as const }, 'Слово'],
    ['questions_only', { mode: 'questionsOnly' as const }, 'Слово'],
    ['links', { links: 'staff' as const }, 'Дивіться https://example.org'],
  ])('is refused with %s, for viewers alone', async (reason, chat, text) => {
    const room = await createChatRoom(ours, chat)
    const { host, moderator, viewer } = await people(room)
    await expect(sendTestMessage(viewer, text)).rejects.toEqual(refusal('forbidden', reason))
    await sendTestMessage(host, text)
    await sendTestMessage(moderator, text)
    expect(await texts(viewer)).toHaveLength(2)
  })

  test('refuses messages before the start where the chat opens with it, and questions where only questions are open', async () => {
    const early = await createChatRoom(ours, { beforeStart: false }, { begun: false })
    const { viewer } = await people(early)
    await expect(sendTestMessage(viewer, 'Рано')).rejects.toEqual(refusal('forbidden', 'before_start'))
    await appendTestEvents(early, [{ type: 'webinar.start', payload: {} }])
    await sendTestMessage(viewer, 'Саме час')
    const questionRoom = await createChatRoom(ours, { mode: 'questionsOnly' })
    const questioner = await joinRoom(questionRoom, 'viewer')
    await sendTestMessage(questioner, 'А запис буде?', { kind: 'question' })
    expect(await texts(questioner, { kind: 'question' })).toEqual(['А запис буде?'])
  })

  test('applies slow mode, but not to a retry of the same message', async () => {
    const room = await createChatRoom(ours, { slowModeSeconds: 60 })
    const { host, viewer } = await people(room)
    const messageId = newId()
    const both = await Promise.allSettled([
      sendTestMessage(viewer, 'Перше', { messageId }),
      sendTestMessage(viewer, 'Друге'),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [first] = (await listChatMessages({ seatToken: viewer.seatToken })).messages
    await sendTestMessage(viewer, first?.text ?? '', { messageId: first?.messageId ?? '' })
    await expect(sendTestMessage(viewer, 'Третє')).rejects.toEqual(
      expect.objectContaining({
        code: 'too_many',
        details: expect.objectContaining({ retryAfterSeconds: expect.any(Number) }),
      }),
    )
    await sendTestMessage(host, 'Раз')
    await sendTestMessage(host, 'Два')
    await inTenant(room, (tx) =>
      tx
        .update(meetingMessage)
        .set({ at: new Date(Date.now() - 61_000) })
        .where(eq(meetingMessage.authorId, viewer.personId)),
    )
    await sendTestMessage(viewer, 'Третє')
  })
})

describe('premoderation', () => {
  test('holds messages until a moderator approves them', async () => {
    const room = await createChatRoom(ours, { mode: 'premod' })
    const { moderator, viewer, other } = await people(room)
    const { messageId, state } = await sendTestMessage(viewer, 'Перевірте мене')
    expect(state).toBe('waiting')
    expect(await texts(viewer)).toEqual(['Перевірте мене'])
    expect(await texts(other)).toEqual([])
    expect(await texts(moderator)).toEqual([])
    expect(await texts(moderator, { state: 'waiting' })).toEqual(['Перевірте мене'])
    await approveMessage({ seatToken: moderator.seatToken, messageId })
    await approveMessage({ seatToken: moderator.seatToken, messageId })
    expect(await texts(other)).toEqual(['Перевірте мене'])
    const shown = (await readRoomLog(room)).filter(({ type }) => type === 'messageShown')
    expect(shown).toMatchObject([
      { audience: 'all', payload: { messageId, text: 'Перевірте мене', authorId: viewer.personId } },
    ])
  })

  test('holds messages with a forbidden word in any spelling', async () => {
    const room = await createChatRoom(ours, { badWords: ['дурень', 'скам*'] })
    const { moderator, viewer, other } = await people(room)
    await sendTestMessage(viewer, 'Ну й ДУР’EНЬ!')
    await sendTestMessage(viewer, 'Це скамерство')
    await sendTestMessage(viewer, 'Дуренько')
    expect(await texts(other)).toEqual(['Дуренько'])
    expect(
      (await listChatMessages({ seatToken: moderator.seatToken, state: 'waiting' })).messages.map(
        ({ holdReason }) => holdReason,
      ),
    ).toEqual(['words', 'words'])
  })

  test('does not return held messages to viewers who request them', async () => {
    const room = await createChatRoom(ours, { mode: 'premod' })
    const { viewer, other } = await people(room)
    await sendTestMessage(viewer, 'Таємниця')
    expect(await texts(other, { state: 'waiting' })).toEqual([])
    expect((await findMessages({ seatToken: other.seatToken, search: 'Таємниця' })).messages).toEqual([])
  })

  test.each(['rehearsal', 'auto'] as const)(
    'is not needed in a %s: messages of viewers are sent to the staff only',
    async (kind) => {
      const room = await createChatRoom(ours, {}, { kind })
      const { host, viewer, other } = await people(room)
      expect((await sendTestMessage(viewer, 'Є хтось?')).state).toBe('private')
      expect(await texts(host)).toEqual(['Є хтось?'])
      expect(await texts(other)).toEqual([])
    },
  )
})

describe('moderation', () => {
  test('mutes a person for a time', async () => {
    const room = await createChatRoom(ours)
    const { moderator, viewer } = await people(room)
    await mutePerson({ seatToken: moderator.seatToken, personId: viewer.personId, minutes: 10 })
    await expect(sendTestMessage(viewer, 'Але ж')).rejects.toEqual(refusal('forbidden', 'muted'))
    await mutePerson(
      { seatToken: moderator.seatToken, personId: viewer.personId, minutes: 10 },
      new Date(Date.now() - 11 * 60_000),
    )
    await sendTestMessage(viewer, 'Дякую')
    await mutePerson({ seatToken: moderator.seatToken, personId: viewer.personId, minutes: 10 })
    await mutePerson({ seatToken: moderator.seatToken, personId: viewer.personId, minutes: 0 })
    await sendTestMessage(viewer, 'І ще раз')
  })

  test('isolates a person invisibly: only staff and the author see the messages', async () => {
    const room = await createChatRoom(ours)
    const { moderator, viewer, other } = await people(room)
    await isolatePerson({ seatToken: moderator.seatToken, personId: viewer.personId, on: true })
    await sendTestMessage(viewer, 'Мене чути?')
    expect(await texts(viewer)).toEqual(['Мене чути?'])
    expect(await texts(moderator)).toEqual(['Мене чути?'])
    expect(await texts(other)).toEqual([])
    const log = await readRoomLog(room)
    expect(log.find(({ type }) => type === 'user.isolated')?.audience).toBe('staff')
    await isolatePerson({ seatToken: moderator.seatToken, personId: viewer.personId, on: false })
    await sendTestMessage(viewer, 'А тепер?')
    expect(await texts(other)).toEqual(['А тепер?'])
  })

  test('bans a person on every device, and reverses the ban', async () => {
    const room = await createChatRoom(ours)
    const { moderator, viewer, other } = await people(room)
    const first = await joinRoom(room, 'viewer', { email: 'a@x.test', device: 'one' })
    const sameMail = await joinRoom(room, 'viewer', { email: 'a@x.test', device: 'two' })
    const sameDevice = await joinRoom(room, 'viewer', { email: 'b@x.test', device: 'one' })
    const plane = installFakeMediaProcess()
    // An error of the media process does not make the ban fail.
    plane.beforeResponse = () => {
      throw new Error('the media plane is silent')
    }
    await banPerson({ seatToken: moderator.seatToken, personId: first.personId, on: true, reason: 'Реклама' })
    const banned = [first, sameMail, sameDevice].map(({ personId }) => personId)
    const expelled = plane.requests.map(
      (request) => request.op === 'disconnect' && !request.isPublishingOnly && request.participant,
    )
    expect(expelled.sort()).toEqual(banned.sort())
    for (const banned of [first, sameMail, sameDevice]) {
      await expect(sendTestMessage(banned, 'Ні')).rejects.toEqual(refusal('forbidden', 'banned'))
      await expect(openStream(banned)).rejects.toEqual(refusal('forbidden', 'banned'))
    }
    await sendTestMessage(other, 'А я тут')
    await sendTestMessage(viewer, 'І я')
    await banPerson({ seatToken: moderator.seatToken, personId: first.personId, on: false })
    for (const banned of [first, sameMail, sameDevice]) await sendTestMessage(banned, 'Я знову тут')
  })

  test('is refused against people of equal or higher rank and against oneself', async () => {
    const room = await createChatRoom(ours)
    const { host, moderator, viewer } = await people(room)
    const speaker = await joinRoom(room, 'speaker')
    const second = await joinRoom(room, 'moderator')
    const mute = (by: TestParticipant, target: TestParticipant) =>
      mutePerson({ seatToken: by.seatToken, personId: target.personId, minutes: 1 })
    for (const [by, target] of [
      [moderator, host],
      [moderator, speaker],
      [moderator, second],
      [speaker, host],
      [host, host],
    ] as const)
      await expect(mute(by, target)).rejects.toEqual(refusal('forbidden'))
    await expect(mute(viewer, second)).rejects.toEqual(refusal('forbidden'))
    await mute(host, speaker)
    await mute(speaker, moderator)
    await expect(mute(host, { ...viewer, personId: newId() })).rejects.toEqual(refusal('not_found'))
  })
})

describe('actions on messages', () => {
  test('add one reaction per person, however many retries', async () => {
    const room = await createChatRoom(ours)
    const { host, viewer, other } = await people(room)
    const { messageId } = await sendTestMessage(host, 'Як вам?')
    const like = ({ seatToken }: TestParticipant, on = true) => addReaction({ seatToken, messageId, emoji: '👍', on })
    await Promise.all([like(viewer), like(viewer), like(other), like(viewer)])
    await like(viewer)
    const seen = async ({ seatToken }: TestParticipant) => (await listChatMessages({ seatToken })).messages[0]
    expect(await seen(viewer)).toMatchObject({ reactions: { '👍': 2 }, ownReactions: ['👍'] })
    expect((await readRoomLog(room)).filter(({ type }) => type === 'reaction')).toHaveLength(2)
    await like(viewer, false)
    expect(await seen(viewer)).toMatchObject({ reactions: { '👍': 1 }, ownReactions: [] })
    await addReaction({ seatToken: viewer.seatToken, messageId: null, emoji: '👏', on: true })
  })

  test('limit applause: of many presses within a moment one is published', async () => {
    const room = await createChatRoom(ours)
    const { viewer, other } = await people(room)
    const clap = ({ seatToken }: TestParticipant) => addReaction({ seatToken, messageId: null, emoji: '👏', on: true })
    await Promise.all(Array.from({ length: 50 }, () => clap(viewer)).concat(clap(other)))
    const heard = (await readRoomLog(room)).filter(({ type }) => type === 'reaction')
    const by = ({ personId }: TestParticipant) => heard.filter(({ actorId }) => actorId === personId).length
    expect(by(other)).toBe(1)
    expect(by(viewer)).toBeLessThan(25)
  })

  test('pin a message, and unpin it when it is deleted', async () => {
    const room = await createChatRoom(ours)
    const { host, viewer } = await people(room)
    const { messageId } = await sendTestMessage(host, 'Посилання на матеріали')
    await pinMessage({ seatToken: host.seatToken, messageId, pinned: true })
    await pinMessage({ seatToken: host.seatToken, messageId, pinned: true })
    expect((await readRoomLog(room)).filter(({ type }) => type === 'messagePinned')).toHaveLength(1)
    await deleteMessage({ seatToken: host.seatToken, messageId })
    expect(await texts(viewer)).toEqual([])
    expect((await tables(room)).messages).toMatchObject([{ state: 'deleted', pinned: false }])
  })

  test('refuse reactions to a deleted message from everybody', async () => {
    const room = await createChatRoom(ours)
    const { host, viewer, other } = await people(room)
    const { messageId } = await sendTestMessage(viewer, 'Видалене')
    await deleteMessage({ seatToken: host.seatToken, messageId })
    for (const { seatToken } of [host, viewer, other])
      await expect(addReaction({ seatToken, messageId, emoji: UPVOTE, on: true })).rejects.toEqual(refusal('not_found'))
    expect((await readRoomLog(room)).filter(({ type }) => type === 'reaction')).toEqual([])
  })

  test('let the author delete a message within five minutes', async () => {
    const room = await createChatRoom(ours)
    const { viewer, other } = await people(room)
    const first = await sendTestMessage(viewer, 'Помилився')
    const second = await sendTestMessage(viewer, 'Знову')
    await expect(deleteMessage({ seatToken: other.seatToken, messageId: first.messageId })).rejects.toEqual(
      refusal('forbidden'),
    )
    await deleteMessage({ seatToken: viewer.seatToken, messageId: first.messageId })
    await deleteMessage({ seatToken: viewer.seatToken, messageId: first.messageId })
    const late = new Date(second.at + DELETE_OWN_LIMIT_MS + 1)
    await expect(deleteMessage({ seatToken: viewer.seatToken, messageId: second.messageId }, late)).rejects.toEqual(
      refusal('forbidden', 'too_late'),
    )
    expect(await texts(other)).toEqual(['Знову'])
    const last = new Date(second.at + DELETE_OWN_LIMIT_MS)
    await deleteMessage({ seatToken: viewer.seatToken, messageId: second.messageId }, last)
    expect(await texts(other)).toEqual([])
  })

  test('let a moderator delete a message of any age', async () => {
    const room = await createChatRoom(ours)
    const { moderator, viewer } = await people(room)
    const { messageId, at } = await sendTestMessage(viewer, 'Учорашнє')
    await deleteMessage({ seatToken: moderator.seatToken, messageId }, new Date(at + 24 * 60 * 60_000))
    expect(await texts(viewer)).toEqual([])
  })

  test('reports to the author who retries a deleted message that it was deleted', async () => {
    const room = await createChatRoom(ours)
    const { moderator, viewer } = await people(room)
    const { messageId } = await sendTestMessage(viewer, 'Видалене')
    await deleteMessage({ seatToken: moderator.seatToken, messageId })
    await expect(sendTestMessage(viewer, 'Видалене', { messageId })).rejects.toEqual(refusal('gone'))
  })

  test('ask, upvote and answer questions, aloud and in writing', async () => {
    const room = await createChatRoom(ours)
    const { host, viewer, other } = await people(room)
    const quiet = await sendTestMessage(viewer, 'Коли наступний ефір?', { kind: 'question' })
    const loud = await sendTestMessage(viewer, 'Скільки це коштує?', { kind: 'question' })
    for (const { seatToken } of [viewer, other])
      await addReaction({ seatToken, messageId: loud.messageId, emoji: UPVOTE, on: true })
    expect(await texts(other, { kind: 'question', sort: 'top' })).toEqual([
      'Скільки це коштує?',
      'Коли наступний ефір?',
    ])
    await setAnswering({ seatToken: host.seatToken, messageId: loud.messageId })
    await answerQuestion({ seatToken: host.seatToken, messageId: loud.messageId })
    await answerQuestion({ seatToken: host.seatToken, messageId: quiet.messageId, text: 'У четвер' })
    const { messages } = await listChatMessages({ seatToken: viewer.seatToken, kind: 'question', sort: 'top' })
    expect(messages.map(({ answer }) => [answer?.text, answer?.name, typeof answer?.offsetMs])).toEqual([
      ['', host.name, 'number'],
      ['У четвер', host.name, 'number'],
    ])
    expect(await texts(viewer, { kind: 'question', sort: 'open' })).toEqual([])
    const { messageId } = await sendTestMessage(viewer, 'Не запитання')
    await expect(answerQuestion({ seatToken: host.seatToken, messageId, text: 'Так' })).rejects.toEqual(
      refusal('not_found'),
    )
  })

  test('search messages by text and by name, with % as a literal character', async () => {
    const room = await createChatRoom(ours)
    const { viewer, other } = await people(room)
    await sendTestMessage(viewer, 'Знижка 50 %')
    await sendTestMessage(other, 'Без знижки')
    const found = async (search: string) =>
      (await findMessages({ seatToken: viewer.seatToken, search })).messages.map(({ text }) => text)
    expect(await found('знижк')).toEqual(['Без знижки', 'Знижка 50 %'])
    expect(await found('50 %')).toEqual(['Знижка 50 %'])
    expect(await found(other.name)).toEqual(['Без знижки'])
  })
})

describe('the participant list', () => {
  test('returns pages and search to staff, and counts and the staff to viewers', async () => {
    const room = await createChatRoom(ours)
    const { host, viewer } = await people(room)
    for (let index = 0; index < 60; index++)
      await joinRoom(room, 'viewer', { name: `Глядач ${String(index).padStart(2, '0')}`, email: `g${index}@x.test` })
    const seen = await listPeople({ seatToken: viewer.seatToken })
    expect(seen.people.map(({ role }) => role).sort()).toEqual(['host', 'moderator'])
    expect(seen.people.every(({ email }) => email === null)).toBe(true)
    expect(seen.total).toBe(62)
    const names: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await listPeople({ seatToken: host.seatToken, ...(cursor ? { cursor } : {}) })
      expect(page.people.length).toBeLessThanOrEqual(50)
      names.push(...page.people.map(({ name }) => name))
      if (!page.next) break
      cursor = page.next
    }
    expect(new Set(names).size).toBe(64)
    expect((await listPeople({ seatToken: host.seatToken, search: 'g17@' })).people.map(({ name }) => name)).toEqual([
      'Глядач 17',
    ])
    await mutePerson({ seatToken: host.seatToken, personId: viewer.personId, minutes: 5 })
    expect(
      (await listPeople({ seatToken: host.seatToken, onlyRestricted: true })).people.map(({ personId }) => personId),
    ).toEqual([viewer.personId])
    await expect(listPeople({ seatToken: host.seatToken, cursor: 'сміття' })).rejects.toEqual(refusal('invalid'))
  })

  test("lists banned people only in the moderators' filter, and a ban needs a reason and can be undone", async () => {
    const room = await createChatRoom(ours)
    const { host, moderator, viewer, other } = await people(room)
    const listed = async (more: { onlyRestricted?: boolean } = {}) => {
      const page = await listPeople({ seatToken: host.seatToken, ...more })
      return { total: page.total, ids: page.people.map(({ personId }) => personId) }
    }
    const order = { seatToken: moderator.seatToken, personId: viewer.personId }
    const withoutReason = await requestApi('POST', 'meeting/banPerson', {
      body: { ...order, on: true, reason: '  ' },
    })
    expect(withoutReason).toMatchObject({ status: 400, body: { fields: { reason: [expect.any(String)] } } })
    expect((await listed()).ids).toContain(viewer.personId)
    await banPerson({ ...order, on: true, reason: 'Реклама' })
    expect((await listed()).ids).not.toContain(viewer.personId)
    expect(await listed({ onlyRestricted: true })).toEqual({ total: 1, ids: [viewer.personId] })
    const [event] = (await readRoomLog(room)).filter(({ type }) => type === 'user.banned')
    expect(event).toMatchObject({ actorId: moderator.personId, payload: { on: true, reason: 'Реклама' } })
    await banPerson({ ...order, on: false })
    expect(new Set((await listed()).ids)).toContain(viewer.personId)
    expect(await listed()).toMatchObject({ total: 2 })
    expect((await listed()).ids).toContain(other.personId)
  })
})

describe('the chat export', () => {
  test('is for staff only, neutralises formulas and marks deleted messages', async () => {
    const room = await createChatRoom(ours)
    const { moderator, viewer } = await people(room)
    await sendTestMessage(viewer, '=1+1')
    const { messageId } = await sendTestMessage(viewer, 'Зайве')
    await deleteMessage({ seatToken: moderator.seatToken, messageId })
    const { csv } = await exportChat({ seatToken: moderator.seatToken }, (key) => key)
    const lines = csv.trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain("'=1+1")
    expect(lines[2]).toContain('meeting:csv.state.deleted')
    await expect(exportChat({ seatToken: viewer.seatToken }, (key) => key)).rejects.toEqual(refusal('forbidden'))
  })
})

describe('permissions', () => {
  const ACTIONS = {
    pin: (seatToken: string, messageId: string) => pinMessage({ seatToken, messageId, pinned: true }),
    approve: (seatToken: string, messageId: string) => approveMessage({ seatToken, messageId }),
    answering: (seatToken: string, messageId: string) => setAnswering({ seatToken, messageId }),
    answer: (seatToken: string, messageId: string) => answerQuestion({ seatToken, messageId, text: 'Так' }),
    delete: (seatToken: string, messageId: string) => deleteMessage({ seatToken, messageId }),
    react: (seatToken: string, messageId: string) => addReaction({ seatToken, messageId, emoji: UPVOTE, on: true }),
    read: (seatToken: string) => listChatMessages({ seatToken }),
    people: (seatToken: string) => listPeople({ seatToken }),
    export: (seatToken: string) => exportChat({ seatToken }, (key) => key),
    send: (seatToken: string) => sendTestMessage({ seatToken, personId: '', name: '' }, 'Слово'),
  }
  const FREE = ['react', 'read', 'people', 'send']

  test.each(['host', 'speaker', 'moderator', 'viewer', 'muted', 'isolated', 'banned'] as const)('%s', async (who) => {
    const room = await createChatRoom(ours)
    const questioner = await joinRoom(room, 'viewer')
    const { messageId } = await sendTestMessage(questioner, 'Запитання', { kind: 'question' })
    const state =
      who === 'muted'
        ? { mutedUntil: new Date(Date.now() + 60_000) }
        : who === 'isolated'
          ? { isolatedAt: new Date() }
          : who === 'banned'
            ? { bannedAt: new Date() }
            : {}
    const staff = who === 'host' || who === 'speaker' || who === 'moderator'
    const { seatToken } = await joinRoom(room, staff ? who : 'viewer', state)
    const outcome: Record<string, boolean> = {}
    for (const [name, action] of Object.entries(ACTIONS).sort(([action]) => (action === 'delete' ? 1 : -1)))
      outcome[name] = await action(seatToken, messageId).then(
        () => true,
        () => false,
      )
    const expected = Object.fromEntries(
      Object.keys(ACTIONS).map((name) => [
        name,
        who !== 'banned' && (staff || FREE.includes(name)) && !(who === 'muted' && name === 'send'),
      ]),
    )
    expect(outcome).toEqual(expected)
  })

  test('a seat token is accepted in its own room only, and never in another tenant', async () => {
    const room = await createChatRoom(ours)
    const { host } = await people(room)
    const { messageId } = await sendTestMessage(host, 'Тільки тут')
    const theirs = await createOtherTenant()
    for (const elsewhere of [await createChatRoom(ours), await createChatRoom(theirs)]) {
      const stranger = await joinRoom(elsewhere, 'host')
      for (const action of [ACTIONS.pin, ACTIONS.answering, ACTIONS.answer, ACTIONS.delete, ACTIONS.approve])
        await expect(action(stranger.seatToken, messageId)).rejects.toEqual(refusal('not_found'))
      expect(await texts(stranger)).toEqual([])
      await expect(mutePerson({ seatToken: stranger.seatToken, personId: host.personId, minutes: 1 })).rejects.toEqual(
        refusal('not_found'),
      )
    }
    for (const seatToken of ['', 'x'.repeat(91), `${host.seatToken.slice(0, -2)}AA`])
      await expect(listChatMessages({ seatToken: seatToken || 'x' })).rejects.toEqual(refusal('unauthorized'))
  })
})

test('the chat equals the state rebuilt from its log', async () => {
  const room = await createChatRoom(ours, { mode: 'premod', badWords: ['зась'] })
  const { host, moderator, viewer, other } = await people(room)
  const first = await sendTestMessage(host, 'Початок')
  const second = await sendTestMessage(viewer, 'Чекаю')
  const third = await sendTestMessage(other, 'Зась', { kind: 'question' })
  await approveMessage({ seatToken: moderator.seatToken, messageId: second.messageId })
  await pinMessage({ seatToken: moderator.seatToken, messageId: first.messageId, pinned: true })
  for (const { seatToken } of [viewer, other])
    await addReaction({ seatToken, messageId: first.messageId, emoji: '🔥', on: true })
  await addReaction({ seatToken: viewer.seatToken, messageId: first.messageId, emoji: '🔥', on: false })
  await answerQuestion({ seatToken: host.seatToken, messageId: third.messageId, text: 'Ні' })
  await deleteMessage({ seatToken: moderator.seatToken, messageId: second.messageId })
  const before = await tables(room)
  expect(before.messages.map(({ state }) => state)).toEqual(['shown', 'deleted', 'waiting'])
  await inTenant(room, (tx) => rebuildChat(tx, room))
  expect(await tables(room)).toEqual(before)
})
