import { expect, test } from 'vitest'
import { hlsBase, readHlsPath } from '#lib/core/broadcast/hls-ticket.ts'

const HOUR = 3_600_000

test('an address opens the streams of its room for two hours, and of no other', () => {
  const base = hlsBase('room-1')
  const path = `${base}p-camera/live.m3u8`
  expect(readHlsPath(path)).toMatchObject({ room: 'room-1', stream: 'p-camera', file: 'live.m3u8' })
  expect(readHlsPath(`${base}p-screen/mabc-1-live-12.m4s`)).toMatchObject({ stream: 'p-screen' })
  expect(readHlsPath(path, Date.now() + 1.9 * HOUR)).not.toBeNull()
  expect(readHlsPath(path, Date.now() + 2.6 * HOUR)).toBeNull()
  expect(readHlsPath(path.replace('room-1', 'room-2'))).toBeNull()
  expect(readHlsPath(path.replace(/\.[\w-]{22}\//, '.aaaaaaaaaaaaaaaaaaaaaa/'))).toBeNull()
})

test.each(['live.m3u8/..', '../secret.key', '.hidden.m4s', 'live.json', 'a/b.m4s', '', 'live.m3u8%00'])(
  'no file but those of a stream is named: %s',
  (file) => {
    expect(readHlsPath(`${hlsBase('room-1')}p-camera/${file}`)).toBeNull()
  },
)
