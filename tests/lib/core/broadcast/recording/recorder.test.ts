import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mediaProcessInfo } from '#lib/core/broadcast/broadcast.ts'
import { readBlocks } from '#lib/core/broadcast/recording/matroska-read.ts'
import { recordStream } from '#lib/core/broadcast/recording/recorder.ts'
import { canRecord, startRecording, stopRecording } from '#lib/core/broadcast/recording/recording.ts'
import { listRecordingRequests, recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { type RecordingSegment, readIndex } from '#lib/core/broadcast/recording/segment-index.ts'
import { newId } from '#lib/core/db/id.ts'
import { type BroadcastServer, startBroadcastServer } from '../../../../setup/media/broadcast-server.ts'
import { probeFile } from '../../../../setup/media/clips.ts'
import { type RtpPublisher, startRtpPublisher } from '../../../../setup/media/rtp-publisher.ts'
import { publishByWhip } from '../../../../setup/media/whip-publisher.ts'

let folder: string
let broadcastServer: BroadcastServer
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'record-'))
  broadcastServer = await startBroadcastServer()
})
afterAll(async () => {
  await broadcastServer.close()
  await rm(folder, { recursive: true, force: true })
})

/** Milliseconds of media that may be lost when a process is killed. */
const MOST_LOST = 10_000
const unfailing = (error: Error): void => expect.unreachable(error.message)
const ended = (source: RtpPublisher) => new Promise<void>((resolve) => source.onEnd(resolve))

/** Wall clock of the last block of a segment, read from its bytes. */
async function lastOf({ path: file, at }: RecordingSegment): Promise<number> {
  const all = [...readBlocks(await readFile(file))]
  return at + Math.max(0, ...all.map((block) => block.timeMs))
}

test.each(['H264', 'VP8'] as const)(
  'records %s unchanged, in segments that can be played separately',
  async (codec) => {
    const place = path.join(folder, codec)
    const source = await startRtpPublisher({ codec, seconds: 10 })
    const recorder = recordStream(source, place, unfailing)
    await ended(source)
    await recorder.stop()
    await source.end()
    const segments = await readIndex(place)
    expect(segments.map(({ n }) => n)).toEqual(segments.map((_, nth) => nth + 1))
    expect(segments.length).toBeGreaterThanOrEqual(2)
    for (const [nth, segment] of segments.entries()) {
      expect(segment).toMatchObject({ codec, width: 320, height: 180 })
      const { streams } = await probeFile(segment.path)
      expect(streams.map((stream) => stream.codec_name)).toEqual([codec.toLowerCase(), 'opus'])
      const next = segments[nth + 1]
      // Without a gap.
      if (next) expect(Math.abs((segment.until ?? 0) - next.at)).toBeLessThan(100)
      if (next) expect(next.at - segment.at).toBeGreaterThan(3900)
    }
    const [first, last] = [segments[0]?.at ?? 0, segments.at(-1)?.until ?? 0]
    expect(last - first).toBeGreaterThan(8500)
    expect(Math.abs(first - source.began())).toBeLessThan(1200)
  },
  40_000,
)

test('continues after losses with the next keyframe and records audio meanwhile', async () => {
  const place = path.join(folder, 'loss')
  const source = await startRtpPublisher({ codec: 'H264', seconds: 6, loss: 0.02 })
  const recorder = recordStream(source, place, unfailing)
  await ended(source)
  await recorder.stop()
  await source.end()
  const blocks = (await Promise.all((await readIndex(place)).map(({ path: file }) => readFile(file)))).flatMap(
    (bytes) => [...readBlocks(bytes)],
  )
  const count = (track: number) => blocks.filter((block) => block.track === track).length
  expect(count(2)).toBeGreaterThan(230)
  expect(count(1)).toBeGreaterThan(10)
}, 40_000)

