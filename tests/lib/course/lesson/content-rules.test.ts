import { expect, test } from 'vitest'
import { isFlawed, isOutline } from '#lib/course/lesson/content-rules.ts'

test.each([
  [[], true],
  [[2, 3, 3, 4, 2], true],
  [[3], false],
  [[2, 4], false],
  [[2, 3, 4, 2, 4], false],
])('headings of the levels %j are an outline: %s', (levels, outline) => {
  expect(isOutline(levels)).toBe(outline)
})

test('a lesson is flawed by a silent picture, a broken outline or an empty test', () => {
  const sound = { lessonId: 'l', title: 'Заняття', silentPictures: 0, brokenOutline: false, emptyTests: 0 }
  expect(isFlawed(sound)).toBe(false)
  for (const flaw of [{ silentPictures: 1 }, { brokenOutline: true }, { emptyTests: 1 }])
    expect(isFlawed({ ...sound, ...flaw })).toBe(true)
})
