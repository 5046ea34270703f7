import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { recordButtonClick, recordButtonSeen } from '#lib/meeting/activity.ts'
import { finishEvent, setChat, setMode, setSlide, startEvent } from '#lib/meeting/control.ts'
import { getRoom, listEvents } from '#lib/meeting/meeting.ts'
import { votePoll } from '#lib/meeting/poll.ts'
import {
  closePoll,
  hideButton,
  hideExpiredButton,
  openPoll,
  showButton,
  showHandout,
} from '#lib/meeting/prepared-items.ts'
import { rateEvent } from '#lib/meeting/rating.ts'
import { readEvents } from '#lib/workshop/session/event-log.ts'
import { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { applySessionEvent, initialRoomState } from '#lib/workshop/session/state-rules.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import {
  appendTestEvents,
  type ChatRoom,
  createChatRoom,
  joinRoom,
  readRoomLog,
  type TestParticipant,
} from '../../setup/meeting/chat-room.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })

let ours: TestTenant
let room: ChatRoom
let host: TestParticipant
let viewer: TestParticipant
beforeAll(async () => {
  ours = await createTestTenant()
})
beforeEach(async () => {
  room = await createChatRoom(ours, {}, { begun: false })
  host = await joinRoom(room, 'host')
  viewer = await joinRoom(room, 'viewer')
})

const types = async () => (await readRoomLog(room)).map(({ type }) => type)
const prepare = async (kind: 'button' | 'poll' | 'handout', content: Record<string, unknown>) =>
  (await addItem(ours.as.OWNER, { workshopId: room.workshopId, kind, content })).itemId
const BUTTON = { label: 'Купити', url: 'https://kafedra.test/buy' }
const POLL = { question: 'Чутно?', options: ['Так', 'Ні'] }

describe('starting and ending an event', () => {
  test('happens once each, also after a double click or concurrent clicks', async () => {
    const { seatToken } = host
    await Promise.all([startEvent({ seatToken }), startEvent({ seatToken })])
    await Promise.all([finishEvent({ seatToken }), finishEvent({ seatToken })])
    await finishEvent({ seatToken })
    expect((await types()).filter((type) => type.startsWith('webinar.'))).toEqual(['webinar.start', 'webinar.finish'])
    await expect(startEvent({ seatToken })).rejects.toEqual(code('conflict'))
  })

  test('refuses an end before the start', async () => {
    await expect(finishEvent({ seatToken: host.seatToken })).rejects.toEqual(code('conflict'))
  })

  test('gives a late viewer the same state as those present from the start', async () => {
    const { seatToken } = host
    const early = await getRoom({ seatToken: viewer.seatToken })
    const buttonId = await prepare('button', BUTTON)
    const pollId = await prepare('poll', POLL)
    const handoutId = await prepare('handout', { title: 'Конспект', url: 'https://kafedra.test/notes' })
    await startEvent({ seatToken })
    await setMode({ seatToken, mode: 'preview' })
    await setSlide({ seatToken, page: 7 })
    await showButton({ seatToken, buttonId })
    await showHandout({ seatToken, handoutId })
    await openPoll({ seatToken, pollId })
    await setChat({ seatToken, chat: ChatSettings.parse({ mode: 'premod' }) })
    const { events, more } = await listEvents({ seatToken: viewer.seatToken, after: early.lastSeq })
    const late = await getRoom({ seatToken: (await joinRoom(room, 'viewer')).seatToken })
    expect(more).toBe(false)
    expect(events.reduce(applySessionEvent, early.state)).toEqual(late.state)
    expect(late).toMatchObject({ lastSeq: events.at(-1)?.seq, state: { phase: 'live', mode: 'preview' } })
    expect(late.state).toMatchObject({ slide: { page: 7 }, poll: { pollId }, chat: { mode: 'premod' } })
    const log = await inTenant(room, (tx) => readEvents(tx, room.id, { reader: 'staff' }))
    expect(log.reduce(applySessionEvent, initialRoomState(ChatSettings.parse({}), null))).toEqual(late.state)
  })

  test('publishes nothing when nothing changes', async () => {
    const { seatToken } = host
    const buttonId = await prepare('button', BUTTON)
    for (let turn = 0; turn < 2; turn++) {
      await setMode({ seatToken, mode: 'presentation' })
      await showButton({ seatToken, buttonId })
    }
    await hideButton({ seatToken, buttonId })
    await hideButton({ seatToken, buttonId })
    expect(await types()).toEqual(['chat.change', 'presentation.change', 'button.show', 'button.hide'])
  })
})

