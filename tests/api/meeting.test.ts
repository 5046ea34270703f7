import { isProcedure } from '@orpc/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { router } from '#lib/api.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { signSeatToken } from '#lib/meeting/admission/seat.ts'
import { restrictParticipants } from '#lib/workshop/session/participant-restriction.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import { sampleOf, shapeOf } from '../architecture/checks/sample-input.ts'
import { appendTestEvents, type ChatRoom, createChatRoom, joinRoom } from '../setup/meeting/chat-room.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

const STAFF: readonly RoomRole[] = ['host', 'speaker', 'moderator']
const PRESENTERS: readonly RoomRole[] = ['host', 'speaker']
const ALL: readonly RoomRole[] = [...STAFF, 'viewer', 'student']

/** The roles that may call each procedure of a room: ROOM_RIGHTS by procedure. */
const MAY: Record<string, readonly RoomRole[]> = {
  ...these(PRESENTERS, 'start finish setMode setSlide'),
  ...these(STAFF, 'hold setChat showButton hideButton showHandout hideHandout openPoll closePoll'),
  ...these(ALL, 'getRoom listEvents getMedia getPlace getSlides vote sawButton clickButton noteWindow leave rate'),
  ...these(STAFF, 'caption listHands inviteToStage pinMessage approveMessage setAnswering answerQuestion'),
  ...these(STAFF, 'mutePerson isolatePerson banPerson exportChat'),
  ...these(ALL, 'sendMessage react listMessages findMessages listPeople'),
  ...these([...PRESENTERS, 'student'], 'goOnAir'),
  // In the room of an event it is not found.
  ...these(ALL, 'setRecordingConsent'),
  ...these(PRESENTERS, 'getEncoder changeEncoder'),
  ...these(['viewer'], 'raiseHand'),
}

const procedures = Object.entries<unknown>(router.meeting).flatMap(([action, procedure]) => {
  if (!isProcedure(procedure)) return []
  const { inputSchema, route } = procedure['~orpc']
  const shape = inputSchema instanceof z.ZodType ? shapeOf(inputSchema) : {}
  return [{ name: action, method: route.method ?? 'POST', shape }]
})

let ours: TestTenant
let room: ChatRoom
let ids: Record<string, string>
let seatTokens: Record<RoomRole, string>
beforeAll(async () => {
  ours = await createTestTenant()
  room = await createChatRoom(ours)
  ids = await itemsFor(room)
  const entries = await Promise.all(ALL.map(async (role) => [role, await attendee(role)] as const))
  seatTokens = Object.fromEntries(entries) as Record<RoomRole, string>
})

// Only those who attended may rate.
async function attendee(role: RoomRole): Promise<string> {
  const { personId, seatToken } = await joinRoom(room, role)
  await appendTestEvents(room, [{ type: 'user.connect', actorId: personId, audience: 'staff', payload: {} }])
  return seatToken
}

async function itemsFor({ workshopId }: ChatRoom): Promise<Record<string, string>> {
  const button = { label: 'Далі', url: 'https://kafedra.test' }
  const add = async (kind: 'button' | 'poll' | 'handout', content: Record<string, unknown>) =>
    (await addItem(ours.as.OWNER, { workshopId, kind, content })).itemId
  return {
    buttonId: await add('button', button),
    pollId: await add('poll', { question: 'Чутно?', options: ['Так', 'Ні'] }),
    handoutId: await add('handout', { title: 'Конспект', url: 'https://kafedra.test' }),
  }
}

function knock({ name, method, shape }: (typeof procedures)[number], seatToken: string) {
  const input = { ...Object(sampleOf(shape, (field) => ids[field] ?? newId())), ...PARTS[name], seatToken }
  return method === 'GET'
    ? requestApi(method, `meeting/${name}?${new URLSearchParams(input)}`)
    : requestApi(method, `meeting/${name}`, { body: input })
}

const PARTS: Record<string, object> = {
  captionSound: { sound: 'YQ==' },
  setSlide: { fileId: null },
  react: { emoji: '👍', messageId: null },
  setChat: { chat: {} },
}

describe('a call of a room', () => {
  test('requires a seat token', () => {
    expect(procedures.filter(({ shape }) => !('seatToken' in Object(shape.properties)))).toEqual([])
    expect(Object.keys(MAY).filter((name) => !procedures.some((procedure) => procedure.name === name))).toEqual([])
  })

  test.each(procedures)('$name refuses a missing, modified, expired or foreign seat token', async (procedure) => {
    const seat = { tenantId: room.tenantId, sessionId: room.id, personId: newId() }
    const old = new Date(Date.now() - 19 * 3_600_000)
    const bad = [
      'nonsense',
      `${seatTokens.host.slice(0, 60)}${'A'.repeat(seatTokens.host.length - 60)}`,
      signSeatToken({ ...seat, personId: (await joinRoom(room, 'host')).personId }, old),
      signSeatToken({
        ...seat,
        tenantId: (await openOtherTenantRoom()).tenantId,
        personId: (await joinRoom(room, 'host')).personId,
      }),
      // A participant of another room of the school.
      signSeatToken({ ...seat, personId: (await joinRoom(await otherRoom(), 'host')).personId }),
    ]
    for (const seatToken of bad) {
      const { status, body } = await knock(procedure, seatToken)
      // Leaving with an unknown seat token ends no stream and is harmless.
      if (procedure.name === 'leave' && status === 200) continue
      expect([status, body.code], JSON.stringify(body)).toEqual([401, 'unauthorized'])
    }
  })

  test.each(procedures.filter(({ name }) => name !== 'leave'))(
    '$name refuses a banned participant',
    async (procedure) => {
      for (const role of ['moderator', 'viewer'] as const) {
        const banned = await joinRoom(room, role)
        await inTenant(room, (tx) => restrictParticipants(tx, room.id, [banned.personId], { bannedAt: new Date() }))
        expect(await knock(procedure, banned.seatToken)).toMatchObject({ status: 403, body: { reason: 'banned' } })
      }
    },
  )

  test.each(procedures.filter(({ name }) => MAY[name]))('$name follows the permission table', async (procedure) => {
    const done: RoomRole[] = []
    for (const role of ALL) {
      const { status, body } = await knock(procedure, seatTokens[role])
      expect(status, JSON.stringify(body)).toBeLessThan(500)
      expect(status).not.toBe(401)
      if (status !== 403) done.push(role)
    }
    expect(done).toEqual(ALL.filter((role) => MAY[procedure.name]?.includes(role)))
  })

  test('finds nothing of another room or another tenant by its seat token', async () => {
    const [other, foreign] = [await otherRoom(), await openOtherTenantRoom()]
    for (const { seatToken } of [await joinRoom(other, 'host'), await joinRoom(foreign, 'host')]) {
      for (const name of ['showButton', 'showHandout', 'openPoll', 'vote', 'sawButton', 'clickButton', 'getHandout']) {
        const procedure = procedures.find((procedure) => procedure.name === name)
        if (procedure) expect(await knock(procedure, seatToken)).toMatchObject({ status: 404 })
      }
    }
  })
})

let rooms: { other?: ChatRoom; foreign?: ChatRoom } = {}

async function otherRoom(): Promise<ChatRoom> {
  rooms = { other: await createChatRoom(ours), ...rooms }
  return rooms.other ?? room
}

async function openOtherTenantRoom(): Promise<ChatRoom> {
  if (!rooms.foreign) rooms = { ...rooms, foreign: await createChatRoom(await createOtherTenant()) }
  return rooms.foreign ?? room
}

function these(roles: readonly RoomRole[], names: string): Record<string, readonly RoomRole[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, roles]))
}
