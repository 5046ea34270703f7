import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { recordingPlace } from '#lib/core/broadcast/recording/record-wanted.ts'
import { inLine } from '#lib/core/jobs/line.ts'
import { start } from '#lib/meeting/control.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { composeFilm } from '#lib/meeting/recording/compose.ts'
import { noteRecording } from '#lib/meeting/recording/record.ts'
import { chatRoom, happen, logOf, sitter } from '../../setup/meeting/chat-room.ts'
import { school } from '../../setup/people.ts'

// Only the system's answer is simulated: a disk that others have filled.
const disk = vi.hoisted(() => ({ isFull: false }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const statfs = async (place: string) => ({ ...(await real.statfs(place)), ...(disk.isFull ? { bavail: 0 } : {}) })
  return { ...real, statfs }
})

test('a recording is composed later while the disk has no space for its film, and is kept until then', async () => {
  const room = await chatRoom(await school())
  await happen(room, [{ type: 'webinar.finish', payload: { because: 'host' } }])
  const segment = path.join(recordingPlace(room.id), 'ada-camera', '000001.mkv')
  await mkdir(path.dirname(segment), { recursive: true })
  await writeFile(segment, 'recorded')
  disk.isFull = true
  await composeFilm({ tenantId: room.tenantId, sessionId: room.id }, { signal: new AbortController().signal })
  disk.isFull = false
  expect(existsSync(segment)).toBe(true)
  expect(await inLine('meeting.compose', 10)).toMatchObject([{ key: room.id, running: false }])
})

test('the room is told once that the disk stopped the recording, and once that it goes on', async () => {
  const room = await chatRoom(await school(), {}, { begun: false })
  const host = await sitter(room, 'host')
  const session = { tenantId: room.tenantId, sessionId: room.id }
  const changes = async () => (await logOf(room)).filter(({ type }) => type === 'recording.change')
  const stoppedAt = async () => (await getRoom({ ticket: host.ticket })).state.recordingStoppedAt

  // Before the start nothing is recorded.
  await noteRecording(session, false)
  expect(await changes()).toEqual([])

  await start({ ticket: host.ticket })
  await noteRecording(session, true)
  expect(await changes()).toEqual([])
  await noteRecording(session, false)
  await noteRecording(session, false)
  expect(await changes()).toMatchObject([{ payload: { on: false } }])
  expect(await stoppedAt()).toEqual(expect.any(Number))
  await noteRecording(session, true)
  expect(await changes()).toHaveLength(2)
  expect(await stoppedAt()).toBeNull()
})
