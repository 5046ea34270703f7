import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { video } from '#lib/storage/table.ts'
import { discardObjects, purgeFiles } from '#lib/storage/trash.ts'
import { getVideo, retryVideo } from '#lib/storage/video/video.ts'
import { createClip } from '../../setup/media/clips.ts'
import {
  countDerivedBytes,
  findEncoderProcess,
  listDerivedFiles,
  listTemporaryFolders,
  transcode,
  truncateFile,
  upload,
} from '../../setup/media/transcoding.ts'
import { deleteFiles } from '../../setup/parsed/storage.ts'
import { createTestTenant } from '../../setup/tenants.ts'

let folder: string
let owner: Actor
let longVideo: Promise<string> | undefined

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'videos-'))
  owner = (await createTestTenant()).as.OWNER
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const at = (name: string): string => path.join(folder, name)
/** Takes some seconds to encode. */
const long = () => (longVideo ??= createClip(at('long.mp4'), { seconds: 16, size: '1280x720', tone: 440 }))

const playlist = (line: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${line}\n#EXT-X-ENDLIST\n`
const text = (words: string) => async () => Buffer.from(words)
const clip = (name: string, how: Parameters<typeof createClip>[1]) => () => createClip(at(name), how)

test.each([
  ['an empty file', 'empty', text('')],
  ['a text with the name of a video', 'damaged', text('Це не відео, а лист.\n'.repeat(100))],
  ['a page', 'damaged', text('<!doctype html><video src=x>')],
  [
    'a picture',
    'damaged',
    clip('picture.png', { size: '64x64', seconds: 0.04, options: ['-c:v', 'png', '-frames:v', '1'] }),
  ],
  [
    'a video cut off before its table',
    'damaged',
    async () => truncateFile(await createClip(at('cut.mp4'), { size: '640x360' }), 0.6),
  ],
  [
    'a video cut off behind its table',
    'damaged',
    async () =>
      truncateFile(
        await createClip(at('short.mp4'), { size: '640x360', seconds: 4, options: ['-movflags', 'faststart'] }),
        0.5,
      ),
  ],
  [
    'noise behind the head of a video',
    'damaged',
    async () => noise(await createClip(at('noise.mp4'), { size: '640x360' })),
  ],
  ['a playlist that names a file of the server', 'damaged', text(playlist('/etc/passwd'))],
  ['a playlist that names an address', 'damaged', text(playlist('http://127.0.0.1:9/a.ts'))],
  ['a list of files to join', 'damaged', text("ffconcat version 1.0\nfile '/etc/passwd'\n")],
  ['subtitles alone', 'no_picture_or_sound', subtitles],
  [
    'a picture wider than any screen',
    'too_heavy',
    clip('wide.avi', { size: '16384x16', seconds: 0.2, options: ['-c:v', 'mjpeg'] }),
  ],
  [
    'a video of nine hours',
    'too_long_to_process',
    clip('slow.mp4', { size: '64x64', rate: '1/600', seconds: 9 * 3600 }),
  ],
] as const)('refuses %s as %s, at once and without trace', async (_, failure, make) => {
  const fileId = await upload(owner, await make())
  await transcode(owner, fileId)
  const view = await getVideo(owner, { fileId })
  expect(view).toMatchObject({ state: 'failed', failure, attempts: 1 })
  expect(view.history.at(-1)).toMatchObject({ event: 'failed', detail: failure })
  expect(view.failureDetail ?? '').not.toMatch(/root:|\/tmp\/|\/etc\//)
  expect((await listDerivedFiles(owner, fileId)).paths.filter((name) => !name.startsWith('poster/'))).toEqual([])
  expect(await listTemporaryFolders()).toEqual([])
})

test('retries after the encoder was killed, keeps complete output and leaves nothing else', async () => {
  const before = await countDerivedBytes(owner)
  const fileId = await upload(owner, await long())
  const first = transcode(owner, fileId).catch((error: Error) => error)
  process.kill(await findEncoderProcess(fileId, '720/index'), 'SIGKILL')
  expect(await first).toMatchObject({ fault: 'crashed' })
  const view = await getVideo(owner, { fileId })
  expect(view).toMatchObject({ state: 'queued', attempts: 1, failure: null })
  expect(view.renditions.map(({ ready }) => ready)).toEqual([true, false])
  expect(await listTemporaryFolders()).toEqual([])
  const kept = await listDerivedFiles(owner, fileId)
  expect(kept.paths).toContain('hls/master.m3u8')
  expect(kept.paths.filter((name) => name.startsWith('hls/720'))).toEqual([])
  expect((await countDerivedBytes(owner)) - before).toBe(kept.bytes)
  await transcode(owner, fileId)
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'finished', attempts: 2, progress: 100 })
  expect((await countDerivedBytes(owner)) - before).toBe((await listDerivedFiles(owner, fileId)).bytes)
}, 60_000)

