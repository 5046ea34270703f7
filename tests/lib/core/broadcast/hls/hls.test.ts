import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SubscribeToPublishers } from '#lib/core/broadcast/frames/packet-source.ts'
import { type HlsOutput, startHls } from '#lib/core/broadcast/hls/hls.ts'
import { hlsEndpoint } from '#lib/core/broadcast/hls/hls-endpoint.ts'
import { HLS_PATH, hlsBaseUrl, signSegmentUrls } from '#lib/core/broadcast/hls/hls-token.ts'
import type { OutputEvent } from '#lib/core/broadcast/output-protocol.ts'
import { startStreamOutputs } from '#lib/core/broadcast/sfu/stream-outputs.ts'
import { config } from '#lib/core/config/config.ts'
import { newId } from '#lib/core/db/id.ts'
import { type BroadcastServer, startBroadcastServer } from '../../../../setup/media/broadcast-server.ts'
import { type RtpPublisher, startRtpPublisher } from '../../../../setup/media/rtp-publisher.ts'
import { publishByWhip } from '../../../../setup/media/whip-publisher.ts'
import { type EndpointServer, startEndpointServer } from '../../../../setup/meeting/endpoint-server.ts'

const exec = promisify(execFile)
const baseOf = (room: string): string => hlsBaseUrl({ tenantId: newId(), room, participant: newId() })
const PATIENT = { timeout: 12_000 }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'hls-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function made(name: string, source: RtpPublisher, failed: (words: string) => void = () => {}): HlsOutput {
  const maker = startHls(path.join(folder, name), source, failed)
  closing.push(() => maker.stop())
  return maker
}

async function on(publishing: Parameters<typeof startRtpPublisher>[0]): Promise<RtpPublisher> {
  const source = await startRtpPublisher(publishing)
  closing.push(() => source.end())
  return source
}

const listed = (maker: HlsOutput, which = 'live') =>
  readFile(path.join(maker.directory, `${which}.m3u8`), 'utf8').catch(() => '')
const sequence = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1] ?? 0)
const pieces = (text: string) => [...text.matchAll(/^\S+\.m4s$/gm)].map(([uri]) => uri)
const codecs = async (file: string): Promise<string[]> => {
  const args = ['-v', 'error', '-of', 'csv=p=0', '-show_entries', 'stream=codec_name', file]
  return [...new Set((await exec('ffprobe', args)).stdout.match(/\w+/g))]
}

