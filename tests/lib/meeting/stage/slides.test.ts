import { beforeAll, expect, test } from 'vitest'
import { startEvent } from '#lib/meeting/control.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { getSlides } from '#lib/meeting/stage/slides.ts'
import { answerInvite, inviteToStage } from '#lib/meeting/stage/stage.ts'
import { insertFiles } from '../../../setup/files.ts'
import { appendTestEvents, createChatRoom, joinRoom, type TestParticipant } from '../../../setup/meeting/chat-room.ts'
import { banPerson } from '../../../setup/parsed/meeting.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const PDF = { name: 'Слайди.pdf', kind: 'doc', mime: 'application/pdf', size: 1 } as const

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

/** A room before its start, with slides. */
async function createRoomWithSlides() {
  const room = await createChatRoom(ours, {}, { begun: false })
  const [fileId = ''] = await insertFiles(ours.as.OWNER, [PDF])
  await appendTestEvents(room, [{ type: 'slide.change', payload: { fileId, page: 1 } }])
  return { room, fileId, host: await joinRoom(room, 'host'), viewer: await joinRoom(room, 'viewer') }
}

const addressesOf = async ({ seatToken }: TestParticipant) => [
  (await getRoom({ seatToken })).slides,
  (await getSlides({ seatToken })).address,
]

test('viewers get the address of the slides when the event starts, staff before it', async () => {
  const { room, fileId, host, viewer } = await createRoomWithSlides()
  const moderator = await joinRoom(room, 'moderator')
  const address = expect.stringContaining(fileId)
  for (const person of [host, moderator]) expect(await addressesOf(person)).toEqual([address, address])
  expect(await addressesOf(viewer)).toEqual([null, null])
  await startEvent({ seatToken: host.seatToken })
  expect(await addressesOf(viewer)).toEqual([address, address])
})

test('a viewer who came to the stage before the start gets the address of the slides', async () => {
  const { host, viewer } = await createRoomWithSlides()
  await inviteToStage({ seatToken: host.seatToken, personId: viewer.personId, on: true })
  expect(await addressesOf(viewer)).toEqual([null, null])
  await answerInvite({ seatToken: viewer.seatToken, accepted: true })
  expect(await addressesOf(viewer)).not.toContain(null)
})

test('a banned viewer gets no address', async () => {
  const { host, viewer } = await createRoomWithSlides()
  await startEvent({ seatToken: host.seatToken })
  await banPerson({ seatToken: host.seatToken, personId: viewer.personId, on: true, reason: 'Спам' })
  await expect(getSlides(viewer)).rejects.toMatchObject({ code: 'forbidden' })
})