describe('a shown item', () => {
  test('is published with its content, so later edits do not change it', async () => {
    const buttonId = await prepare('button', BUTTON)
    await showButton({ seatToken: host.seatToken, buttonId })
    const { state } = await getRoom({ seatToken: viewer.seatToken })
    expect(state.buttons).toEqual([expect.objectContaining({ buttonId, content: expect.objectContaining(BUTTON) })])
  })

  test('must have been prepared for this event', async () => {
    const elsewhere = await createChatRoom(ours)
    const { itemId } = await addItem(ours.as.OWNER, {
      workshopId: elsewhere.workshopId,
      kind: 'button',
      content: BUTTON,
    })
    const { seatToken } = host
    for (const buttonId of [itemId, newId()]) {
      await expect(showButton({ seatToken, buttonId })).rejects.toEqual(code('not_found'))
    }
    await expect(openPoll({ seatToken, pollId: itemId })).rejects.toEqual(code('not_found'))
    await expect(setSlide({ seatToken, fileId: newId(), page: 1 })).rejects.toEqual(code('not_found'))
  })

  test('is hidden when its time is over, unless it was shown again', async () => {
    const { seatToken } = host
    const buttonId = await prepare('button', { ...BUTTON, countdownSeconds: 5 })
    await showButton({ seatToken, buttonId })
    const [first] = (await getRoom({ seatToken })).state.buttons
    await hideButton({ seatToken, buttonId })
    await showButton({ seatToken, buttonId })
    const ends = { tenantId: room.tenantId, sessionId: room.id, buttonId }
    await hideExpiredButton({ ...ends, shownAt: first?.shownAt ?? 0 })
    const [second] = (await getRoom({ seatToken })).state.buttons
    expect(second?.buttonId).toBe(buttonId)
    await hideExpiredButton({ ...ends, shownAt: second?.shownAt ?? 0 })
    await hideExpiredButton({ ...ends, shownAt: second?.shownAt ?? 0 })
    expect((await getRoom({ seatToken })).state.buttons).toEqual([])
  })
})

describe('a button', () => {
  test('counts one impression and one click per viewer and showing, and reports them to staff only', async () => {
    const buttonId = await prepare('button', BUTTON)
    await showButton({ seatToken: host.seatToken, buttonId })
    const others = await Promise.all([joinRoom(room, 'viewer'), joinRoom(room, 'viewer')])
    const note = (seatToken: string) => ({ seatToken, buttonId, clientId: newId() })
    await Promise.all([
      ...[viewer, ...others].flatMap(({ seatToken }) => [
        recordButtonSeen(note(seatToken)),
        recordButtonSeen(note(seatToken)),
      ]),
      recordButtonClick(note(viewer.seatToken)),
      recordButtonSeen(note(host.seatToken)),
    ])
    await recordButtonClick(note(viewer.seatToken))
    expect((await types()).filter((type) => type.startsWith('user.')).sort()).toEqual([
      'user.click',
      'user.sawButton',
      'user.sawButton',
      'user.sawButton',
    ])
    const { staff } = await getRoom({ seatToken: host.seatToken })
    expect(staff?.buttons).toEqual([{ buttonId, saw: 3, clicked: 1 }])
    expect((await getRoom({ seatToken: viewer.seatToken })).staff).toBeNull()
    const { events } = await listEvents({ seatToken: viewer.seatToken, after: 0 })
    expect(events.map(({ type }) => type)).not.toContain('user.click')
  })

  test('with a remaining count publishes the number taken, once per viewer', async () => {
    const [limited, free] = [
      await prepare('button', { ...BUTTON, quantityLeft: 2 }),
      await prepare('button', { ...BUTTON, label: 'Без ліку' }),
    ]
    for (const buttonId of [limited, free]) await showButton({ seatToken: host.seatToken, buttonId })
    const clicksFor = async ({ seatToken }: TestParticipant) => (await getRoom({ seatToken })).clicksByButton
    const other = await joinRoom(room, 'viewer')
    expect(await clicksFor(other)).toEqual({})
    for (const buttonId of [limited, limited, free])
      await recordButtonClick({ seatToken: viewer.seatToken, buttonId, clientId: newId() })
    // Staff test the button without changing its counts.
    await recordButtonClick({ seatToken: host.seatToken, buttonId: limited, clientId: newId() })
    expect(await clicksFor(other)).toEqual({ [limited]: 1 })
    await recordButtonClick({ seatToken: other.seatToken, buttonId: limited, clientId: newId() })
    expect(await clicksFor(viewer)).toEqual({ [limited]: 2 })
  })

  test('that was never shown has no impressions', async () => {
    const buttonId = await prepare('button', BUTTON)
    const note = { seatToken: viewer.seatToken, buttonId, clientId: newId() }
    await expect(recordButtonSeen(note)).rejects.toEqual(code('not_found'))
  })
})

