import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { choosePoster, getVideo, retryVideo } from '#lib/storage/video/video.ts'
import { createClip, measureLoudness, probeFile } from '../../../setup/media/clips.ts'
import {
  copyDerivedFiles,
  countDerivedBytes,
  listDerivedFiles,
  listStorageEvents,
  listTemporaryFolders,
  transcode,
  upload,
} from '../../../setup/media/transcoding.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let folder: string
let home: TestTenant
let owner: Actor

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'videos-'))
  home = await createTestTenant()
  owner = home.as.OWNER
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const at = (name: string): string => path.join(folder, name)
const events = async (fileId: string): Promise<string[]> =>
  (await getVideo(owner, { fileId })).history.map(({ event, detail }) => (detail ? `${event} ${detail}` : event))

describe('a 1080p video', () => {
  let fileId: string
  let there: string

  beforeAll(async () => {
    const from = await createClip(at('video.mp4'), { seconds: 9, size: '1920x1080', rate: 30, tone: 440, quiet: 12 })
    fileId = await upload(owner, from)
    await transcode(owner, fileId)
    there = await copyDerivedFiles(owner, fileId, at('made'))
  })

  test('is encoded at 360, 720 and 1080 lines with one audio track, and reports each step', async () => {
    const view = await getVideo(owner, { fileId })
    expect(view).toMatchObject({ state: 'finished', progress: 100, duration: 9, hasPicture: true, hasSound: true })
    expect(view).toMatchObject({
      soundReady: true,
      posters: 4,
      attempts: 1,
      failure: null,
      queuePosition: null,
      encoder: true,
    })
    expect(view.renditions).toEqual([
      { size: 360, width: 640, height: 360, ready: true },
      { size: 720, width: 1280, height: 720, ready: true },
      { size: 1080, width: 1920, height: 1080, ready: true },
    ])
    const steps = ['queued', 'processing 1', 'processing poster', 'encoding', 'resolutionFinished 360']
    expect(await events(fileId)).toEqual([...steps, 'resolutionFinished 720', 'resolutionFinished 1080', 'finished'])
    for (const { size, width, height } of view.renditions) {
      const { streams, seconds } = await probeFile(path.join(there, `hls/${size}/index.m3u8`))
      expect(streams).toMatchObject([{ codec_name: 'h264', width, height, pix_fmt: 'yuv420p', r_frame_rate: '30/1' }])
      expect(seconds).toBeCloseTo(9, 1)
    }
  })

  test('is segmented at the same times in all renditions, each starting with a keyframe', () => {
    const lists = [360, 720, 1080].map((size) => readFileSync(path.join(there, `hls/${size}/index.m3u8`), 'utf8'))
    expect(lists[0]).toMatch(/#EXT-X-PLAYLIST-TYPE:VOD[\s\S]*INDEPENDENT-SEGMENTS[\s\S]*#EXT-X-ENDLIST/)
    expect(lists[0]?.match(/#EXTINF:[\d.]+/g)).toEqual(['#EXTINF:4.000000', '#EXTINF:4.000000', '#EXTINF:1.000000'])
    expect(lists[1]).toBe(lists[0])
    expect(lists[2]).toBe(lists[0])
  })

  test('is normalized to the common loudness', async () => {
    expect(Math.abs(measureLoudness(path.join(there, 'hls/sound/index.m3u8')) + 16)).toBeLessThan(2)
    const { streams } = await probeFile(path.join(there, 'hls/sound/index.m3u8'))
    expect(streams).toMatchObject([{ codec_name: 'aac', sample_rate: '48000', channels: 2 }])
  })

  test('can be played by its master playlist', async () => {
    const { streams } = await probeFile(path.join(there, 'hls/master.m3u8'))
    expect(streams.filter(({ codec_type }) => codec_type === 'video').map(({ height }) => height)).toEqual([
      360, 720, 1080,
    ])
    const master = readFileSync(path.join(there, 'hls/master.m3u8'), 'utf8')
    expect(master).toMatch(/BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+,CODECS="mp4a.40.2",AUDIO="sound"\nsound\/index.m3u8\n$/)
  })

  test('has poster candidates and a storyboard', async () => {
    const { default: sharp } = await import('sharp')
    const poster = await sharp(path.join(there, 'poster/3.webp')).metadata()
    expect(poster).toMatchObject({ format: 'webp', width: 1280, height: 720 })
    expect(await sharp(path.join(there, 'storyboard.webp')).metadata()).toMatchObject({ width: 1440, height: 90 })
    await choosePoster(owner, { fileId, poster: 3 })
    expect(await getVideo(owner, { fileId })).toMatchObject({ poster: 3 })
    await expect(choosePoster(owner, { fileId, poster: 4 })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('reported monotonic live progress', async () => {
    const percents = (await listStorageEvents(owner, fileId)).flatMap(({ progress }) => progress ?? [])
    expect(percents.length).toBeGreaterThan(7)
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    expect(percents.filter((percent) => percent > 3 && percent < 99).length).toBeGreaterThan(0)
  })

  test('is counted to the byte and leaves no temporary files', async () => {
    expect(await countDerivedBytes(owner)).toBe((await listDerivedFiles(owner, fileId)).bytes)
    expect(await listTemporaryFolders()).toEqual([])
  })

  test('is not encoded twice', async () => {
    const before = await events(fileId)
    await transcode(owner, fileId)
    expect(await events(fileId)).toEqual(before)
    await expect(retryVideo(owner, { fileId })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('is refused to those who do not manage files, and not found by another tenant', async () => {
    const { as } = await createOtherTenant()
    await expect(getVideo(home.as.CURATOR, { fileId })).rejects.toMatchObject({ code: 'forbidden' })
    for (const action of [getVideo, retryVideo]) {
      await expect(action(as.OWNER, { fileId })).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(choosePoster(as.OWNER, { fileId, poster: 0 })).rejects.toMatchObject({ code: 'not_found' })
  })
})

// ISO/IEC 14496-12, 8.3.2: the matrix of a phone held upright, 40 bytes after the name of the track's box.
function turned(from: string): Buffer {
  const bytes = readFileSync(from)
  const matrix = bytes.indexOf('tkhd') + 44
  for (const [nth, value] of [0, 0x10000, 0, -0x10000, 0, 0].entries()) bytes.writeInt32BE(value, matrix + 4 * nth)
  return bytes
}

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast']
test.each([
  ['smaller than 360 lines', 'small.mp4', { size: '320x240', tone: 300 }, ['320x240']],
  ['of odd sides', 'odd.mkv', { size: '643x363', options: ['-c:v', 'ffv1', '-pix_fmt', 'yuv444p'] }, ['638x360']],
  ['held upright', 'upright.mp4', { size: '360x640' }, ['360x640']],
  ['turned by a mark', 'turned.mp4', { size: '640x360' }, ['360x640']],
  ['of pixels that are not square', 'wide.mp4', { size: '720x576', options: ['-vf', 'setsar=64/45'] }, ['640x360']],
  ['of many frames a second', 'fast.mp4', { size: '640x360', rate: 60 }, ['640x360']],
  [
    'of frames as they come',
    'vfr.mkv',
    { size: '640x360', options: ['-vf', 'select=lt(mod(n\\,7)\\,3)', '-vsync', 'vfr'] },
    ['640x360'],
  ],
  [
    'of interlaced lines',
    'tv.ts',
    { size: '720x576', options: ['-flags', '+ildct+ilme', '-x264opts', 'tff=1', ...H264] },
    ['450x360'],
  ],
  ['that begins late', 'late.ts', { size: '640x360', tone: 300, options: ['-output_ts_offset', '900'] }, ['640x360']],
])('plays a video %s', async (_, name, how, sizes) => {
  const from = await createClip(at(name), { seconds: 1.6, ...how })
  const fileId = await upload(owner, name === 'turned.mp4' ? turned(from) : from)
  await transcode(owner, fileId)
  const view = await getVideo(owner, { fileId })
  expect(view).toMatchObject({ state: 'finished', hasSound: 'tone' in how, duration: 2 })
  expect(view.posters).toBe(name.endsWith('.ts') ? 1 : 4)
  expect(view.renditions.map(({ width, height }) => `${width}x${height}`)).toEqual(sizes)
  const there = await copyDerivedFiles(owner, fileId, at(`${name}.made`))
  const { streams, seconds } = await probeFile(path.join(there, 'hls/master.m3u8'))
  expect(streams.find(({ codec_type }) => codec_type === 'video')).toMatchObject({
    sample_aspect_ratio: '1:1',
    r_frame_rate: name === 'fast.mp4' ? '30/1' : '25/1',
  })
  expect(Math.abs(seconds - 1.6)).toBeLessThan(0.15)
})

test('plays a recording without a stored length', async () => {
  const from = await createClip(at('whole.mkv'), { size: '640x360', tone: 300 })
  execFileSync('/bin/sh', [
    '-c',
    `"$0" -v error -i "$1" -c copy -f matroska - > "$2"`,
    process.env.FFMPEG_PATH ?? 'ffmpeg',
    from,
    at('live.mkv'),
  ])
  const fileId = await upload(owner, at('live.mkv'))
  await transcode(owner, fileId)
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'finished', duration: 2 })
})

test('plays audio without a stored length', async () => {
  const parts = [
    await createClip(at('low.mp3'), { tone: 440, seconds: 3, options: ['-b:a', '32k', '-write_xing', '0'] }),
    await createClip(at('high.mp3'), { tone: 880, seconds: 3, options: ['-b:a', '320k', '-write_xing', '0'] }),
  ]
  const fileId = await upload(owner, Buffer.concat(parts.map((from) => readFileSync(from))), 'audio')
  await transcode(owner, fileId)
  expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'finished', duration: 6 })
})

test('plays audio only, and shows the cover of a song that has one', async () => {
  const cover = await createClip(at('cover.jpg'), {
    size: '300x300',
    seconds: 0.04,
    options: ['-c:v', 'mjpeg', '-frames:v', '1'],
  })
  const song = await createClip(at('song.mp3'), { tone: 440, seconds: 3, options: [] })
  const both = [
    '-v',
    'error',
    '-y',
    '-i',
    song,
    '-i',
    cover,
    '-map',
    '0:a',
    '-map',
    '1:v',
    '-c',
    'copy',
    '-disposition:v',
    'attached_pic',
  ]
  execFileSync(process.env.FFMPEG_PATH ?? 'ffmpeg', [...both, at('covered.mp3')])
  for (const [name, posters] of [
    ['song.mp3', 0],
    ['covered.mp3', 1],
  ] as const) {
    const fileId = await upload(owner, at(name), 'audio')
    await transcode(owner, fileId)
    const view = await getVideo(owner, { fileId })
    expect(view).toMatchObject({
      state: 'finished',
      hasPicture: false,
      hasSound: true,
      soundReady: true,
      posters,
      renditions: [],
    })
    expect((await listDerivedFiles(owner, fileId)).paths).toContain('hls/master.m3u8')
    expect((await listDerivedFiles(owner, fileId)).paths).not.toContain('storyboard.webp')
  }
})

test('limits the amplification of silence and whispers', async () => {
  const fileId = await upload(owner, await createClip(at('silence.wav'), { tone: 440, quiet: 120 }), 'audio')
  await transcode(owner, fileId)
  expect(
    measureLoudness(path.join(await copyDerivedFiles(owner, fileId, at('silence')), 'hls/sound/index.m3u8')),
  ).toBeLessThan(-60)
})
