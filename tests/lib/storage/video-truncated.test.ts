import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { getFile } from '#lib/storage/details.ts'
import { getVideo } from '#lib/storage/video/video.ts'
import { createClip, probeFile } from '../../setup/media/clips.ts'
import { copyDerivedFiles, listDerivedFiles, transcode, truncateFile, upload } from '../../setup/media/transcoding.ts'
import { listFiles } from '../../setup/parsed/storage.ts'
import { createTestTenant } from '../../setup/tenants.ts'

// Each test encodes with the real ffmpeg, on a possibly loaded machine.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
let owner: Actor

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'truncated-'))
  owner = (await createTestTenant()).as.OWNER
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', '-g', '25']
const RECORDINGS = {
  'lesson.mkv': ['-c:a', 'aac', '-g', '25'],
  'lesson.webm': VP8,
  // As written by a browser or an encoder: no duration in the header, and none at the end.
  'live.webm': [...VP8, '-live', '1'],
}
const recording = (name: keyof typeof RECORDINGS) =>
  createClip(path.join(folder, name), { size: '320x180', tone: 440, seconds: 6, options: RECORDINGS[name] })

test.each(['lesson.mkv', 'lesson.webm', 'live.webm'] as const)(
  'plays %s as far as it can be read when its end is missing, with a notice',
  async (name) => {
    const fileId = await upload(owner, await truncateFile(await recording(name), 0.6))
    await transcode(owner, fileId)
    const view = await getVideo(owner, { fileId })
    expect(view).toMatchObject({ state: 'finished', truncated: true, failure: null, hasPicture: true, hasSound: true })
    expect(view.duration).toBeGreaterThanOrEqual(3)
    expect(view.duration).toBeLessThanOrEqual(4)
    expect(view.history.at(-1)).toMatchObject({ event: 'finished', detail: 'truncated' })
    const played = await probeFile(
      path.join(await copyDerivedFiles(owner, fileId, path.join(folder, name + fileId)), 'hls/master.m3u8'),
    )
    expect(Math.abs(played.seconds - (view.duration ?? 0))).toBeLessThan(1)
    expect(await getFile(owner, { fileId })).toMatchObject({ truncated: true, duration: view.duration })
    const { rows } = await listFiles(owner, {})
    expect(rows.find(({ id }) => id === fileId)).toMatchObject({ truncated: true, duration: view.duration })
  },
)

test('reports nothing for a complete recording, with or without a length in its header', async () => {
  for (const name of ['lesson.mkv', 'live.webm'] as const) {
    const fileId = await upload(owner, await recording(name))
    await transcode(owner, fileId)
    expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'finished', truncated: false, duration: 6 })
  }
})

test('reports nothing for a recording that lacks only the index after its last frame', async () => {
  const fileId = await upload(owner, await truncateFile(await recording('lesson.mkv'), 0.999))
  await transcode(owner, fileId)
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'finished', truncated: false, duration: 6 })
})

test('is damaged when nothing can be read', async () => {
  const fileId = await upload(owner, await truncateFile(await recording('lesson.mkv'), 0.02))
  await transcode(owner, fileId)
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'failed', failure: 'damaged', truncated: false })
  expect((await listDerivedFiles(owner, fileId)).paths).toEqual([])
})
