import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { SubscribeToPublishers } from '#lib/core/broadcast/frames/packet-source.ts'
import type { OutputEvent } from '#lib/core/broadcast/output-protocol.ts'
import { readBlocks } from '#lib/core/broadcast/recording/matroska-read.ts'
import { readIndex } from '#lib/core/broadcast/recording/segment-index.ts'
import { startStreamOutputs } from '#lib/core/broadcast/sfu/stream-outputs.ts'
import { startRtpPublisher } from '../../../../setup/media/rtp-publisher.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'record-disk-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const SOON = { timeout: 20_000, interval: 20 }

test('a recording stops before the disk reserve and resumes when there is space', async () => {
  const source = await startRtpPublisher({ codec: 'VP8' })
  onTestFinished(() => source.end())
  const onPublisher: SubscribeToPublishers = (listener) => {
    listener('room', 'ada-camera', source)
    return () => {}
  }
  const news: OutputEvent[] = []
  const eventCount = (type: string) => news.filter((event) => event.type === type).length
  let isFull = false
  const taps = startStreamOutputs(onPublisher, (event) => news.push(event), {
    hasSpace: async () => !isFull,
    checkIntervalMs: 20,
  })
  onTestFinished(() => taps.close())
  const place = path.join(folder, 'ada-camera')
  const blocks = async (nth: number) => {
    const segment = (await readIndex(place))[nth]
    return segment ? [...readBlocks(await readFile(segment.path))].length : 0
  }
  await taps.execute({ op: 'record', room: 'room', stream: null, directory: folder, since: Date.now() })
  expect(eventCount('began')).toBe(1)
  await vi.waitFor(async () => expect(await blocks(0)).toBeGreaterThan(0), SOON)

  isFull = true
  await vi.waitFor(() => expect(eventCount('diskFull')).toBe(1), SOON)
  // The end of a segment is stored after all its bytes.
  await vi.waitFor(async () => expect((await readIndex(place)).at(-1)?.until).toEqual(expect.any(Number)), SOON)
  const kept = (await readIndex(place)).length
  expect(eventCount('began')).toBe(1)

  isFull = false
  await vi.waitFor(() => expect(eventCount('diskFree')).toBe(1), SOON)
  expect(eventCount('began')).toBe(2)
  await vi.waitFor(async () => expect(await blocks(kept)).toBeGreaterThan(0), SOON)
  await taps.execute({ op: 'recordEnd', room: 'room', stream: null })
  for (const nth of (await readIndex(place)).keys()) expect(await blocks(nth)).toBeGreaterThan(0)
  expect(news.filter(({ type }) => type === 'failed')).toEqual([])
}, 60_000)

test('a recording requested on a full disk waits and reports it', async () => {
  const news: OutputEvent[] = []
  const taps = startStreamOutputs(
    () => () => {},
    (event) => news.push(event),
    { hasSpace: async () => false, checkIntervalMs: 60_000 },
  )
  await taps.execute({ op: 'record', room: 'room', stream: null, directory: folder, since: Date.now() })
  await taps.execute({ op: 'record', room: 'other', stream: null, directory: folder, since: Date.now() })
  expect(news).toEqual([
    { output: 'record', room: 'room', stream: '', type: 'diskFull' },
    { output: 'record', room: 'other', stream: '', type: 'diskFull' },
  ])
  await taps.close()
})
