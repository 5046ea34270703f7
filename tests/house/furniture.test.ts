import { describe, expect, test } from 'vitest'
import { doorless, misplaced, tooLong } from './furniture.ts'
import { file, readCode, readTree, report } from './tree.ts'

const sources = readCode('src')

describe('length', () => {
  test('301 lines are too many, 300 are not', () => {
    expect(tooLong(file('src/a.ts', 'a\n'.repeat(301)))).toHaveLength(1)
    expect(tooLong(file('src/a.ts', 'a\n'.repeat(300)))).toEqual([])
  })

  test('no file is longer than 300 lines', () => {
    expect(report(sources.flatMap(tooLong))).toEqual([])
  })
})

describe('furniture', () => {
  test.each([
    'src/lib/course/utils.ts',
    'src/lib/course/course-helpers.ts',
    'src/lib/course/course-2.ts',
    'src/lib/course/courseManager.ts',
    'src/lib/course/View.tsx',
    'src/lib/course/parts/one.ts',
    'src/lib/lessons/lessons.ts',
    'src/lib/router.ts',
    'src/islands/course/editor.tsx',
    'src/islands/course/LessonStore.ts',
    'src/islands/Course.tsx',
    'src/islands/things/Thing.tsx',
  ])('refuses %s', (path) => {
    expect(misplaced(file(path, ''))).toHaveLength(1)
  })

  test.each([
    'src/lib/course/course.ts',
    'src/lib/course/lesson-body.ts',
    'src/lib/core/http/refusal.ts',
    'src/lib/api.ts',
    'src/islands/course/LessonEditor.tsx',
    'src/islands/course/store.ts',
    'src/layouts/parts/shell-view.ts',
  ])('accepts %s', (path) => {
    expect(misplaced(file(path, ''))).toEqual([])
  })

  test('everything stands in its place', () => {
    expect(report(readTree('src').flatMap(misplaced))).toEqual([])
  })

  test('every room has its front door', () => {
    expect(doorless(['src/lib/course/table.ts', 'src/lib/course/api.ts'])).toHaveLength(1)
    expect(report(doorless(sources.map(({ path }) => path)))).toEqual([])
  })
})