describe.each(['H264', 'VP8'] as const)('of %s', (codec) => {
  test('is a playlist of one-second segments with wall-clock times, and one of audio only', async () => {
    const source = await on({ codec })
    const maker = made(codec, source)
    await expect.poll(async () => sequence(await listed(maker)), { timeout: 20_000 }).toBeGreaterThan(1)
    const text = await listed(maker)
    const now = Date.now()
    expect(text).toMatch(/^#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n/)
    const seconds = [...text.matchAll(/EXTINF:([\d.]+)/g)].map(([, duration]) => Number(duration))
    expect(seconds.length).toBe(8)
    for (const second of seconds) expect(second).toBeCloseTo(1, 0)
    const times = [...text.matchAll(/DATE-TIME:(\S+)/g)].map(([, at = '']) => Date.parse(at))
    // On the clock of this machine: after the publisher began, and not in the future.
    expect(times[0]).toBeGreaterThan(source.began())
    expect((times.at(-1) ?? 0) + 1000 * (seconds.at(-1) ?? 0)).toBeLessThan(now + 50)
    for (const [nth, at] of times.entries()) if (nth > 0) expect(at - (times[nth - 1] ?? 0)).toBeCloseTo(1000, -2)
    expect(await codecs(path.join(maker.directory, 'live.m3u8'))).toEqual(['h264', 'aac'])
    expect(await codecs(path.join(maker.directory, 'audio.m3u8'))).toEqual(['aac'])
    const there = await readdir(maker.directory)
    for (const name of [...pieces(text), ...pieces(await listed(maker, 'audio'))]) expect(there).toContain(name)
  }, 40_000)
})

test('continues the playlist with the next publisher, of another codec and size', async () => {
  const first = await on({ codec: 'H264' })
  const maker = made('next', first)
  await expect.poll(async () => pieces(await listed(maker)).length, PATIENT).toBeGreaterThan(2)
  maker.attachSource(null)
  const count = pieces(await listed(maker)).length
  maker.attachSource(await on({ codec: 'VP8', size: '640x360' }))
  await expect.poll(async () => listed(maker), PATIENT).toContain('#EXT-X-DISCONTINUITY\n#EXT-X-MAP')
  const text = await listed(maker)
  expect(sequence(text) + pieces(text).length).toBeGreaterThan(count)
  expect(new Set(pieces(text)).size).toBe(pieces(text).length)
}, 40_000)

test('restarts ffmpeg when it is killed', async () => {
  const reports: string[] = []
  const maker = made('killed', await on({ codec: 'H264' }), (words) => reports.push(words))
  await expect.poll(async () => pieces(await listed(maker)).length, PATIENT).toBeGreaterThan(1)
  for (const pid of await encodersOf(maker.directory)) process.kill(pid, 'SIGKILL')
  await expect.poll(async () => listed(maker), PATIENT).toContain('#EXT-X-DISCONTINUITY\n')
  expect(reports).toEqual(['SIGKILL'])
}, 40_000)

test('has audio only for a publisher of audio only', async () => {
  const maker = made('sound', await on({ codec: null }))
  await expect.poll(async () => pieces(await listed(maker)).length, PATIENT).toBeGreaterThan(1)
  expect(await codecs(path.join(maker.directory, 'live.m3u8'))).toEqual(['aac'])
}, 30_000)

describe('a disk error does not end the output', () => {
  test('when the directory cannot be created', async () => {
    await writeFile(path.join(folder, 'file'), '')
    const reports: string[] = []
    const maker = startHls(path.join(folder, 'file', 'within'), null, (words) => reports.push(words))
    await maker.stop()
    expect(reports).toEqual([expect.stringContaining('ENOTDIR')])
  })

  test('when a playlist cannot be written for a while: it is reported once', async () => {
    const reports: string[] = []
    const maker = made('full', await on({ codec: 'H264' }), (words) => reports.push(words))
    const place = path.join(maker.directory, 'live.m3u8.new')
    await expect.poll(() => readdir(maker.directory).catch(() => null), PATIENT).not.toBeNull()
    await expect
      .poll(
        () =>
          mkdir(place)
            .then(() => true)
            .catch(() => false),
        PATIENT,
      )
      .toBe(true)
    await expect.poll(() => reports, PATIENT).toEqual([expect.stringContaining('EISDIR')])
    await rmdir(place)
    await expect.poll(async () => pieces(await listed(maker)).length, PATIENT).toBeGreaterThan(1)
    expect(reports.length).toBe(1)
  }, 40_000)
})

test('a request during the removal of an earlier output starts a new one', async () => {
  const news: OutputEvent[] = []
  const source = await on({ codec: 'H264' })
  let tell: Parameters<SubscribeToPublishers>[0] = () => {}
  const publisher: SubscribeToPublishers = (listener) => {
    tell = listener
    return () => {}
  }
  const taps = startStreamOutputs(publisher, (event) => news.push(event))
  tell('room', 'camera', source)
  closing.push(() => taps.close())
  const directory = path.join(folder, 'again')
  const list = () => readFile(path.join(directory, 'live.m3u8'), 'utf8').catch(() => '')
  const order = { room: 'room', stream: 'camera', directory }
  await taps.execute({ op: 'hls', ...order })
  await expect.poll(async () => pieces(await list()).length, PATIENT).toBeGreaterThan(1)
  const [old = 'none'] = pieces(await list())
  await taps.execute({ op: 'hlsEnd', ...order })
  await taps.execute({ op: 'hls', ...order })
  await expect.poll(list, PATIENT).not.toContain(old)
  await expect.poll(async () => pieces(await list()).length, PATIENT).toBeGreaterThan(1)
  expect(news).toEqual([])
}, 40_000)

describe('the endpoint', () => {
  let broadcastServer: BroadcastServer
  let endpoint: EndpointServer
  beforeAll(async () => {
    broadcastServer = await startBroadcastServer()
    endpoint = await startEndpointServer({ [HLS_PATH]: hlsEndpoint(async () => true) })
  })
  afterAll(async () => {
    await endpoint.httpServer.drain(50)
    await broadcastServer.close()
  })
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${endpoint.port}${path}`, init)

  test('starts output with the first request and serves files with cache headers', async () => {
    const room = newId()
    const source = await on({ codec: 'VP8' })
    closing.push(await publishByWhip(source, broadcastServer.requestFor(room, 'publish', 'p-camera')))
    const base = `${baseOf(room)}p-camera/`
    const [list, ...others] = await Promise.all([1, 2, 3].map(() => get(`${base}live.m3u8`)))
    expect([list, ...others].map((response) => response?.status)).toEqual([200, 200, 200])
    expect(list?.headers.get('cache-control')).toBe('private, no-cache')
    expect(list?.headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
    expect(list?.headers.get('access-control-allow-origin')).toBe('*')
    const [uri = ''] = pieces((await list?.text()) ?? '')
    const piece = await get(new URL(uri, `http://a.test${base}`).pathname)
    expect(piece.status).toBe(200)
    expect(piece.headers.get('cache-control')).toContain('immutable')
    expect(piece.headers.get('content-type')).toBe('video/iso.segment')
    expect((await piece.arrayBuffer()).byteLength).toBe(Number(piece.headers.get('content-length')))
    expect((await get(`${base}audio.m3u8`)).status).toBe(200)
  }, 40_000)

  test('shows and plays an encoder that publishes by WHIP, next to a camera', async () => {
    const room = newId()
    const colors = { [`${newId()}-encoder`]: '0x0000ff', [`${newId()}-camera`]: '0xff0000' }
    const shown = await Promise.all(
      Object.entries(colors).map(async ([stream, color]) => {
        const source = await on({ codec: 'H264', picture: `drawbox=t=fill:color=${color}` })
        closing.push(await publishByWhip(source, broadcastServer.requestFor(room, 'publish', stream)))
        return firstPicture(`${baseOf(room)}${stream}/`, stream)
      }),
    )
    const [encoder, camera] = shown
    expect(encoder?.blue).toBeGreaterThan(150)
    expect(Math.max(encoder?.red ?? 255, encoder?.green ?? 255)).toBeLessThan(90)
    expect(camera?.red).toBeGreaterThan(150)
    expect(Math.max(camera?.blue ?? 255, camera?.green ?? 255)).toBeLessThan(90)
  }, 40_000)

  /** The average colour of the first segment with sound and picture; a stream whose picture arrives late begins with sound. */
  async function firstPicture(base: string, name: string) {
    const file = path.join(folder, `${name}.mp4`)
    const download = async () => {
      const text = await (await get(`${base}live.m3u8`)).text()
      const latest = text.slice(text.lastIndexOf('#EXT-X-MAP'))
      const uris = [/URI="([^"]+)"/.exec(latest)?.[1] ?? '', pieces(latest)[0] ?? '']
      const requests = uris.map((uri) => get(new URL(uri, `http://a.test${base}`).pathname))
      const parts = await Promise.all(requests.map(async (request) => Buffer.from(await (await request).arrayBuffer())))
      await writeFile(file, Buffer.concat(parts))
      return (await codecs(file)).sort()
    }
    await expect.poll(download, PATIENT).toEqual(['aac', 'h264'])
    const pixel = ['-frames:v', '1', '-vf', 'format=rgb24,scale=1:1:flags=area', '-f', 'rawvideo', '-']
    const { stdout } = await exec('ffmpeg', ['-v', 'error', '-i', file, ...pixel], { encoding: 'buffer' })
    const [red = 0, green = 0, blue = 0] = stdout
    return { red, green, blue }
  }

  test('serves a segment for a minute, and the init segment as long as the stream', async () => {
    const place = path.join(config.dataDir, 'broadcast/hls', 'room-of-old', 'p-camera')
    await mkdir(place, { recursive: true })
    const address = { room: 'room-of-old', stream: 'p-camera', file: 'live.m3u8', viewer: null }
    const shown = signSegmentUrls('#EXT-X-MAP:URI="m1.mp4"\nm1-1.m4s\n', address)
    const paths = [/URI="([^"]+)"/.exec(shown)?.[1], /^\.\..*m4s$/m.exec(shown)?.[0]].map(
      (uri) => new URL(uri ?? '', 'http://a.test/v1/hls/x/room/stream/live.m3u8').pathname,
    )
    const outcomes = async (age: number) => {
      for (const name of ['m1.mp4', 'm1-1.m4s']) {
        await writeFile(path.join(place, name), 'media')
        await utimes(path.join(place, name), new Date(), new Date(Date.now() - age))
      }
      return Promise.all(paths.map(async (at) => (await get(at)).status))
    }
    expect(await outcomes(50_000)).toEqual([200, 200])
    expect(await outcomes(61_000)).toEqual([200, 404])
  })

  test.each([
    ['a stream that nobody sends', (room: string) => `${baseOf(room)}nobody/live.m3u8`],
    ['another room', (room: string) => baseOf(newId()).replace(/[^/]+\/$/, `${room}/p-camera/live.m3u8`)],
    ['a playlist of an encoder', (room: string) => `${baseOf(room)}p-camera/r-live.m3u8`],
    ['a piece that is gone', (room: string) => `${baseOf(room)}p-camera/r-live-1.m4s`],
    ['no token', (room: string) => `/v1/hls/x/${room}/p-camera/live.m3u8`],
  ])('answers 404 for %s', async (_, path) => {
    expect((await get(path(newId()))).status).toBe(404)
  })

  test('refuses POST', async () => {
    expect((await get(`${baseOf(newId())}p-camera/live.m3u8`, { method: 'POST' })).status).toBe(405)
  })
})

/** ffmpeg processes that work in a folder. */
async function encodersOf(directory: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of await readdir('/proc')) {
    const line = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '') : ''
    if (line.split('\0').includes(`HOME=${directory}`)) found.push(Number(pid))
  }
  return found
}
