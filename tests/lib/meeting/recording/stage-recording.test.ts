import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordStream } from '#lib/core/broadcast/recording/recorder.ts'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { composeSessionVideos } from '#lib/meeting/recording/compose.ts'
import { getFinished, getReplay } from '#lib/meeting/recording/finished.ts'
import { composePreliminaryReplay, discardReplay } from '#lib/meeting/recording/preliminary-replay.ts'
import { preliminaryVideoIdOf } from '#lib/meeting/recording/video-id.ts'
import { file } from '#lib/storage/table.ts'
import { renewPlayback } from '#lib/storage/video/playback.ts'
import { WorkshopSettings } from '#lib/workshop/schema.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { type RtpPublisher, startRtpPublisher } from '../../../setup/media/rtp-publisher.ts'
import { appendTestEvents, type ChatRoom, createChatRoom, joinRoom } from '../../../setup/meeting/chat-room.ts'
import { listFiles } from '../../../setup/parsed/storage.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const exec = promisify(execFile)
const { signal } = new AbortController()
const PART_SECONDS = 60
const GREEN = 'drawbox=t=fill:color=0x00ff00'
const BLUE = 'drawbox=t=fill:color=0x0000ff'

let ours: TestTenant
let room: ChatRoom
let folder: string
let viewer: { seatToken: string }
/** Seconds of the session at which the encoder was put on the stage, removed, and shown there alone. */
const seconds = { on: 0, off: 0, alone: 0 }

const sessionJob = () => ({ tenantId: room.tenantId, sessionId: room.id })

/** Waits for the first packet that is at least `ms` after the beginning. */
const reached = (source: RtpPublisher, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const release = source.onPacket(() => {
      if (Date.now() - source.began() < ms) return
      release()
      resolve()
    })
  })

