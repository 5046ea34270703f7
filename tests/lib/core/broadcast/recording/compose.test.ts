import { execFile } from 'node:child_process'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ComposedVideo, composeRecording } from '#lib/core/broadcast/recording/compose.ts'
import { recordStream } from '#lib/core/broadcast/recording/recorder.ts'
import { readIndex } from '#lib/core/broadcast/recording/segment-index.ts'
import { probeFile } from '../../../../setup/media/clips.ts'
import {
  type RtpPublisher,
  type RtpPublisherOptions,
  startRtpPublisher,
} from '../../../../setup/media/rtp-publisher.ts'

const exec = promisify(execFile)
const { signal } = new AbortController()
/** White for a fifth of every second, with a beep. */
const FLASH = "drawbox=t=fill:color=black,drawbox=t=fill:color=white:enable='lt(mod(t,2),0.2)'"
const BEEP = "aevalsrc='if(lt(mod(t,2),0.2),sin(2*PI*1000*t),0)':s=48000"
/** Maximum difference in ms between picture or sound and the clock of the session. */
const EXACT = 100

let place: string
let since: Date
let video: ComposedVideo
let before: RtpPublisher
let screen: RtpPublisher
let again: RtpPublisher
const shares: number[] = []

// The camera of a presenter, from one minute into the session: first alone, then with a screen, then absent for a
// while, then back from another browser with another codec.
beforeAll(async () => {
  place = await mkdtemp(path.join(os.tmpdir(), 'compose-'))
  since = new Date()
  before = await startRtpPublisher({ codec: 'H264', picture: FLASH, tone: BEEP, seconds: 9 })
  const first = recorded(before, 'p-camera')
  await reached(before, 3500)
  screen = await startRtpPublisher({
    codec: 'VP8',
    sound: false,
    picture: 'drawbox=t=fill:color=blue',
    size: '640x360',
    seconds: 3,
  })
  await Promise.all([first, recorded(screen, 'p-screen')])
  again = await startRtpPublisher({ codec: 'VP8', picture: FLASH, tone: BEEP, seconds: 5 })
  await recorded(again, 'p-camera')
  const until = new Date()
  video = await composeRecording(place, { since, until }, path.join(place, 'video.mp4'), {
    signal,
    onProgress: (share) => shares.push(share),
  })
}, 90_000)
afterAll(async () => {
  await Promise.all([before, screen, again].map((recorder) => recorder?.end()))
  await rm(place, { recursive: true, force: true })
})

/** Waits for the first packet that is at least `ms` after the beginning. */
const reached = (source: RtpPublisher, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const release = source.onPacket(() => {
      if (Date.now() - source.began() < ms) return
      release()
      resolve()
    })
  })

async function recorded(source: RtpPublisher, name: string): Promise<void> {
  const recorder = recordStream(source, path.join(place, name), (error) => expect.unreachable(error.message))
  await new Promise<void>((resolve) => source.onEnd(resolve))
  await recorder.stop()
}

/**
 * Seconds of the video at which flashes or beeps of a publisher are expected, without its first second, in which the
 * clock is adjusted.
 */
const due = (source: RtpPublisher, seconds: number): number[] =>
  [2, 4, 6, 8].filter((at) => at < seconds - 0.5).map((at) => (source.began() - since.getTime()) / 1000 + at)

