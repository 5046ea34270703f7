import { expect, test } from 'vitest'
import { resolutionOf } from '#islands/player/level-size.ts'

test.each([
  [{ width: 1280, height: 720 }, 720],
  [{ width: 720, height: 1280 }, 720],
  [{ width: 0, height: 360 }, 360],
  [{ width: 0, height: 0 }, 0],
])('a picture of %o is called by its shorter side', (level, size) => {
  expect(resolutionOf(level)).toBe(size)
})
