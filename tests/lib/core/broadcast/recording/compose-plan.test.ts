import { describe, expect, test } from 'vitest'
import {
  layOutStage,
  layOutStreams,
  planComposition,
  type TimeSpan,
} from '#lib/core/broadcast/recording/compose-plan.ts'

const START = 1_800_000_000_000
const span = (stream: string, from: number, until: number, more: Partial<TimeSpan> = {}): TimeSpan => ({
  stream,
  from: START + from * 1000,
  until: START + until * 1000,
  codec: 'H264',
  width: 1280,
  height: 720,
  ...more,
})
const video = (seconds: number) => ({ since: START, until: START + seconds * 1000 })
const shown = (spans: TimeSpan[], seconds: number) =>
  planComposition(spans, video(seconds)).scenes.map(({ firstFrame, frameCount, areas }) => [
    firstFrame / 30,
    frameCount / 30,
    areas.map(({ stream }) => stream).join(' '),
  ])

describe('the scenes of a composition', () => {
  test('cover the whole session, black without streams', () => {
    const spans = [span('a-camera', 10, 20), span('a-screen', 15, 18), span('b-camera', 25, 40)]
    expect(shown(spans, 30)).toEqual([
      [0, 10, ''],
      [10, 5, 'a-camera'],
      [15, 3, 'a-screen a-camera'],
      [18, 2, 'a-camera'],
      [20, 5, ''],
      [25, 5, 'b-camera'],
    ])
  })

  test('bridge a short gap with the last frame and show a longer one as black', () => {
    expect(shown([span('a-camera', 0, 5), span('a-camera', 6, 10)], 10)).toEqual([[0, 10, 'a-camera']])
    expect(shown([span('a-camera', 0, 5), span('a-camera', 7, 10)], 10)).toEqual([
      [0, 5, 'a-camera'],
      [5, 2, ''],
      [7, 3, 'a-camera'],
    ])
  })

  test('change with the size of a stream, without a gap', () => {
    const small = span('a-camera', 5.4, 10, { width: 640, height: 360 })
    expect(shown([span('a-camera', 0, 5), small], 10)).toEqual([
      [0, 5.4, 'a-camera'],
      [5.4, 4.6, 'a-camera'],
    ])
  })

  test('change with the codec of a stream', () => {
    expect(shown([span('a-camera', 0, 5), span('a-camera', 5.4, 10, { codec: 'VP8' })], 10)).toEqual([
      [0, 5.4, 'a-camera'],
      [5.4, 4.6, 'a-camera'],
    ])
  })

  test('omit spans outside the session', () => {
    expect(shown([span('a-camera', -20, -10), span('b-camera', -5, 3), span('c-camera', 50, 60)], 5)).toEqual([
      [0, 3, 'b-camera'],
      [3, 2, ''],
    ])
  })

  test('are large only for a large shared screen', () => {
    const large = { width: 1920, height: 1080 }
    expect(planComposition([span('a-camera', 0, 5, large)], video(5))).toMatchObject({ width: 1280, height: 720 })
    expect(planComposition([span('a-screen', 0, 5, large)], video(5))).toMatchObject(large)
  })
})

describe('the areas of a scene', () => {
  const size = { width: 1280, height: 720 }

  test('one camera fills the frame, several are tiled', () => {
    expect(layOutStreams(['a-camera'], size)).toEqual([{ stream: 'a-camera', x: 0, y: 0, ...size }])
    expect(layOutStreams(['a-camera', 'b-camera'], size)).toEqual([
      { stream: 'a-camera', x: 0, y: 180, width: 640, height: 360 },
      { stream: 'b-camera', x: 640, y: 180, width: 640, height: 360 },
    ])
    expect(layOutStreams(['a-camera', 'b-camera', 'c-camera'], size).at(-1)).toMatchObject({
      x: 320,
      y: 360,
      width: 640,
    })
  })

  test('a screen fills the frame with cameras in its corner; the newest screen wins', () => {
    const [first, second, ...others] = layOutStreams(['a-screen', 'a-camera', 'b-screen'], size)
    expect(first).toEqual({ stream: 'b-screen', x: 0, y: 0, ...size })
    expect(second).toEqual({ stream: 'a-camera', x: 1004, y: 556, width: 256, height: 144 })
    expect(others).toEqual([])
  })

  test.each([1, 2, 3, 4, 5, 7, 9, 12])('%i cameras stay inside the frame, on even pixels, without overlap', (many) => {
    const places = layOutStreams(
      Array.from({ length: many }, (_, nth) => `${nth}-camera`),
      size,
    )
    for (const [nth, { x, y, width, height }] of places.entries()) {
      expect([x, y, width, height].every((value) => value % 2 === 0 && value >= 0)).toBe(true)
      expect(x + width <= size.width && y + height <= size.height).toBe(true)
      for (const other of places.slice(nth + 1)) {
        const apart = other.x >= x + width || x >= other.x + other.width || other.y >= y + height
        expect(apart).toBe(true)
      }
    }
  })
})

describe('a composition with slides', () => {
  const SIZE = { width: 1920, height: 1080 }
  const places = (
    mode: Parameters<typeof layOutStage>[1]['mode'],
    streams: string[],
    slide: string | null = 'a.png',
  ) => {
    const layout = layOutStage(streams, { mode, slide }, SIZE)
    return [layout.slide?.width ?? null, ...layout.areas.map(({ stream, x, width }) => `${stream} ${x} ${width}`)]
  }

  test('has the layout of the room in each mode', () => {
    expect(places('presentation', ['a-camera'])).toEqual([1920])
    expect(places('preview', ['a-camera'])).toEqual([1920, 'a-camera 1506 384'])
    expect(places('presentationAndBroadcast', ['a-camera', 'b-camera'])).toEqual([
      1496,
      'a-camera 1496 424',
      'b-camera 1496 424',
    ])
    expect(places('presentationAndBroadcast', [])).toEqual([1920])
    expect(places('broadcast', ['a-camera'])).toEqual([null, 'a-camera 0 1920'])
  })

  test('shows a screen instead of slides, and cameras without content', () => {
    expect(places('presentationAndBroadcast', ['a-camera', 'a-screen'])).toEqual([
      null,
      'a-screen 0 1496',
      'a-camera 1496 424',
    ])
    expect(places('broadcast', ['a-screen'])).toEqual([null, 'a-screen 0 1920'])
    expect(places('presentation', ['a-camera'], null)).toEqual([null, 'a-camera 0 1920'])
  })

  test('starts a scene with each change of the stage', () => {
    const turn = (seconds: number, slide: string | null) => ({
      changedAt: START + seconds * 1000,
      mode: 'presentationAndBroadcast' as const,
      slide,
    })
    const plan = planComposition([span('a-camera', 0, 10)], video(10), [
      turn(-5, 'a.png'),
      turn(3, 'b.png'),
      turn(7, null),
    ])
    expect(plan.width).toBe(1920)
    expect(plan.scenes.map(({ firstFrame, slide }) => [firstFrame / 30, slide?.imagePath])).toEqual([
      [0, 'a.png'],
      [3, 'b.png'],
      [7, undefined],
    ])
  })
})
