import { describe, expect, test } from 'vitest'
import { createDepacketizer, type VideoFrame } from '#lib/core/broadcast/frames/depacketizer.ts'
import { createJitterBuffer, parseRtpPacket, type RtpPacket } from '#lib/core/broadcast/frames/jitter-buffer.ts'
import { createMediaClock } from '#lib/core/broadcast/frames/media-clock.ts'
import { AUDIO_TRACK, createClusterWriter, createHeader, VIDEO_TRACK } from '#lib/core/broadcast/recording/matroska.ts'
import { readBlocks } from '#lib/core/broadcast/recording/matroska-read.ts'

const packet = (sequence: number, more: Partial<RtpPacket> = {}): RtpPacket => ({
  sequence: sequence & 0xffff,
  timestamp: 0,
  marker: true,
  payload: Buffer.of(1),
  arrivedAt: sequence,
  ...more,
})

describe('packets', () => {
  const order = () => {
    const emitted: [sequence: number, afterLoss: boolean][] = []
    return { emitted, ...createJitterBuffer(({ sequence }, afterLoss) => emitted.push([sequence, afterLoss])) }
  }

  test('that arrive out of order are sorted, across the wrap-around of sequence numbers', () => {
    const { emitted, push } = order()
    for (const seq of [65_534, 65_536, 65_535, 65_537, 65_537, 65_534]) push(packet(seq, { arrivedAt: 0 }))
    expect(emitted).toEqual([65_534, 65_535, 0, 1].map((seq) => [seq, false]))
  })

  test('that are missing are skipped after a timeout', () => {
    const { emitted, push } = order()
    push(packet(1, { arrivedAt: 0 }))
    for (let nth = 3; nth < 10; nth++) push(packet(nth, { arrivedAt: nth * 50 }))
    expect(emitted).toEqual([[1, false]])
    push(packet(10, { arrivedAt: 600 }))
    expect(emitted.slice(1, 3)).toEqual([
      [3, true],
      [4, false],
    ])
    expect(emitted.at(-1)).toEqual([10, false])
  })

  test('of a restarted sender start a new sequence', () => {
    const { emitted, push } = order()
    for (const seq of [5, 6, 30_000, 30_001]) push(packet(seq))
    expect(emitted).toEqual([
      [5, false],
      [6, false],
      [30_000, true],
      [30_001, false],
    ])
  })

  test('are parsed without header extension and padding; RTCP is ignored', () => {
    const head = Buffer.from('b1e0000700000064000000010000002a', 'hex')
    const whole = Buffer.concat([head, Buffer.from('bede0001aabbccdd', 'hex'), Buffer.of(9, 8, 7, 0, 0, 3)])
    expect(parseRtpPacket(whole, 5)).toEqual({
      sequence: 7,
      timestamp: 100,
      marker: true,
      payload: Buffer.of(9, 8, 7),
      arrivedAt: 5,
    })
    expect(parseRtpPacket(Buffer.from('80c8000600000000000000000000000000000000', 'hex'), 5)).toBeNull()
    expect(parseRtpPacket(Buffer.alloc(3), 5)).toBeNull()
  })
})

describe('VP8 frames', () => {
  const key = Buffer.from('1000009d012a8002e0010000', 'hex')
  const frames = () => {
    const given: VideoFrame[] = []
    let broken = 0
    const take = createDepacketizer(
      'VP8',
      (frame) => given.push(frame),
      () => void broken++,
    )
    return { given, take, broken: () => broken }
  }
  const begins = (data: Buffer) => Buffer.concat([Buffer.of(0x90, 0x80, 0x85, 0x11), data])

  test('are assembled from their packets, and a keyframe has its size', () => {
    const { given, take } = frames()
    take(packet(1, { marker: false, timestamp: 9, payload: begins(key.subarray(0, 5)) }), false)
    take(
      packet(2, { timestamp: 9, payload: Buffer.concat([Buffer.of(0x80, 0x80, 0x85, 0x11), key.subarray(5)]) }),
      false,
    )
    expect(given).toEqual([
      { timestamp: 9, arrivedAt: 2, isKey: true, data: key, format: { codec: 'VP8', width: 640, height: 480 } },
    ])
  })

  test('are dropped after a loss until the next keyframe, which is requested', () => {
    const { given, take, broken } = frames()
    const other = begins(Buffer.alloc(12, 1))
    take(packet(1, { payload: begins(key) }), false)
    take(packet(3, { payload: other, timestamp: 1 }), true)
    take(packet(4, { payload: other, timestamp: 2 }), false)
    expect(given.length).toBe(1)
    expect(broken()).toBe(1)
    take(packet(5, { payload: begins(key), timestamp: 3 }), false)
    take(packet(6, { payload: other, timestamp: 4 }), false)
    expect(given.map((frame) => frame.isKey)).toEqual([true, true, false])
  })
})

describe('the media clock', () => {
  test('uses RTP timestamps and not arrival times', () => {
    const clock = createMediaClock()
    const stamps = [0, 60, 41, 80, 130].map((late, nth) =>
      clock.timestampFrame('video', nth * 3600, 1000 + nth * 40 + (late % 40)),
    )
    for (const [nth, stamp] of stamps.entries()) expect(Math.abs(stamp - (1000 + nth * 40))).toBeLessThan(2)
  })

  test('continues across the wrap-around of RTP timestamps and never goes back', () => {
    const clock = createMediaClock()
    const first = clock.timestampFrame('audio', 0xffff_fe00, 5000)
    expect(clock.timestampFrame('audio', 0x1c0, 5020)).toBeCloseTo(first + 20, 0)
    expect(clock.timestampFrame('audio', 0x1c0 + 960, 5001)).toBeGreaterThan(first + 20)
  })

  test('synchronizes audio and video by sender reports', () => {
    const clock = createMediaClock()
    clock.recordSenderReport('audio', { ntpMs: 90_000, rtpTime: 48_000 })
    clock.recordSenderReport('video', { ntpMs: 90_000, rtpTime: 900_000 })
    const sound = clock.timestampFrame('audio', 96_000, 5000)
    const picture = clock.timestampFrame('video', 990_000, 5180)
    expect(Math.abs(sound - picture)).toBeLessThan(2)
  })
})

test('a truncated file yields all blocks before the cut', () => {
  const shape = { codec: 'VP8', width: 640, height: 480 } as const
  const block = createClusterWriter()
  const parts = [createHeader({ video: shape, audio: true })]
  for (let at = 0; at < 70_000; at += 20) {
    parts.push(...block(AUDIO_TRACK, at, true, Buffer.alloc(40, at / 20)))
    if (at % 40 === 0) parts.push(...block(VIDEO_TRACK, at, at % 4000 === 0, Buffer.alloc(200, 7)))
  }
  const whole = Buffer.concat(parts)
  const all = [...readBlocks(whole)]
  expect(all.length).toBe(3500 + 1750)
  expect(all.filter(({ track }) => track === AUDIO_TRACK).map(({ timeMs }) => timeMs)).toEqual(
    Array.from({ length: 3500 }, (_, nth) => nth * 20),
  )
  expect(all.filter(({ track, isKey }) => track === VIDEO_TRACK && isKey).length).toBe(18)
  for (const share of [0.001, 0.2, 0.5, 0.77, 0.999]) {
    const cut = [...readBlocks(whole.subarray(0, Math.floor(whole.length * share)))]
    expect(cut).toEqual(all.slice(0, cut.length))
  }
})
