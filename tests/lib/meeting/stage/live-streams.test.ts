import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type * as broadcast from '#lib/core/broadcast/broadcast.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { getMedia } from '#lib/meeting/stage/media.ts'
import { goOnAir } from '#lib/meeting/stage/stage.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { type ChatRoom, createChatRoom, joinRoom, type TestParticipant } from '../../../setup/meeting/chat-room.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

type StreamStateListener = Parameters<typeof broadcast.onStreamState>[0]

// Stream states of the media process are simulated.
const media = vi.hoisted(() => ({ listener: null as unknown }))
vi.mock('#lib/core/broadcast/broadcast.ts', async (original) => ({
  ...(await original<typeof broadcast>()),
  hasOwnSfu: () => true,
  onStreamState: (listener: StreamStateListener) => {
    media.listener = listener
  },
}))

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})
afterEach(() => {
  vi.useRealTimers()
})

const onAir = (room: ChatRoom) =>
  inTenant(room, async (tx) => {
    const { state } = workshopSession
    const [session] = await tx.select({ state }).from(workshopSession).where(eq(workshopSession.id, room.id))
    return session?.state.onAir.map(({ stream }) => stream)
  })

async function onStage(): Promise<{ room: ChatRoom; stream: string; report(isPublished: boolean): void }> {
  const room = await createChatRoom(ours)
  const host: TestParticipant = await joinRoom(room, 'host')
  await getMedia({ seatToken: host.seatToken })
  await goOnAir({ seatToken: host.seatToken, kind: 'camera', microphone: true, camera: true })
  const stream = `${host.personId}-camera`
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  return {
    room,
    stream,
    report: (isPublished) =>
      (media.listener as StreamStateListener)({ room: room.id, stream, isPublished, codec: null }),
  }
}

test('a disconnected publisher leaves the stage after 15 seconds, a reconnected one stays', async () => {
  const [vanished, back] = [await onStage(), await onStage()]
  vanished.report(false)
  back.report(false)
  await vi.advanceTimersByTimeAsync(14_000)
  back.report(true)
  expect(await onAir(vanished.room)).toEqual([vanished.stream])
  await vi.advanceTimersByTimeAsync(1000)
  await vi.waitFor(async () => expect(await onAir(vanished.room)).toEqual([]), 10_000)
  expect(await onAir(back.room)).toEqual([back.stream])
})

test('a second reload has the same grace period as the first', async () => {
  const [twice, once] = [await onStage(), await onStage()]
  twice.report(false)
  await vi.advanceTimersByTimeAsync(1000)
  once.report(false)
  twice.report(true)
  await vi.advanceTimersByTimeAsync(13_000)
  twice.report(false)
  await vi.advanceTimersByTimeAsync(2000)
  // Streams that ended a second later are removed too.
  await vi.waitFor(async () => expect(await onAir(once.room)).toEqual([]), 10_000)
  expect(await onAir(twice.room)).toEqual([twice.stream])
  await vi.advanceTimersByTimeAsync(13_000)
  await vi.waitFor(async () => expect(await onAir(twice.room)).toEqual([]), 10_000)
})