test('fails after the third attempt, and restarts on request', async () => {
  const fileId = await upload(owner, await long())
  for (const attempt of [1, 2, 3]) {
    const running = transcode(owner, fileId).catch((error: Error) => error)
    process.kill(await findEncoderProcess(fileId, '360/index'), 'SIGKILL')
    await running
    expect(await getVideo(owner, { fileId })).toMatchObject({
      attempts: attempt,
      state: attempt < 3 ? 'queued' : 'failed',
    })
  }
  expect(await getVideo(owner, { fileId })).toMatchObject({ failure: 'processing_crashed' })
  expect((await listDerivedFiles(owner, fileId)).paths.every((name) => name.startsWith('poster/'))).toBe(true)
  await transcode(owner, fileId)
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'failed' })
  await retryVideo(owner, { fileId })
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'queued', attempts: 0, failure: null, progress: 0 })
}, 60_000)

test('does not count a process shutdown as an attempt, and stops the encoder at once', async () => {
  const fileId = await upload(owner, await long())
  const stop = new AbortController()
  const running = transcode(owner, fileId, stop.signal).catch((error: Error) => error)
  const pid = await findEncoderProcess(fileId, '360/index')
  stop.abort()
  expect(await running).toMatchObject({ fault: 'stopped' })
  expect(() => process.kill(pid, 0)).toThrow()
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'queued', attempts: 0, progress: 0 })
  expect(await listTemporaryFolders()).toEqual([])
})

test('fails a video whose every attempt killed the whole process', async () => {
  const fileId = await upload(owner, await long())
  await inTenant(owner, (tx) =>
    tx.update(video).set({ attempts: 3, state: 'encoding' }).where(eq(video.fileId, fileId)),
  )
  await transcode(owner, fileId)
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'failed', failure: 'processing_crashed' })
})

test('leaves nothing of a video that was purged meanwhile', async () => {
  const before = await countDerivedBytes(owner)
  const fileId = await upload(owner, await createClip(at('gone.mp4'), { seconds: 6, size: '640x360' }))
  const running = transcode(owner, fileId)
  await findEncoderProcess(fileId, '360/index')
  await deleteFiles(owner, { fileIds: [fileId] })
  await purgeFiles(owner, { fileIds: [fileId] })
  await discardObjects({ tenantId: owner.tenantId, fileIds: [fileId] })
  await running
  expect(await listDerivedFiles(owner, fileId)).toEqual({ paths: [], bytes: 0 })
  expect(await countDerivedBytes(owner)).toBe(before)
  expect(await listTemporaryFolders()).toEqual([])
})

test('reports the position in the queue', async () => {
  const owner = (await createTestTenant()).as.OWNER
  const from = await createClip(at('turn.mp4'), { size: '64x64' })
  const [first, second] = [await upload(owner, from), await upload(owner, from)]
  const place = async (fileId: string) => (await getVideo(owner, { fileId })).queuePosition ?? 0
  expect((await place(second)) - (await place(first))).toBe(1)
})

async function noise(from: string): Promise<Buffer> {
  const bytes = await truncateFile(from, 1)
  const data = bytes.indexOf('mdat') + 8
  const table = bytes.lastIndexOf('moov') - 8
  return Buffer.concat([bytes.subarray(0, data), Buffer.alloc(table - data, 0x5a), bytes.subarray(table)])
}

async function subtitles(): Promise<string> {
  await writeFile(at('texts.srt'), '1\n00:00:00,000 --> 00:00:02,000\nПривіт\n')
  execFileSync(process.env.FFMPEG_PATH ?? 'ffmpeg', ['-v', 'error', '-y', '-i', at('texts.srt'), at('texts.mkv')])
  return at('texts.mkv')
}
