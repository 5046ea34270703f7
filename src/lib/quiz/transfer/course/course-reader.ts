import type { ImportedCourse } from '#lib/course/transfer/imported-course.ts'
import type { PackageLabels } from '#lib/course/transfer/package/labels.ts'
import { type PackageFile, readPackage } from '#lib/course/transfer/package/read-package.ts'
import type { TestReader } from '#lib/course/transfer/package/test-reader.ts'
import { readCartridgeBank, readCartridgeTest } from './cartridge.ts'
import { CourseTests, type ReadTests } from './course-tests.ts'
import { MoodleBank } from './moodle-bank.ts'
import { readMoodleTest } from './moodle-quiz.ts'

/** A course read from any format together with its tests. */
export interface CourseWithTests extends ImportedCourse {
  tests: ReadTests
}

/** Reads a file of the disk as a course with its tests. Refuses as readPackage, and with questions_many. */
export async function readCourse(file: PackageFile, scratch: string, labels: PackageLabels): Promise<CourseWithTests> {
  const tests = new CourseTests()
  const bank = new MoodleBank(tests)
  const reader: TestReader = {
    readCartridgeTest: (source, test) => readCartridgeTest(tests, source, test),
    readCartridgeBank: (source, questions) => readCartridgeBank(tests, source, questions),
    readMoodleBank: (source, files) => bank.read(source, files),
    readMoodleTest: (source, test) => readMoodleTest(tests, bank, source, test),
  }
  const course = await readPackage(file, scratch, labels, reader)
  return { ...course, tests: tests.result() }
}
