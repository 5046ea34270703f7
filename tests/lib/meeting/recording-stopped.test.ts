import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { listQueuedJobs } from '#lib/core/jobs/queued-jobs.ts'
import { startEvent } from '#lib/meeting/control.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { composeSessionVideos } from '#lib/meeting/recording/compose.ts'
import { publishRecordingState } from '#lib/meeting/recording/record.ts'
import { appendTestEvents, createChatRoom, joinRoom, readRoomLog } from '../../setup/meeting/chat-room.ts'
import { createTestTenant } from '../../setup/tenants.ts'

// Only the result of the system call is simulated: a disk filled by other programs.
const disk = vi.hoisted(() => ({ isFull: false }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const statfs = async (place: string) => ({ ...(await real.statfs(place)), ...(disk.isFull ? { bavail: 0 } : {}) })
  return { ...real, statfs }
})

test('a recording is composed later and kept while the disk has no space for its file', async () => {
  const room = await createChatRoom(await createTestTenant())
  await appendTestEvents(room, [{ type: 'webinar.finish', payload: { reason: 'host' } }])
  const segment = path.join(recordingDirectory(room.id), 'ada-camera', '000001.mkv')
  await mkdir(path.dirname(segment), { recursive: true })
  await writeFile(segment, 'recorded')
  disk.isFull = true
  await composeSessionVideos({ tenantId: room.tenantId, sessionId: room.id }, { signal: new AbortController().signal })
  disk.isFull = false
  expect(existsSync(segment)).toBe(true)
  expect(await listQueuedJobs('meeting.compose', 10)).toMatchObject([{ key: room.id, isRunning: false }])
})

test('the room is notified once that low disk space stopped the recording, and once that it continues', async () => {
  const room = await createChatRoom(await createTestTenant(), {}, { begun: false })
  const host = await joinRoom(room, 'host')
  const session = { tenantId: room.tenantId, sessionId: room.id }
  const changes = async () => (await readRoomLog(room)).filter(({ type }) => type === 'recording.change')
  const stoppedAt = async () => (await getRoom({ seatToken: host.seatToken })).state.recordingStoppedAt

  // Nothing is recorded before the start.
  await publishRecordingState(session, false)
  expect(await changes()).toEqual([])

  await startEvent({ seatToken: host.seatToken })
  await publishRecordingState(session, true)
  expect(await changes()).toEqual([])
  await publishRecordingState(session, false)
  await publishRecordingState(session, false)
  expect(await changes()).toMatchObject([{ payload: { on: false } }])
  expect(await stoppedAt()).toEqual(expect.any(Number))
  await publishRecordingState(session, true)
  expect(await changes()).toHaveLength(2)
  expect(await stoppedAt()).toBeNull()
})