// A camera and an encoder that publish for the same time. The stage has the camera, both, the camera, and the encoder. The
// streams begin in the second part of the session.
beforeAll(async () => {
  ours = await createTestTenant()
  folder = await mkdtemp(path.join(os.tmpdir(), 'stage-recording-'))
  room = await createChatRoom(ours, {}, { begun: false })
  const startedAt = new Date(Date.now() - (PART_SECONDS + 5) * 1000)
  const { personId } = await joinRoom(room, 'host')
  viewer = await joinRoom(room, 'viewer')
  const settings = WorkshopSettings.parse({ record: true })
  await inTenant(room, (tx) => tx.update(workshop).set({ settings }).where(eq(workshop.id, room.workshopId)))
  await appendTestEvents(room, [{ type: 'webinar.start', payload: {} }], startedAt)
  const live = (kind: LiveStream['kind']): LiveStream => ({
    stream: `${personId}-${kind}`,
    personId,
    kind,
    name: 'Олена',
    microphone: true,
    camera: true,
  })
  const change = (...onAir: LiveStream[]) =>
    appendTestEvents(room, [{ type: 'broadcast.change', payload: { onAir } }]).then(
      () => (Date.now() - startedAt.getTime()) / 1000,
    )
  const camera = await startRtpPublisher({ codec: 'H264', picture: GREEN, tone: tone(440), seconds: 10 })
  const encoder = await startRtpPublisher({ codec: 'H264', picture: BLUE, tone: tone(3000), seconds: 10 })
  const recorders = [
    [camera, 'camera'],
    [encoder, 'encoder'],
  ] as const
  const recorded = recorders.map(async ([source, kind]) => {
    const place = path.join(recordingDirectory(room.id), `${personId}-${kind}`)
    const recorder = recordStream(source, place, (error) => expect.unreachable(error.message))
    await new Promise<void>((resolve) => source.onEnd(resolve))
    await recorder.stop()
    await source.end()
  })
  await change(live('camera'))
  await Promise.all([reached(camera, 2500), reached(encoder, 2500)])
  seconds.on = await change(live('camera'), live('encoder'))
  await reached(encoder, 5000)
  seconds.off = await change(live('camera'))
  await reached(encoder, 7500)
  seconds.alone = await change(live('encoder'))
  await Promise.all(recorded)
}, 90_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const tone = (hertz: number) => `sine=frequency=${hertz}:sample_rate=48000`

/** The preliminary replay as one file, read by its playlist. */
async function download(): Promise<string> {
  const prefix = `${room.tenantId}/${preliminaryVideoIdOf(room.id)}.made/hls/`
  for await (const { key } of store.list(prefix)) {
    const content = await store.read(key)
    const target = path.join(folder, key.slice(prefix.length))
    await mkdir(path.dirname(target), { recursive: true })
    if (content) await writeFile(target, await buffer(content))
  }
  const joined = path.join(folder, 'joined.mkv')
  await exec('ffmpeg', ['-v', 'error', '-i', path.join(folder, 'master.m3u8'), '-c', 'copy', joined])
  return joined
}

/** Colors of the left and of the right half, and the volumes in dB of both tones, around a second. */
async function sample(video: string, at: number) {
  const input = ['-hide_banner', '-nostats', '-ss', (at - 0.4).toFixed(2), '-t', '0.8', '-i', video]
  const halves = 'crop=iw:ih/4:0:3*ih/8,format=rgb24,scale=2:1:flags=area'
  const raw = ['-vf', halves, '-frames:v', '1', '-f', 'rawvideo', '-']
  const { stdout } = await exec('ffmpeg', [...input, ...raw], { encoding: 'buffer' })
  const volume = async (hertz: number) => {
    const filter = `bandpass=f=${hertz}:w=100,volumedetect`
    const { stderr } = await exec('ffmpeg', [...input, '-vn', '-af', filter, '-f', 'null', '-'])
    return Number(/mean_volume: (-?[\d.]+)/.exec(stderr)?.[1] ?? -99)
  }
  const [left, right] = [[...stdout.subarray(0, 3)], [...stdout.subarray(3, 6)]]
  return { left, right, camera: await volume(440), encoder: await volume(3000) }
}

/** What is seen and heard before, while, and after the encoder is on the stage, and while it is there alone. */
async function expectStage(video: string, startsAt = 0) {
  const both = await sample(video, (seconds.on + seconds.off) / 2 - startsAt)
  const before = await sample(video, seconds.on - 1 - startsAt)
  const after = await sample(video, seconds.off + 1 - startsAt)
  const isBlue = ([, green = 0, blue = 0]: number[]) => blue > 120 && green < 90
  expect(isBlue(both.left) || isBlue(both.right)).toBe(true)
  expect(both.encoder).toBeGreaterThan(-45)
  for (const alone of [before, after]) {
    expect(isBlue(alone.left) || isBlue(alone.right)).toBe(false)
    expect(alone.left[1]).toBeGreaterThan(90)
    expect(alone.encoder).toBeLessThan(both.encoder - 15)
    expect(alone.camera).toBeGreaterThan(-45)
  }
  const encoder = await sample(video, seconds.alone + 1.2 - startsAt)
  expect([isBlue(encoder.left), isBlue(encoder.right)]).toEqual([true, true])
  expect(encoder.encoder).toBeGreaterThan(-45)
  expect(encoder.camera).toBeLessThan(before.camera - 15)
}

describe('the preliminary replay', { timeout: 180_000, retry: 0 }, () => {
  test('is composed in complete parts while the event runs, and not shown', async () => {
    await composePreliminaryReplay(sessionJob(), { signal })
    expect(await getReplay(viewer)).toEqual({ is: 'making' })
    const pieces = []
    for await (const { key } of store.list(`${room.tenantId}/${preliminaryVideoIdOf(room.id)}.made/`)) pieces.push(key)
    expect(pieces.length).toBeGreaterThan(0)
  })

  test('is shown after the end with the clock of the session, and what was on the stage', async () => {
    await appendTestEvents(room, [{ type: 'webinar.finish', payload: { reason: 'host' } }])
    expect(await getReplay(viewer)).toEqual({ is: 'making' })
    await composePreliminaryReplay(sessionJob(), { signal })
    await composePreliminaryReplay(sessionJob(), { signal })
    expect(await getReplay(viewer)).toEqual({ is: 'ready' })
    const { replay } = await getFinished(viewer, null)
    expect(replay).toMatchObject({
      is: 'ready',
      isPreliminary: true,
      videoOffsetMs: 0,
      video: { fileId: preliminaryVideoIdOf(room.id), hls: expect.stringMatching(/hls\/master\.m3u8$/), sources: [] },
    })
    await expectStage(await download())
  })

  test('is open to those who may watch the recording, and not in the file library', async () => {
    const owner = ours.as.OWNER
    const { replay } = await getFinished(viewer, owner)
    if (replay.is !== 'ready') return expect.unreachable()
    await expect(renewPlayback(owner, { base: replay.video.base })).resolves.toMatchObject({ hls: expect.any(String) })
    const others = await createTestTenant()
    await expect(renewPlayback(others.as.OWNER, { base: replay.video.base })).rejects.toMatchObject({
      code: 'not_found',
    })
    const isEnabled = (enabled: boolean) =>
      inTenant(room, (tx) =>
        tx
          .update(workshop)
          .set({ settings: WorkshopSettings.parse({ record: true, replay: { enabled } }) })
          .where(eq(workshop.id, room.workshopId)),
      )
    await isEnabled(false)
    expect(await getReplay(viewer)).toEqual({ is: 'off' })
    await isEnabled(true)
    const { rows } = await listFiles(owner, { search: 'Ефір' })
    expect(rows).toEqual([])
  })

  test('is replaced by the recording, with the same stage and clock, and deleted later', async () => {
    // The recording of a later start, since composing a minute of black takes long.
    const { startedAt } = workshopSession
    await inTenant(room, (tx) =>
      tx
        .update(workshopSession)
        .set({ startedAt: sql`${startedAt} + interval '1 minute'` })
        .where(eq(workshopSession.id, room.id)),
    )
    await composeSessionVideos(sessionJob(), { signal })
    const { replay } = await getFinished(viewer, null)
    expect(replay).toMatchObject({ is: 'ready', isPreliminary: false, videoOffsetMs: 0, video: { fileId: room.id } })
    const local = await store.openLocalCopy(`${room.tenantId}/${room.id}`, folder)
    if (!local) return expect.unreachable()
    await expectStage(local.path, PART_SECONDS)
    await local.done()
    const replayFile = and(eq(file.id, preliminaryVideoIdOf(room.id)), eq(file.area, 'replay'))
    const rows = () => inTenant(room, (tx) => tx.select({ id: file.id }).from(file).where(replayFile))
    expect(await rows()).toHaveLength(1)
    await discardReplay(sessionJob())
    await discardReplay(sessionJob())
    expect(await rows()).toEqual([])
    expect(existsSync(path.join(recordingDirectory(room.id)))).toBe(false)
    await composePreliminaryReplay(sessionJob(), { signal })
    expect(await rows()).toEqual([])
  })
})