describe('the composed video of a session', () => {
  test('has the start and duration of the session, one video and one audio track', async () => {
    const { streams, seconds } = await probeFile(video.path)
    expect(streams).toMatchObject([
      { codec_name: 'h264', width: 1280, height: 720, nb_frames: String(Math.round(video.seconds * 30)) },
      { codec_name: 'aac', sample_rate: '48000' },
    ])
    expect(seconds).toBeCloseTo(video.seconds, 1)
    expect(video.offsetMs).toBe(0)
  })

  test('has audio and video at their original times, before and after a gap', async () => {
    const flashes = await ends(
      video.path,
      ['-vf', 'blackdetect=d=0.5:pix_th=0.3:pic_th=0.9', '-an'],
      /black_end:([\d.]+)/g,
    )
    const beeps = await ends(video.path, ['-af', 'silencedetect=n=-30dB:d=0.5', '-vn'], /silence_end: ([\d.]+)/g)
    // While the screen is shown the camera is small.
    const whole = [...due(before, 3.5), ...due(again, 5)]
    for (const at of whole) expect(off(flashes, at), `flash at ${at}`).toBeLessThan(EXACT)
    for (const at of [...due(before, 9), ...due(again, 5)]) expect(off(beeps, at), `beep at ${at}`).toBeLessThan(EXACT)
  })

  test('shows the camera in the corner of a screen at its original time', async () => {
    const corner = ['-vf', 'crop=250:138:1007:559,blackdetect=d=0.5:pix_th=0.3:pic_th=0.9', '-an']
    const flashes = await ends(video.path, corner, /black_end:([\d.]+)/g)
    const begins = (screen.began() - since.getTime()) / 1000
    const within = due(before, 9).filter((at) => at > begins + 0.5 && at < begins + 2.5)
    expect(within.length).toBeGreaterThan(0)
    for (const at of within) expect(off(flashes, at)).toBeLessThan(EXACT)
    const [r, g, b] = await color(video.path, begins + 1.5, 200, 200)
    expect(b).toBeGreaterThan(150)
    expect(Math.max(r, g)).toBeLessThan(90)
  })

  test('reports its progress up to 1', () => {
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
  })
})

test('a truncated segment is used up to the cut', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'compose-cut-'))
  const source = await startRtpPublisher({ codec: 'H264', seconds: 4 } satisfies RtpPublisherOptions)
  const recorder = recordStream(source, path.join(folder, 'p-camera'), (error) => expect.unreachable(error.message))
  await new Promise<void>((resolve) => source.onEnd(resolve))
  await recorder.stop()
  await source.end()
  const [segment] = await readIndex(path.join(folder, 'p-camera'))
  expect(segment).toBeDefined()
  if (!segment) return
  await truncate(segment.path, 60_000)
  const from = new Date(segment.at)
  const whole = { since: from, until: new Date(from.getTime() + 4000) }
  const cut = await composeRecording(folder, whole, path.join(folder, 'cut.mp4'), { signal })
  expect((await probeFile(cut.path)).seconds).toBeCloseTo(4, 1)
  await rm(folder, { recursive: true, force: true })
}, 40_000)

test('fails with `empty` when nothing was recorded', async () => {
  const span = { since: new Date(0), until: new Date(60_000) }
  const out = path.join(place, 'none.mp4')
  await expect(composeRecording(place, span, out, { signal })).rejects.toMatchObject({ fault: 'empty' })
  await expect(composeRecording(`${place}/none`, span, out, { signal })).rejects.toMatchObject({ fault: 'empty' })
})

test('stops when it is aborted', async () => {
  const span = { since, until: new Date(since.getTime() + 9000) }
  const aborted = AbortSignal.abort()
  const composed = composeRecording(place, span, path.join(place, 'stopped.mp4'), { signal: aborted })
  await expect(composed).rejects.toMatchObject({ fault: 'stopped' })
})

async function ends(file: string, options: string[], found: RegExp): Promise<number[]> {
  const args = ['-hide_banner', '-nostats', '-i', file, ...options, '-f', 'null', '-']
  const { stderr } = await exec('ffmpeg', args)
  return [...stderr.matchAll(found)].map(([, at]) => Number(at))
}

/** Distance in ms to the nearest. */
const off = (times: number[], at: number): number => Math.min(...times.map((time) => Math.abs(time - at) * 1000))

async function color(file: string, at: number, x: number, y: number): Promise<[number, number, number]> {
  const crop = ['-vf', `crop=2:2:${x}:${y},format=rgb24`, '-frames:v', '1', '-f', 'rawvideo', '-']
  const { stdout } = await exec('ffmpeg', ['-v', 'error', '-ss', at.toFixed(3), '-i', file, ...crop], {
    encoding: 'buffer',
  })
  return [stdout[0] ?? 0, stdout[1] ?? 0, stdout[2] ?? 0]
}
