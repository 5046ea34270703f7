import { beforeEach, expect, test } from 'vitest'
import { markConversationRead } from '#lib/chat/message/read.ts'
import type { ConversationEvent } from '#lib/chat/output-schema.ts'
import {
  getPresenceSettings,
  reportPresence,
  reportTyping,
  updatePresenceSettings,
} from '#lib/chat/presence/presence.ts'
import { ONLINE_MS } from '#lib/chat/presence/schema.ts'
import { readLiveEvents } from '#lib/core/live/live-events.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { chatCourse, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { getConversation } from '../../setup/chat/parsed-chat.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let student: Actor
let curator: Actor
let courseId: string
let direct: string
beforeEach(async () => {
  home = await createTestTenant()
  courseId = (await chatCourse(home)).courseId
  ;({ STUDENT: student, CURATOR: curator } = home.as)
  direct = await startDirect(student, curator)
})

const NOW = new Date('2031-05-01T10:00:00Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const code = (name: string) => expect.objectContaining({ code: name })

/** The types of the events of a conversation that a function causes. */
async function eventsDuring(conversationId: string, run: () => Promise<unknown>): Promise<string[]> {
  const channels = [`conversation:${conversationId}`]
  const { newestId } = await readLiveEvents(home.tenant.id, channels, { position: null, resumeIds: [] })
  await run()
  const { events } = await readLiveEvents(home.tenant.id, channels, { position: newestId, resumeIds: null })
  return events.map(({ payload }) => (JSON.parse(payload) as ConversationEvent).type)
}

test('the other participant is online for some time after a report', async () => {
  expect(await reportPresence(student, { conversationId: direct }, NOW)).toEqual({
    other: { isOnline: false, seenAt: null },
  })
  const during = await eventsDuring(direct, () => reportPresence(curator, { conversationId: direct }, NOW))
  expect(during).toEqual(['online'])
  // An online member is announced once.
  expect(await eventsDuring(direct, () => reportPresence(curator, { conversationId: direct }, later(30_000)))).toEqual(
    [],
  )
  const seenAt = later(30_000)
  const seen = async (at: Date) => (await reportPresence(student, { conversationId: direct }, at)).other
  expect(await seen(later(ONLINE_MS))).toEqual({ isOnline: true, seenAt })
  expect(await seen(later(ONLINE_MS + 30_000))).toEqual({ isOnline: false, seenAt })
})

test('presence is shared in direct conversations only', async () => {
  const course = await start(curator, { kind: 'course', courseId })
  await reportPresence(curator, {}, NOW)
  expect(await reportPresence(student, { conversationId: course }, NOW)).toEqual({ other: null })
  expect(await eventsDuring(course, () => reportTyping(student, { conversationId: course }))).toEqual([])
  expect(await eventsDuring(direct, () => reportTyping(student, { conversationId: direct }))).toEqual(['typing'])
})

test('who does not share presence neither shows it nor sees it', async () => {
  await reportPresence(curator, { conversationId: direct }, NOW)
  expect(await getPresenceSettings(student)).toEqual({ sharesPresence: true, sharesReading: true })
  await updatePresenceSettings(student, { sharesPresence: false, sharesReading: true })
  expect(await getPresenceSettings(student)).toEqual({ sharesPresence: false, sharesReading: true })
  expect(await reportPresence(student, { conversationId: direct }, NOW)).toEqual({ other: null })
  expect(await reportPresence(curator, { conversationId: direct }, NOW)).toEqual({ other: null })
  for (const actor of [student, curator])
    expect(await eventsDuring(direct, () => reportTyping(actor, { conversationId: direct }))).toEqual([])
  await updatePresenceSettings(student, { sharesPresence: true, sharesReading: true })
  expect(await reportPresence(curator, { conversationId: direct }, NOW)).toEqual({
    other: { isOnline: false, seenAt: null },
  })
})

test('read receipts need the consent of both', async () => {
  await sendText(curator, direct, 'Добрий день!')
  const read = () => markConversationRead(student, { conversationId: direct, seq: 1 })
  await updatePresenceSettings(curator, { sharesPresence: true, sharesReading: false })
  expect(await eventsDuring(direct, read)).toEqual([])
  const receipts = async () =>
    Promise.all(
      [student, curator].map(async (actor) => (await getConversation(actor, { conversationId: direct })).otherReadSeq),
    )
  expect(await receipts()).toEqual([null, null])
  await updatePresenceSettings(curator, { sharesPresence: true, sharesReading: true })
  expect(await receipts()).toEqual([0, 1])
  await sendText(curator, direct, 'І ще')
  expect(await eventsDuring(direct, () => markConversationRead(student, { conversationId: direct, seq: 2 }))).toEqual([
    'read',
  ])
})

test('members of other schools and other members learn nothing', async () => {
  const { as } = await createOtherTenant()
  for (const actor of [as.STUDENT, home.as.OWNER]) {
    await expect(reportPresence(actor, { conversationId: direct })).rejects.toEqual(code('not_found'))
    await expect(reportTyping(actor, { conversationId: direct })).rejects.toEqual(code('not_found'))
  }
  await expect(reportPresence(home.as.MEMBER, {})).rejects.toEqual(code('forbidden'))
})
