import { expect, test } from 'vitest'
import { areHeadingsOrdered, hasContentIssues } from '#lib/course/lesson/content-rules.ts'

test.each([
  [[], true],
  [[2, 3, 3, 4, 2], true],
  [[3], false],
  [[2, 4], false],
  [[2, 3, 4, 2, 4], false],
])('headings of the levels %j are an outline: %s', (levels, outline) => {
  expect(areHeadingsOrdered(levels)).toBe(outline)
})

test('an image without alternative text, unordered headings or a test that students cannot take is a content issue', () => {
  const counts = { imagesWithoutAlt: 0, emptyTestCount: 0, unavailableTestCount: 0 }
  const sound = { lessonId: 'l', title: 'Заняття', hasUnorderedHeadings: false, ...counts }
  const problems = [{ imagesWithoutAlt: 1 }, { hasUnorderedHeadings: true }, { emptyTestCount: 1 }]
  expect(hasContentIssues(sound)).toBe(false)
  for (const problem of [...problems, { unavailableTestCount: 1 }])
    expect(hasContentIssues({ ...sound, ...problem })).toBe(true)
})
