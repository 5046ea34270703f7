import { expect, test } from 'vitest'
import {
  addSegments,
  createSegmentRun,
  formatPlaylist,
  parseSegments,
  removeOldSegments,
} from '#lib/core/broadcast/hls/playlist.ts'

const written = (first: number, many: number): string =>
  [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:1',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    '#EXT-X-MAP:URI="r.mp4"',
    ...Array.from({ length: many }, (_, nth) => `#EXTINF:1.000000,\nr-${first + nth}.m4s`),
  ].join('\n')

test('parses a playlist of ffmpeg', () => {
  expect(parseSegments(`${written(3, 2)}\n#EXT-X-ENDLIST\n`)).toEqual([
    { sequence: 3, uri: 'r-3.m4s', seconds: 1 },
    { sequence: 4, uri: 'r-4.m4s', seconds: 1 },
  ])
  expect(parseSegments('')).toEqual([])
})

test('adds each segment once', () => {
  const run = createSegmentRun('r.mp4', 0)
  expect(addSegments(run, parseSegments(written(0, 3)))).toBe(true)
  expect(addSegments(run, parseSegments(written(0, 3)))).toBe(false)
  expect(addSegments(run, parseSegments(written(2, 3)))).toBe(true)
  expect(run.segments.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4])
})

test('joins runs with continuous sequence numbers and wall-clock times', () => {
  const past = { segments: 0, runs: 0 }
  const first = createSegmentRun('a.mp4', Date.UTC(2026, 9, 25, 16))
  const second = createSegmentRun('b.mp4', Date.UTC(2026, 9, 25, 16, 1))
  addSegments(first, parseSegments(written(0, 6)))
  addSegments(second, parseSegments(written(0, 4)))
  const runs = [first, second]
  expect(removeOldSegments(runs, past)).toEqual(['r-0.m4s', 'r-1.m4s'])
  const text = formatPlaylist(runs, past)
  expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:2\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n')
  expect(text).toContain('#EXT-X-MAP:URI="a.mp4"\n#EXT-X-PROGRAM-DATE-TIME:2026-10-25T16:00:02.000Z\n')
  expect(text).toContain(
    'r-5.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="b.mp4"\n#EXT-X-PROGRAM-DATE-TIME:2026-10-25T16:01:00.000Z\n',
  )
  addSegments(second, parseSegments(written(4, 5)))
  expect(removeOldSegments(runs, past)).toEqual(['r-2.m4s', 'r-3.m4s', 'r-4.m4s', 'r-5.m4s', 'a.mp4', 'r-0.m4s'])
  expect(formatPlaylist(runs, past)).toContain('#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n')
  expect(formatPlaylist(runs, past)).toContain('2026-10-25T16:01:01.000Z\n#EXTINF:1.000000,\nr-1.m4s')
})
