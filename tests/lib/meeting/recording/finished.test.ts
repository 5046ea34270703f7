import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { getPlan, savePlan } from '#lib/autowebinar/plan.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { rateEvent } from '#lib/meeting/rating.ts'
import { getFinished, getReplay } from '#lib/meeting/recording/finished.ts'
import { storageUse } from '#lib/storage/table.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { WorkshopSettings } from '#lib/workshop/schema.ts'
import { ButtonContent, HandoutContent } from '#lib/workshop/session/event-schema.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { insertFiles } from '../../../setup/files.ts'
import { appendTestEvents, type ChatRoom, createChatRoom, joinRoom } from '../../../setup/meeting/chat-room.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const DAY_MS = 86_400_000

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

const set = (room: ChatRoom, settings: object) =>
  inTenant(room, (tx) =>
    tx
      .update(workshop)
      .set({ settings: WorkshopSettings.parse(settings) })
      .where(eq(workshop.id, room.workshopId)),
  )

async function finished(settings: object) {
  const room = await createChatRoom(ours)
  await set(room, settings)
  await appendTestEvents(room, [{ type: 'webinar.finish', payload: {} }])
  const viewer = await joinRoom(room, 'viewer', { name: 'Марко' })
  return { room, viewer }
}

describe('after an event', () => {
  test('thanks attendees and nobody else', async () => {
    const { room, viewer } = await finished({})
    expect((await getFinished({ seatToken: viewer.seatToken }, null)).attended).toBe(false)
    await appendTestEvents(room, [{ type: 'user.connect', actorId: viewer.personId, audience: 'staff', payload: {} }])
    expect((await getFinished({ seatToken: viewer.seatToken }, null)).attended).toBe(true)
  })

  test.each([
    ['making', { record: true }, 0],
    ['none', { record: true }, DAY_MS],
    ['none', { record: false }, 0],
    ['off', { replay: { enabled: false } }, 0],
    ['expired', { replay: { days: 2 } }, 3 * DAY_MS],
  ])('shows that its video is %s', async (is, settings, later) => {
    const { viewer } = await finished(settings)
    const now = new Date(Date.now() + later)
    // The seat token has expired by then; the response is the one that the page requests.
    expect(await getReplay({ seatToken: viewer.seatToken }, now)).toEqual({ is })
    expect((await getFinished({ seatToken: viewer.seatToken }, null, now)).replay).toEqual({ is })
  })

  test('plays the video of the plan after an automatic session, without a chat, directly if configured', async () => {
    const owner = ours.as.OWNER
    const room = await createChatRoom(ours, {}, { kind: 'auto' })
    const [video = ''] = await insertFiles(owner, [{ name: 'Запис.mp4', kind: 'video', mime: 'video/mp4', size: 1 }])
    await inTenant(room, (tx) =>
      tx.update(workshop).set({ type: 'autoWebinar' }).where(eq(workshop.id, room.workshopId)),
    )
    await set(room, { replay: { seek: false } })
    await appendTestEvents(room, [{ type: 'webinar.finish', payload: {} }])
    const { seatToken } = await joinRoom(room, 'viewer', { name: 'Марко' })
    expect(await getReplay({ seatToken })).toEqual({ is: 'none' })
    await getPlan(owner, { workshopId: room.workshopId })
    await savePlan(owner, { workshopId: room.workshopId, version: 1, videoFileId: video, videoOffsetMs: 3000 })
    expect((await getFinished({ seatToken }, null)).replay).toMatchObject({
      is: 'ready',
      video: { fileId: video },
      videoOffsetMs: 3000,
      chat: false,
      seek: false,
    })
    await set(room, { replay: { enabled: false } })
    expect(await getReplay({ seatToken })).toEqual({ is: 'off' })
  })

  test('plays the recording with its slides in time, each at its URL', async () => {
    const owner = ours.as.OWNER
    const room = await createChatRoom(ours, {}, { begun: false })
    const [video = '', pdf = ''] = await insertFiles(owner, [
      { name: 'Запис.mp4', kind: 'video', mime: 'video/mp4', size: 1 },
      { name: 'Слайди.pdf', kind: 'doc', mime: 'application/pdf', size: 1 },
    ])
    const begun = new Date(Date.now() - 60_000)
    await inTenant(room, async (tx) => {
      await tx.update(workshop).set({ slidesFileId: pdf }).where(eq(workshop.id, room.workshopId))
      const made = { videoFileId: video, videoOffsetMs: -1500 }
      await tx.update(workshopSession).set(made).where(eq(workshopSession.id, room.id))
    })
    const at = (seconds: number) => new Date(begun.getTime() + seconds * 1000)
    await appendTestEvents(room, [{ type: 'webinar.start', payload: {} }], at(0))
    await appendTestEvents(room, [{ type: 'slide.change', payload: { fileId: pdf, page: 2 } }], at(10))
    await appendTestEvents(room, [{ type: 'presentation.change', payload: { mode: 'broadcast' } }], at(20))
    await appendTestEvents(room, [{ type: 'webinar.finish', payload: {} }], at(30))
    const { seatToken } = await joinRoom(room, 'viewer')
    const { replay } = await getFinished({ seatToken }, null)
    expect(replay).toMatchObject({
      is: 'ready',
      slides: {
        documents: { [pdf]: expect.stringContaining('/v1/media/') },
        turns: [
          { ms: 0, fileId: pdf, page: 1 },
          { ms: 8500, fileId: pdf, page: 2 },
          { ms: 18_500, fileId: null },
        ],
      },
    })
  })

  test('keeps shown items and handouts, with the final state of buttons', async () => {
    const room = await createChatRoom(ours)
    const [buttonId, kept, hiddenId] = [newId(), newId(), newId()]
    const button = (label: string) => ({
      buttonId,
      content: ButtonContent.parse({ label, url: 'https://example.org' }),
    })
    const handout = (handoutId: string) => ({
      handoutId,
      content: HandoutContent.parse({ title: 'Конспект', url: 'https://example.org/a' }),
    })
    await appendTestEvents(room, [
      { type: 'button.show', payload: button('Перша назва') },
      { type: 'button.hide', payload: { buttonId } },
      { type: 'button.show', payload: button('Друга назва') },
      { type: 'handout.show', payload: handout(kept) },
      { type: 'handout.show', payload: handout(hiddenId) },
      { type: 'handout.hide', payload: { handoutId: hiddenId } },
      { type: 'webinar.finish', payload: {} },
    ])
    const { seatToken } = await joinRoom(room, 'viewer')
    const view = await getFinished({ seatToken }, null)
    expect(view.buttons.map(({ content }) => content.label)).toEqual(['Друга назва'])
    expect(view.materials).toEqual([{ id: kept, title: 'Конспект', address: 'https://example.org/a', file: false }])
  })

  test('shows staff that the storage is full, and viewers nothing', async () => {
    const { room, viewer } = await finished({})
    const { seatToken } = await joinRoom(room, 'host')
    expect((await getFinished({ seatToken }, null)).full).toBe(false)
    const { limit, used } = await getQuota(ours.as.OWNER)
    const fill = (original: number) => inTenant(room, (tx) => tx.update(storageUse).set({ original }))
    await inTenant(room, (tx) => tx.insert(storageUse).values({ tenantId: room.tenantId }).onConflictDoNothing())
    await fill((limit ?? 0) + 1)
    expect((await getFinished({ seatToken }, null)).full).toBe(true)
    expect((await getFinished({ seatToken: viewer.seatToken }, null)).full).toBe(false)
    await fill(used)
  })

  test('stores the last rating of each person', async () => {
    const { room, viewer } = await finished({})
    await appendTestEvents(room, [{ type: 'user.connect', actorId: viewer.personId, audience: 'staff', payload: {} }])
    await rateEvent({ seatToken: viewer.seatToken, stars: 2, text: 'Так собі' })
    await rateEvent({ seatToken: viewer.seatToken, stars: 5, text: '' })
    expect((await getFinished({ seatToken: viewer.seatToken }, null)).rating).toEqual({ stars: 5, text: '' })
  })

  test('refuses a rating from a person who did not attend', async () => {
    const { viewer } = await finished({})
    await expect(rateEvent({ seatToken: viewer.seatToken, stars: 5, text: '' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect((await getFinished({ seatToken: viewer.seatToken }, null)).rating).toBeNull()
  })

  test('refuses banned people', async () => {
    const { room } = await finished({})
    const { seatToken } = await joinRoom(room, 'viewer', { bannedAt: new Date() })
    await expect(getFinished({ seatToken }, null)).rejects.toEqual(expect.objectContaining({ code: 'forbidden' }))
  })
})
