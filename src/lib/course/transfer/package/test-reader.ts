import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { MoodleFile } from '../moodle/files.ts'
import type { FindPackageFile, PackageReader } from './package-reader.ts'

/*
 * The tests of a package are read together with its pages, by the quiz module, which is above this one: it gives a
 * reader to `readPackage`. Without it they are only noted.
 */

export interface PackageSource {
  archive: Archive
  reader: PackageReader
}

/** A test or a bank of questions of a cartridge. */
export interface CartridgeTest {
  /** Identifier in the manifest. */
  id: string
  title: string
  /** Paths of its files in the archive. */
  files: readonly string[]
  /** Finds what a file of the package shows. */
  find: (page: string) => FindPackageFile
}

/** A quiz of a Moodle backup. */
export interface MoodleTest {
  title: string
  directory: string
  /** Files of its context. */
  files: readonly MoodleFile[]
}

/** A test that was read; the lesson shows it by its id. */
export interface ReadTest {
  testId: string
  title: string
  hidden: boolean
  /** The source names a passing score: the lesson is completed by passing. */
  hasPassMark: boolean
}

export interface TestReader {
  /** Null where nothing of the test can be read. Refuses with unprocessable (import_xml). */
  readCartridgeTest(source: PackageSource, test: CartridgeTest): Promise<ReadTest | null>
  /** Whether the bank was read. Refuses with unprocessable (import_xml). */
  readCartridgeBank(source: PackageSource, bank: CartridgeTest): Promise<boolean>
  /** Reads the question bank of a backup, before its quizzes. Refuses with unprocessable (import_xml). */
  readMoodleBank(source: PackageSource, files: readonly MoodleFile[]): Promise<void>
  /** Null where the backup has nothing of the quiz. Refuses with unprocessable (import_xml). */
  readMoodleTest(source: PackageSource, test: MoodleTest): Promise<ReadTest | null>
}
