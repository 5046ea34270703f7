import { existsSync } from 'node:fs'
import path from 'node:path'
import { and, eq, like } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { recordStream } from '#lib/core/broadcast/recording/recorder.ts'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { mail } from '#lib/core/mail/table.ts'
import { composeSessionVideos } from '#lib/meeting/recording/compose.ts'
import { file, storageUse } from '#lib/storage/table.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { startRtpPublisher } from '../../../setup/media/rtp-publisher.ts'
import { appendTestEvents, type ChatRoom, createChatRoom, joinRoom } from '../../../setup/meeting/chat-room.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const { signal } = new AbortController()

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

const compose = (room: ChatRoom) => composeSessionVideos({ tenantId: room.tenantId, sessionId: room.id }, { signal })
const sessionOf = async (room: ChatRoom) =>
  (await inTenant(room, (tx) => tx.select().from(workshopSession).where(eq(workshopSession.id, room.id))))[0]
const videos = (room: ChatRoom) => inTenant(room, (tx) => tx.select().from(file).where(eq(file.kind, 'video')))

/** A session with two seconds of streams, recorded and ended. */
async function recorded(): Promise<ChatRoom> {
  const room = await createChatRoom(ours)
  const { personId } = await joinRoom(room, 'host')
  const source = await startRtpPublisher({ codec: 'H264', picture: 'drawbox=t=fill:color=green', seconds: 2 })
  const place = path.join(recordingDirectory(room.id), `${personId}-camera`)
  const recorder = recordStream(source, place, (error) => expect.unreachable(error.message))
  await new Promise<void>((resolve) => source.onEnd(resolve))
  await recorder.stop()
  await appendTestEvents(room, [{ type: 'webinar.finish', payload: { reason: 'host' } }])
  return room
}

test('stores the recording of a session once, however often the job runs', { timeout: 90_000 }, async () => {
  const room = await recorded()
  await compose(room)
  const first = await sessionOf(room)
  await compose(room)
  const second = await sessionOf(room)
  expect(first?.videoFileId).not.toBeNull()
  expect(second?.videoFileId).toBe(first?.videoFileId)
  expect(await videos(room)).toMatchObject([{ id: first?.videoFileId, name: 'Ефір.mp4', mime: 'video/mp4' }])
  expect(existsSync(recordingDirectory(room.id))).toBe(false)
})

test('keeps a recording without free space, and notifies the owner once', { timeout: 90_000 }, async () => {
  const room = await recorded()
  const { limit, used } = await getQuota(ours.as.OWNER)
  const fill = (original: number) => inTenant(room, (tx) => tx.update(storageUse).set({ original }))
  const listQuotaEmails = () =>
    inTenant(room, (tx) =>
      tx
        .select({ subject: mail.subject })
        .from(mail)
        .where(and(eq(mail.to, ours.as.OWNER.email), like(mail.onceKey, `meeting/full/${room.id}/%`))),
    )
  await fill(limit ?? 0)
  await compose(room)
  await compose(room)
  expect(await listQuotaEmails()).toEqual([{ subject: 'Місце для файлів закінчилося: «Ефір»' }])
  expect((await videos(room)).map(({ id }) => id)).toContain(room.id)
  await fill(used)
})

test('stores the same recording when the worker died before it was saved', { timeout: 90_000 }, async () => {
  const room = await recorded()
  const before = (await videos(room)).length
  const stopped = new AbortController()
  stopped.abort()
  const { tenantId, id: sessionId } = room
  await expect(composeSessionVideos({ tenantId, sessionId }, { signal: stopped.signal })).rejects.toThrow()
  expect(existsSync(recordingDirectory(room.id))).toBe(true)
  await compose(room)
  expect((await videos(room)).length).toBe(before + 1)
  expect((await sessionOf(room))?.videoFileId).not.toBeNull()
})

test('does nothing for a session that was not recorded', async () => {
  const room = await createChatRoom(ours)
  await compose(room)
  await appendTestEvents(room, [{ type: 'webinar.finish', payload: { reason: 'host' } }])
  await compose(room)
  expect(await sessionOf(room)).toMatchObject({ videoFileId: null })
})
