import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ensureSession } from '#lib/autowebinar/auto-session.ts'
import { buildAutoView } from '#lib/autowebinar/auto-view.ts'
import { savePlan } from '#lib/autowebinar/plan.ts'
import { Schedule } from '#lib/autowebinar/schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { closeAllStreams } from '#lib/core/live/hub.ts'
import { getRoom, listEvents } from '#lib/meeting/meeting.ts'
import { votePoll } from '#lib/meeting/poll.ts'
import { closePoll, openPoll } from '#lib/meeting/prepared-items.ts'
import { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { applySessionEvent, initialRoomState } from '#lib/workshop/session/state-rules.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import { addStoredVideo } from '../../setup/media/stored-video.ts'
import {
  type ChatRoom,
  createChatRoom,
  joinRoom,
  readRoomLog,
  type TestParticipant,
} from '../../setup/meeting/chat-room.ts'
import { type RoomEndpoint, receivedEvents, startRoomEndpoint } from '../../setup/meeting/room-endpoint.ts'
import { makeFromVideo, saveEntry } from '../../setup/parsed/autowebinar.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const QUIZ = { question: 'Скільки?', kind: 'quiz' as const, options: ['Два', 'Три', 'Чотири'], right: [2] }

let ours: TestTenant
let room: ChatRoom
let endpoint: RoomEndpoint
let host: TestParticipant
let viewer: TestParticipant
let pollId: string
beforeAll(async () => {
  ours = await createTestTenant()
  endpoint = await startRoomEndpoint()
})
beforeEach(async () => {
  room = await createChatRoom(ours)
  host = await joinRoom(room, 'host')
  viewer = await joinRoom(room, 'viewer')
  const prepared = { workshopId: room.workshopId, kind: 'poll' as const, content: QUIZ }
  pollId = (await addItem(ours.as.OWNER, prepared)).itemId
})
afterAll(async () => {
  endpoint.close()
  await closeAllStreams()
})

/** Right answers in a response, at any place. */
const answersIn = (response: unknown) => JSON.stringify(response).match(/"right":\[[^\]]+\]/g) ?? []
const empty = () => initialRoomState(ChatSettings.parse({}), null)

describe('the correct answers of a quiz', () => {
  test('are not sent to viewers before it closes, and are sent then', async () => {
    const { seatToken } = viewer
    const stream = await endpoint.ready(seatToken)
    await openPoll({ seatToken: host.seatToken, pollId })
    await votePoll({ seatToken, pollId, choices: [0], clientId: newId() })
    await vi.waitFor(() => expect(receivedEvents(stream).map(({ type }) => type)).toContain('poll.open'), 10_000)
    const reads = async () => [await getRoom({ seatToken }), await listEvents({ seatToken, after: 0 })]
    expect(answersIn([stream.events, await reads()])).toEqual([])

    await closePoll({ seatToken: host.seatToken, pollId })
    await vi.waitFor(() => expect(receivedEvents(stream).map(({ type }) => type)).toContain('poll.close'), 10_000)
    const [view, { events }] = [await getRoom({ seatToken }), await listEvents({ seatToken, after: 0 })]
    const late = view.state.poll
    expect(late).toMatchObject({ closed: true, content: { right: [2] } })
    expect(events.reduce(applySessionEvent, empty()).poll).toEqual(late)
    const heard = receivedEvents(stream).filter(({ type }) => type.startsWith('poll.'))
    expect(answersIn(heard)).toEqual(['"right":[2]'])
  })

  test('are in the log, and staff see them from the start', async () => {
    const stream = await endpoint.ready(host.seatToken)
    await openPoll({ seatToken: host.seatToken, pollId })
    const opened = (await readRoomLog(room)).find(({ type }) => type === 'poll.open')
    expect(opened?.payload).toMatchObject({ content: { right: [2] } })
    const { state } = await getRoom({ seatToken: host.seatToken })
    expect(state.poll?.content.right).toEqual([2])
    // Of items with the same number, pages use the first.
    await vi.waitFor(() => expect(receivedEvents(stream).length).toBeGreaterThan(1), 10_000)
    expect(receivedEvents(stream)[0]).toMatchObject({ seq: opened?.seq, payload: { content: { right: [2] } } })
  })

  test('are not revealed in advance by a script', async () => {
    const start = new Date('2026-12-01T17:00:00Z')
    const { workshopId } = await makeFromVideo(ours.as.OWNER, {
      fileId: await addStoredVideo(ours.as.OWNER, { duration: null }),
      title: 'Запис',
      timeZone: 'Europe/Kyiv',
      plannedMinutes: 60,
    })
    await savePlan(ours.as.OWNER, { workshopId, version: 1, schedule: Schedule.parse({ zone: 'Europe/Kyiv' }) })
    const line = (offsetMs: number, content: Parameters<typeof saveEntry>[1]['content']) =>
      saveEntry(ours.as.OWNER, { workshopId, entryId: newId(), version: 0, offsetMs, content })
    const content = { ...QUIZ, showResults: 'always' as const }
    await line(60_000, { type: 'poll.open', payload: { pollId, content } })
    await line(120_000, { type: 'poll.close', payload: { pollId, tally: [], voters: 0, right: [2] } })
    const tenantId = ours.tenant.id
    const { sessionId } = await inTenant({ tenantId }, (tx) => ensureSession(tx, workshopId, start))
    const shown = { tenantId, id: sessionId, workshopId, startAt: start, state: empty() }
    const at = (ms: number) =>
      inTenant({ tenantId }, (tx) => buildAutoView(tx, shown, { personId: null }, new Date(start.getTime() + ms)))
    expect(answersIn([await at(0), await at(90_000)])).toEqual([])
    expect((await at(90_000))?.state.poll).toMatchObject({ pollId, closed: false })
    expect((await at(120_000))?.state.poll).toMatchObject({ closed: true, content: { right: [2] } })
  })
})
