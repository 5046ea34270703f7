import type { BundleLesson } from '../bundle-schema.ts'
import { splitIntoLessons } from './lesson.ts'
import type { ReadTest } from './test-reader.ts'

/** The lesson that shows an imported test. */
export function lessonOfTest(lesson: { title: string; id?: string }, test: ReadTest): BundleLesson[] {
  const { testId, hidden, hasPassMark } = test
  const title = lesson.title || test.title
  return splitIntoLessons({ ...lesson, title, hidden }, [{ type: 'test', attrs: { testId } }]).map((item) =>
    hasPassMark ? { ...item, completionRule: { mode: 'testPassed' } } : item,
  )
}