test('records a publisher of audio only', async () => {
  const place = path.join(folder, 'sound')
  const source = await startRtpPublisher({ codec: null, seconds: 3 })
  const recorder = recordStream(source, place, unfailing)
  await ended(source)
  await recorder.stop()
  await source.end()
  const [segment] = await readIndex(place)
  expect(segment).toMatchObject({ codec: null, width: null })
  expect((await probeFile(segment?.path ?? '')).streams).toMatchObject([{ codec_name: 'opus' }])
}, 40_000)

test('reports write errors', async () => {
  const place = path.join(folder, 'file')
  await writeFile(place, 'in the way')
  const source = await startRtpPublisher({ codec: 'VP8' })
  const error = await new Promise<Error>((resolve) => void recordStream(source, path.join(place, 'x'), resolve))
  expect(error.message).toMatch(/ENOTDIR|EEXIST/)
  await source.end()
}, 20_000)

describe('a room', () => {
  let source: RtpPublisher
  const closing: (() => void)[] = []
  beforeAll(async () => {
    source = await startRtpPublisher({ codec: 'VP8' })
  })
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })
  afterAll(() => source.end())

  const onAir = async (room: string, stream: string): Promise<void> => {
    closing.push(await publishByWhip(source, broadcastServer.requestFor(room, 'publish', stream)))
  }
  const many = async (room: string, stream: string) =>
    (await readIndex(path.join(recordingDirectory(room), stream))).length
  /** Milliseconds of a stream that are on the disk. */
  const written = async (room: string, stream: string): Promise<number> => {
    const segments = await readIndex(path.join(recordingDirectory(room), stream))
    const [first, last] = [segments[0], segments.at(-1)]
    return first && last ? (await lastOf(last)) - first.at : 0
  }

  test('is recorded with all its streams between start and stop', async () => {
    const room = newId()
    expect(await canRecord()).toMatchObject({ allow: true })
    await onAir(room, 'a-camera')
    expect(await startRecording(room)).toMatchObject({ allow: true })
    expect(await startRecording(room)).toMatchObject({ allow: true })
    await onAir(room, 'b-camera')
    for (const stream of ['a-camera', 'b-camera']) {
      await expect.poll(() => written(room, stream), { timeout: 8000 }).toBeGreaterThan(1000)
    }
    expect(await listRecordingRequests()).toMatchObject([{ room }])
    await stopRecording(room)
    expect(await listRecordingRequests()).toEqual([])
    for (const stream of ['a-camera', 'b-camera']) {
      const [segment, ...others] = await readIndex(path.join(recordingDirectory(room), stream))
      expect(segment).toMatchObject({ codec: 'VP8', width: 320, height: 180 })
      expect(segment?.until).not.toBeNull()
      expect(others).toEqual([])
    }
  }, 30_000)

  test('loses little when the media process is killed, and recording resumes', async () => {
    const room = newId()
    await onAir(room, 'a-camera')
    await startRecording(room)
    await expect.poll(() => written(room, 'a-camera'), { timeout: 8000 }).toBeGreaterThan(2000)
    const { pid } = mediaProcessInfo()
    process.kill(pid ?? 0, 'SIGKILL')
    const killed = Date.now()
    await expect.poll(() => [null, pid].includes(mediaProcessInfo().pid)).toBe(false)
    const [first] = await readIndex(path.join(recordingDirectory(room), 'a-camera'))
    expect(killed - (first?.at ?? 0) - (await written(room, 'a-camera'))).toBeLessThan(MOST_LOST / 5)
    // The browser of a presenter publishes again automatically.
    const again = () =>
      onAir(room, 'a-camera').then(
        () => true,
        () => false,
      )
    await expect.poll(again, { timeout: 8000 }).toBe(true)
    await expect.poll(() => many(room, 'a-camera'), { timeout: 8000 }).toBe(2)
    await stopRecording(room)
    const segments = await readIndex(path.join(recordingDirectory(room), 'a-camera'))
    expect(segments.map(({ n, until }) => [n, until === null])).toEqual([
      [1, true],
      [2, false],
    ])
    expect((segments[1]?.at ?? 0) - killed).toBeLessThan(MOST_LOST)
  }, 40_000)
})
