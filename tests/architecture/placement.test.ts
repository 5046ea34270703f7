import { describe, expect, test } from 'vitest'
import { crowdedFolders, misplacedFiles, modulesWithoutEntryPoint, tooLongFiles } from './checks/placement.ts'
import { file, readCode, readTree, report } from './checks/source-tree.ts'

const sources = readCode('src')

describe('length', () => {
  test('301 lines are too many, 300 are not', () => {
    expect(tooLongFiles(file('src/a.ts', 'a\n'.repeat(301)))).toHaveLength(1)
    expect(tooLongFiles(file('src/a.ts', 'a\n'.repeat(300)))).toEqual([])
  })

  test('no file is longer than 300 lines', () => {
    expect(report(sources.flatMap(tooLongFiles))).toEqual([])
  })
})

describe('the place of a file', () => {
  test.each([
    'src/lib/course/utils.ts',
    'src/lib/course/course-helpers.ts',
    'src/lib/course/course-2.ts',
    'src/lib/course/courseManager.ts',
    'src/lib/course/View.tsx',
    'src/lib/course/Parts/part.ts',
    'src/lib/course/a/b/c/d.ts',
    'src/lib/lessons/lessons.ts',
    'src/lib/router.ts',
    'src/islands/course/editor.tsx',
    'src/islands/course/LessonStore.ts',
    'src/islands/Course.tsx',
    'src/islands/things/Thing.tsx',
  ])('refuses %s', (path) => {
    expect(misplacedFiles(file(path, ''))).toHaveLength(1)
  })

  test.each([
    'src/lib/course/course.ts',
    'src/lib/course/lesson-body.ts',
    'src/lib/course/transfer/moodle/lesson.ts',
    'src/islands/course/outline/OutlineRow.tsx',
    'src/lib/core/http/refusal.ts',
    'src/lib/api.ts',
    'src/islands/course/lesson/LessonEditor.tsx',
    'src/islands/course/store.ts',
    'src/layouts/parts/shell-view.ts',
  ])('accepts %s', (path) => {
    expect(misplacedFiles(file(path, ''))).toEqual([])
  })

  test('every file is in its place', () => {
    expect(report(readTree('src').flatMap(misplacedFiles))).toEqual([])
  })

  test('every module has its entry point', () => {
    expect(modulesWithoutEntryPoint(['src/lib/course/table.ts', 'src/lib/course/api.ts'])).toHaveLength(1)
    expect(report(modulesWithoutEntryPoint(sources.map(({ path }) => path)))).toEqual([])
  })

  test('no folder has more than 25 files', () => {
    const files = (count: number) => Array.from({ length: count }, (_, index) => `src/lib/course/a${index}.ts`)
    expect(crowdedFolders(files(26))).toHaveLength(1)
    expect(crowdedFolders(files(25))).toEqual([])
    const paths = ['src', 'tests', 'scripts'].flatMap((folder) => readTree(folder)).map(({ path }) => path)
    expect(report(crowdedFolders(paths))).toEqual([])
  })
})
