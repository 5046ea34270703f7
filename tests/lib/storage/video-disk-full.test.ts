import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { listQueuedJobs } from '#lib/core/jobs/queued-jobs.ts'
import { MediaError } from '#lib/core/media/media-task.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ENCODE_JOB, getVideo } from '#lib/storage/video/video.ts'
import { requiredBytes, runWithDiskGuard } from '#lib/storage/video/video-space.ts'
import { createClip } from '../../setup/media/clips.ts'
import { listDerivedFiles, listTemporaryFolders, transcode, upload } from '../../setup/media/transcoding.ts'
import { listFiles } from '../../setup/parsed/storage.ts'
import { createTestTenant } from '../../setup/tenants.ts'

vi.setConfig({ testTimeout: 120_000 })

// Only the result of the system call is simulated: a disk filled by other programs.
const disk = vi.hoisted(() => ({ isFull: false }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const statfs = async (place: string) => ({ ...(await real.statfs(place)), ...(disk.isFull ? { bavail: 0 } : {}) })
  return { ...real, statfs }
})

let folder: string
let owner: Actor

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'disk-'))
  owner = (await createTestTenant()).as.OWNER
})
beforeEach(() => {
  disk.isFull = false
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('waits in the queue while its renditions would use the disk reserve, and is encoded when there is space', async () => {
  const fileId = await upload(owner, await createClip(path.join(folder, 'lesson.mp4'), { size: '640x360', tone: 440 }))
  disk.isFull = true
  await transcode(owner, fileId)
  const waiting = await getVideo(owner, { fileId })
  expect(waiting).toMatchObject({ state: 'queued', waitsForDisk: true, attempts: 0, failure: null })
  expect(waiting.history.at(-1)).toMatchObject({ event: 'queued', detail: 'disk_full' })
  expect((await listFiles(owner, {})).rows[0]).toMatchObject({ state: 'queued', waitsForDisk: true })
  expect(await listTemporaryFolders()).toEqual([])
  expect((await listDerivedFiles(owner, fileId)).paths.filter((name) => name.startsWith('hls/'))).toEqual([])
  expect((await listQueuedJobs(ENCODE_JOB, 100)).some(({ key }) => key === fileId)).toBe(true)

  // Further checks add no events.
  await transcode(owner, fileId)
  expect((await getVideo(owner, { fileId })).history).toEqual(waiting.history)

  disk.isFull = false
  await transcode(owner, fileId)
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'finished', waitsForDisk: false, attempts: 1 })
})

test('is stopped when the disk reserve is reached during encoding', async () => {
  const { signal } = new AbortController()
  const encoding = runWithDiskGuard(
    signal,
    (stopped) =>
      new Promise((_, reject) => {
        stopped.addEventListener('abort', () => reject(new MediaError('stopped')))
        disk.isFull = true
      }),
    1,
  )
  await expect(encoding).rejects.toMatchObject({ fault: 'disk_full' })
})

test('a process shutdown is not reported as a full disk', async () => {
  const stop = new AbortController()
  const encoding = runWithDiskGuard(
    stop.signal,
    (stopped) =>
      new Promise((_, reject) => {
        stopped.addEventListener('abort', () => reject(new MediaError('stopped')))
        stop.abort()
      }),
  )
  await expect(encoding).rejects.toMatchObject({ fault: 'stopped' })
})

test('needs space for its renditions twice, since they are written aside, but at most four times the original', () => {
  const renditions = [{ size: 360 }, { size: 720 }, { size: 1080 }]
  expect(requiredBytes(renditions, 800, 10 ** 12)).toBe(2 * 100 * (900_000 + 2_800_000 + 5_000_000 + 128_000))
  expect(requiredBytes(renditions, 800, 1000)).toBe(4000)
})
