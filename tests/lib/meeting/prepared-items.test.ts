import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getHandout } from '#lib/meeting/chat/handout.ts'
import { finishEvent, setSlide, startEvent } from '#lib/meeting/control.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { closePoll, hideButton, hideHandout, showHandout } from '#lib/meeting/prepared-items.ts'
import { file } from '#lib/storage/table.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import { insertFiles } from '../../setup/files.ts'
import { type ChatRoom, createChatRoom, joinRoom, readRoomLog } from '../../setup/meeting/chat-room.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const PDF = { name: 'Конспект.pdf', kind: 'doc', mime: 'application/pdf', size: 1 } as const
const NOTES_URL = 'https://kafedra.test/notes'

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

async function createRoom(kind: 'live' | 'rehearsal' = 'live') {
  const room = await createChatRoom(ours, {}, { begun: false, kind })
  return { room, host: await joinRoom(room, 'host'), viewer: await joinRoom(room, 'viewer') }
}

const prepareHandout = async ({ workshopId }: ChatRoom, content: { fileId: string } | { url: string }) =>
  (await addItem(ours.as.OWNER, { workshopId, kind: 'handout', content: { title: 'Конспект', ...content } })).itemId

test('a shown handout gives its link or its file to viewers, and nothing before and after', async () => {
  const { room, host, viewer } = await createRoom()
  const [fileId = ''] = await insertFiles(ours.as.OWNER, [PDF])
  const handouts = [
    { handoutId: await prepareHandout(room, { url: NOTES_URL }), address: NOTES_URL },
    { handoutId: await prepareHandout(room, { fileId }), address: expect.stringContaining(fileId) },
  ]
  for (const { handoutId, address } of handouts) {
    await expect(getHandout({ seatToken: viewer.seatToken, handoutId })).rejects.toEqual(code('not_found'))
    await showHandout({ seatToken: host.seatToken, handoutId })
    expect(await getHandout({ seatToken: viewer.seatToken, handoutId })).toEqual({ address })
    await hideHandout({ seatToken: host.seatToken, handoutId })
    await expect(getHandout({ seatToken: viewer.seatToken, handoutId })).rejects.toEqual(code('not_found'))
  }
})

test('a shown handout whose file is in the trash is not found', async () => {
  const { room, host, viewer } = await createRoom()
  const [fileId = ''] = await insertFiles(ours.as.OWNER, [PDF])
  const handoutId = await prepareHandout(room, { fileId })
  await showHandout({ seatToken: host.seatToken, handoutId })
  await inTenant(ours.as.OWNER, (tx) => tx.update(file).set({ deletedAt: new Date() }).where(eq(file.id, fileId)))
  await expect(getHandout({ seatToken: viewer.seatToken, handoutId })).rejects.toEqual(code('not_found'))
})

test('what was not prepared for the event cannot be hidden or closed', async () => {
  const { room, host } = await createRoom()
  const { seatToken } = host
  const unknown = newId()
  const elsewhere = await prepareHandout((await createRoom()).room, { url: NOTES_URL })
  await expect(hideButton({ seatToken, buttonId: unknown })).rejects.toEqual(code('not_found'))
  await expect(closePoll({ seatToken, pollId: unknown })).rejects.toEqual(code('not_found'))
  for (const handoutId of [unknown, elsewhere])
    await expect(hideHandout({ seatToken, handoutId })).rejects.toEqual(code('not_found'))
  await hideHandout({ seatToken, handoutId: await prepareHandout(room, { url: NOTES_URL }) })
  expect((await readRoomLog(room)).filter(({ type }) => type === 'handout.hide')).toEqual([])
})

test('slides are a PDF of the school that is not in the trash', async () => {
  const { room, host } = await createRoom()
  const { seatToken } = host
  const [fileId = '', image = '', deleted = ''] = await insertFiles(ours.as.OWNER, [
    PDF,
    { ...PDF, name: 'Фото.png', kind: 'image', mime: 'image/png' },
    { ...PDF, deletedAt: new Date() },
  ])
  const [foreign = ''] = await insertFiles(theirs.as.OWNER, [PDF])
  for (const refused of [image, deleted, foreign])
    await expect(setSlide({ seatToken, fileId: refused, page: 1 })).rejects.toEqual(code('not_found'))
  await setSlide({ seatToken, fileId, page: 3 })
  expect((await getRoom({ seatToken })).state.slide).toMatchObject({ fileId, page: 3 })
  expect((await readRoomLog(room)).filter(({ type }) => type === 'slide.change')).toHaveLength(1)
})

test('a rehearsal can be started again after its end', async () => {
  const { room, host } = await createRoom('rehearsal')
  const { seatToken } = host
  for (let attempt = 0; attempt < 2; attempt++) {
    await startEvent({ seatToken })
    await finishEvent({ seatToken })
  }
  const phases = (await readRoomLog(room)).map(({ type }) => type).filter((type) => type.startsWith('webinar.'))
  expect(phases).toEqual(['webinar.start', 'webinar.finish', 'webinar.start', 'webinar.finish'])
})