describe('a poll', () => {
  const ballot = (pollId: string, choices: number[], by = viewer) => ({
    seatToken: by.seatToken,
    pollId,
    choices,
    clientId: newId(),
  })

  test('counts each of hundreds of concurrent votes, and the first vote of each person', async () => {
    const pollId = await prepare('poll', POLL)
    await openPoll({ seatToken: host.seatToken, pollId })
    const people = await Promise.all(Array.from({ length: 120 }, () => joinRoom(room, 'viewer')))
    const choice = (index: number) => (index % 3 === 0 ? 1 : 0)
    await Promise.all(people.map((participant, index) => votePoll(ballot(pollId, [choice(index)], participant))))
    await Promise.all(people.map((participant, index) => votePoll(ballot(pollId, [1 - choice(index)], participant))))
    await closePoll({ seatToken: host.seatToken, pollId })
    await closePoll({ seatToken: host.seatToken, pollId })
    const log = await readRoomLog(room)
    expect(log.filter(({ type }) => type === 'poll.vote')).toHaveLength(120)
    expect(log.flatMap((event) => (event.type === 'poll.close' ? [event.payload] : []))).toEqual([
      { pollId, tally: [80, 40], voters: 120 },
    ])
    const { tally, votes } = await getRoom({ seatToken: people[0]?.seatToken ?? '' })
    expect([tally, votes]).toEqual([{ pollId, tally: [80, 40], voters: 120 }, { [pollId]: [1] }])
  })

  test('refuses an invalid vote, and votes in a closed or another poll', async () => {
    const pollId = await prepare('poll', POLL)
    await expect(votePoll(ballot(pollId, [0]))).rejects.toEqual(code('not_found'))
    await openPoll({ seatToken: host.seatToken, pollId })
    for (const choices of [[2], [0, 1]]) {
      await expect(votePoll(ballot(pollId, choices))).rejects.toEqual(code('invalid'))
    }
    await expect(votePoll(ballot(newId(), [0]))).rejects.toEqual(code('not_found'))
    await closePoll({ seatToken: host.seatToken, pollId })
    await expect(votePoll(ballot(pollId, [0]))).rejects.toEqual(code('conflict'))
  })

  test('counts multiple choices and stars, and starts from zero when shown again', async () => {
    const multi = await prepare('poll', { ...POLL, kind: 'multi' })
    const rating = await prepare('poll', { question: 'Як вам?', kind: 'rating' })
    const closed = async () => (await getRoom({ seatToken: viewer.seatToken })).tally
    await openPoll({ seatToken: host.seatToken, pollId: multi })
    await votePoll(ballot(multi, [0, 1]))
    await openPoll({ seatToken: host.seatToken, pollId: rating })
    await votePoll(ballot(rating, [4]))
    await closePoll({ seatToken: host.seatToken, pollId: rating })
    expect(await closed()).toEqual({ pollId: rating, tally: [0, 0, 0, 0, 1], voters: 1 })
    await openPoll({ seatToken: host.seatToken, pollId: multi })
    expect(await closed()).toEqual({ pollId: multi, tally: [0, 0], voters: 0 })
    const log = await readRoomLog(room)
    expect(log.flatMap((event) => (event.type === 'poll.close' ? [event.payload.tally] : []))[0]).toEqual([1, 1])
  })

  test('shows its results to staff only where configured', async () => {
    const pollId = await prepare('poll', { ...POLL, showResults: 'staff' })
    await openPoll({ seatToken: host.seatToken, pollId })
    await votePoll(ballot(pollId, [0]))
    await closePoll({ seatToken: host.seatToken, pollId })
    const seen = await getRoom({ seatToken: viewer.seatToken })
    const heard = await listEvents({ seatToken: viewer.seatToken, after: 0 })
    expect(seen.tally).toBeNull()
    expect(seen.state.poll).toMatchObject({ closed: true, tally: [], voters: 0 })
    expect(heard.events.flatMap((event) => (event.type === 'poll.close' ? [event.payload.voters] : []))).toEqual([0])
    expect((await getRoom({ seatToken: host.seatToken })).tally).toMatchObject({ tally: [1, 0], voters: 1 })
  })
})

test('keeps the last rating of each person', async () => {
  const { seatToken } = viewer
  await appendTestEvents(room, [{ type: 'user.connect', actorId: viewer.personId, audience: 'staff', payload: {} }])
  await rateEvent({ seatToken, stars: 3, text: '' })
  await rateEvent({ seatToken, stars: 5, text: 'Дякую' })
  const { rows } = await inTenant(room, (tx) => tx.execute('select stars, text from meeting_rating'))
  expect(rows).toEqual([{ stars: 5, text: 'Дякую' }])
})
