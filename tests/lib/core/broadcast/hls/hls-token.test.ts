import { expect, test, vi } from 'vitest'
import { hlsBaseUrl, parseHlsPath, signSegmentUrls } from '#lib/core/broadcast/hls/hls-token.ts'

const HOUR = 3_600_000
const VIEWER = { tenantId: 'school', room: 'room-1', participant: 'participant-1' }
const base = hlsBaseUrl(VIEWER)
const playlist = `${base}p-camera/live.m3u8`

test('a playlist URL is valid for one viewer of one room for two hours', () => {
  expect(parseHlsPath(playlist)).toEqual({ room: 'room-1', stream: 'p-camera', file: 'live.m3u8', viewer: VIEWER })
  expect(parseHlsPath(playlist, Date.now() + 1.9 * HOUR)).not.toBeNull()
  expect(parseHlsPath(playlist, Date.now() + 2.6 * HOUR)).toBeNull()
  expect(parseHlsPath(playlist.replace('room-1', 'room-2'))).toBeNull()
  expect(parseHlsPath(playlist.replace(/\.[\w-]{22}\//, '.aaaaaaaaaaaaaaaaaaaaaa/'))).toBeNull()
  const [, claims = ''] = /\/v1\/hls\/([\w-]+)\./.exec(base) ?? []
  const [, others = ''] = /\/v1\/hls\/([\w-]+)\./.exec(hlsBaseUrl({ ...VIEWER, participant: 'participant-2' })) ?? []
  expect(others).not.toBe(claims)
  expect(parseHlsPath(playlist.replace(claims, others))).toBeNull()
})

test('each segment has one URL, shared by all viewers, that never changes and opens nothing else', () => {
  const text = '#EXTM3U\n#EXT-X-MAP:URI="m1-live.mp4"\n#EXTINF:1,\nm1-live-7.m4s\n'
  const address = parseHlsPath(playlist)
  const shown = address ? signSegmentUrls(text, address) : ''
  const [map = '', segment = ''] = [/URI="([^"]+)"/.exec(shown)?.[1], /^[^#\s].*$/m.exec(shown)?.[0]].map(
    (uri) => new URL(uri ?? '', `http://a.test${playlist}`).pathname,
  )
  const file = { room: 'room-1', stream: 'p-camera', viewer: null }
  expect(parseHlsPath(map)).toEqual({ ...file, file: 'm1-live.mp4' })
  expect(parseHlsPath(segment)).toEqual({ ...file, file: 'm1-live-7.m4s' })
  for (const [known, other] of [
    ['m1-live-7', 'm1-live-8'],
    ['p-camera', 'p-screen'],
    ['room-1', 'room-2'],
  ] as const)
    expect(parseHlsPath(segment.replace(known, other))).toBeNull()
  const another = parseHlsPath(`${hlsBaseUrl({ ...VIEWER, participant: 'participant-2' })}p-camera/live.m3u8`)
  expect(another && signSegmentUrls(text, another)).toBe(shown)
  // hls.js treats a segment with a changed URL as a broken playlist, so the URL must not contain the time.
  vi.setSystemTime(Date.now() + HOUR)
  const later = parseHlsPath(playlist)
  expect(later && signSegmentUrls(text, later)).toBe(shown)
  vi.useRealTimers()
})

test('playlist and segment URLs are not interchangeable', () => {
  expect(parseHlsPath(`${base}p-camera/m1-live-7.m4s`)).toBeNull()
  const address = parseHlsPath(playlist)
  const shared = address ? signSegmentUrls('live.m3u8', address) : ''
  expect(parseHlsPath(new URL(shared, `http://a.test${playlist}`).pathname)).toBeNull()
})

test.each(['live.m3u8/..', '../secret.key', '.hidden.m4s', 'live.json', 'a/b.m4s', '', 'live.m3u8%00'])(
  'no file but those of a stream is named: %s',
  (file) => {
    expect(parseHlsPath(`${base}p-camera/${file}`)).toBeNull()
  },
)
