import { expect, test } from 'vitest'
import { renditionsOf } from '#lib/core/media/hls-encoding.ts'
import { masterPlaylist } from '#lib/core/media/playlist.ts'
import { planStoryboard } from '#lib/core/media/storyboard.ts'

test.each([
  ['1080p', 1920, 1080, ['640x360', '1280x720', '1920x1080']],
  ['4K stops at 1080', 3840, 2160, ['640x360', '1280x720', '1920x1080']],
  ['720p', 1280, 720, ['640x360', '1280x720']],
  ['between two steps', 960, 540, ['640x360']],
  ['smaller than the lowest', 320, 240, ['320x240']],
  ['odd sides', 643, 363, ['638x360']],
  ['upright', 1080, 1920, ['360x640', '720x1280', '1080x1920']],
  ['a wide screen', 1920, 800, ['864x360', '1728x720']],
  ['tiny', 17, 9, ['18x10']],
])('chooses resolutions for %s', (_, width, height, sizes) => {
  expect(renditionsOf({ width, height }).map((rendition) => `${rendition.width}x${rendition.height}`)).toEqual(sizes)
})

test('limits a storyboard to a hundred tiles', () => {
  const video = { width: 1920, height: 1080 }
  expect(planStoryboard(2.5, video)).toMatchObject({
    interval: 1,
    count: 3,
    columns: 3,
    rows: 1,
    tileWidth: 160,
    tileHeight: 90,
  })
  expect(planStoryboard(3600, video)).toMatchObject({ interval: 36, count: 100, columns: 10, rows: 10 })
  expect(planStoryboard(0.1, { width: 90, height: 160 })).toMatchObject({ count: 1, tileWidth: 90, tileHeight: 160 })
})

test('lists every resolution with shared audio, and audio only', () => {
  const sound = { bandwidth: 130_000, average: 128_000, codecs: 'mp4a.40.2' }
  const video = { size: 360, width: 640, height: 360, bandwidth: 800_000, average: 600_000, codecs: 'avc1.64001e' }
  expect(masterPlaylist([video], sound)).toContain(
    '#EXT-X-STREAM-INF:BANDWIDTH=930000,AVERAGE-BANDWIDTH=728000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",AUDIO="sound"\n360/index.m3u8\n',
  )
  expect(masterPlaylist([video], sound)).toMatch(/CODECS="mp4a.40.2",AUDIO="sound"\nsound\/index.m3u8\n$/)
  expect(masterPlaylist([video], null)).not.toContain('sound')
  expect(masterPlaylist([], sound)).not.toContain('EXT-X-MEDIA:')
})
