import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { getRecording, trimRecording, trimSessionVideos } from '#lib/meeting/recording/trim.ts'
import { formatTrimTime, isValidRange, parseTrimTime } from '#lib/meeting/recording/trim-rules.ts'
import { partVideoIdOf, slidesVideoIdOf } from '#lib/meeting/recording/video-id.ts'
import { storeRecording } from '#lib/storage/video/store-recording.ts'
import { saveSessionVideo } from '#lib/workshop/session-video.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { createClip, probeFile } from '../../../setup/media/clips.ts'
import { appendTestEvents, type ChatRoom, createChatRoom } from '../../../setup/meeting/chat-room.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const { signal } = new AbortController()
const SECONDS = 6

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

/** A finished event of six seconds with both videos in the storage. */
async function recorded(): Promise<ChatRoom> {
  const room = await createChatRoom(ours, {}, { begun: false })
  const begun = Date.now() - SECONDS * 1000
  await appendTestEvents(room, [{ type: 'webinar.start', payload: {} }], new Date(begun))
  await appendTestEvents(room, [{ type: 'webinar.finish', payload: {} }], new Date(begun + SECONDS * 1000))
  await withTemporaryFolder(async (folder) => {
    for (const fileId of [room.id, slidesVideoIdOf(room.id)]) {
      const path = await createClip(`${folder}/${fileId}.mp4`, { seconds: SECONDS, size: '320x180', tone: 440 })
      const ownerId = ours.as.OWNER.membershipId
      await storeRecording({ tenantId: room.tenantId, fileId, path, name: 'Ефір.mp4', ownerId })
    }
  })
  await inTenant(room, (tx) => saveSessionVideo(tx, room.id, { fileId: room.id, offsetMs: 0 }))
  return room
}

const videoOf = async (room: ChatRoom) => {
  const { videoFileId, videoOffsetMs } = workshopSession
  const [found] = await inTenant(room, (tx) =>
    tx.select({ videoFileId, videoOffsetMs }).from(workshopSession).where(eq(workshopSession.id, room.id)),
  )
  return found
}

const lengthOf = ({ tenantId }: ChatRoom, fileId: string) =>
  withTemporaryFolder(async (folder) => {
    const localCopy = await store.openLocalCopy(`${tenantId}/${fileId}`, folder)
    const { seconds } = await probeFile(localCopy?.path ?? '')
    await localCopy?.done()
    return seconds
  })

describe('a trimmed part', () => {
  test.each([
    ['0', 0],
    ['65', 65],
    ['1:05', 65],
    ['1:02:03', 3723],
    ['1:60', null],
    ['-1', null],
    ['', null],
    ['1:2:3:4', null],
    ['одна', null],
  ])('%s is %s seconds', (text, seconds) => {
    expect(parseTrimTime(text)).toBe(seconds)
    if (seconds !== null) expect(parseTrimTime(formatTrimTime(seconds))).toBe(seconds)
  })

  test('lasts at least a second and lies within the recording', () => {
    expect([
      isValidRange({ from: 0, to: 6 }, 5.4),
      isValidRange({ from: 2, to: 3 }, 6),
      isValidRange({ from: 5, to: 6 }, 6),
    ]).toEqual([true, true, true])
    expect([
      isValidRange({ from: 3, to: 3 }, 6),
      isValidRange({ from: 4, to: 2 }, 6),
      isValidRange({ from: 0, to: 7 }, 6),
    ]).toEqual([false, false, false])
  })
})

test("of both files keeps the session's clock, and the whole recording can be restored", async () => {
  const room = await recorded()
  const { tenantId, id: sessionId } = room
  const part = { from: 2, to: 5 }
  await trimSessionVideos({ tenantId, sessionId, ...part }, { signal })
  await trimSessionVideos({ tenantId, sessionId, ...part }, { signal })
  const video = partVideoIdOf(sessionId, part)
  expect(await videoOf(room)).toEqual({ videoFileId: video, videoOffsetMs: -2000 })
  for (const id of [video, slidesVideoIdOf(video)]) expect(await lengthOf(room, id)).toBeCloseTo(3, 0)
  expect(await getRecording(ours.as.OWNER, { workshopId: room.workshopId })).toMatchObject({
    lengthSeconds: SECONDS,
    trimmedSeconds: 2,
    files: [
      { id: slidesVideoIdOf(video), name: 'Ефір — частина.mp4', slides: true },
      { id: video, name: 'Ефір — частина.mp4', slides: false },
    ],
  })
  expect(await lengthOf(room, sessionId)).toBeCloseTo(SECONDS, 0)
  await trimSessionVideos({ tenantId, sessionId, from: 0, to: SECONDS }, { signal })
  expect(await videoOf(room)).toEqual({ videoFileId: sessionId, videoOffsetMs: 0 })
}, 90_000)

test('is refused to those who may not edit the event, and when it is invalid', async () => {
  const { workshopId } = await recorded()
  const input = { workshopId, from: 0, to: 3 }
  await expect(trimRecording(ours.as.MODERATOR, input)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(getRecording(ours.as.MODERATOR, input)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(trimRecording(theirs.as.OWNER, input)).rejects.toMatchObject({ code: 'not_found' })
  for (const wrong of [
    { from: 4, to: 2 },
    { from: 0, to: 60 },
    { from: -1, to: 3 },
  ])
    await expect(trimRecording(ours.as.OWNER, { workshopId, ...wrong })).rejects.toMatchObject({
      code: 'invalid',
      details: { fields: { to: ['trim_range'] } },
    })
}, 60_000)
