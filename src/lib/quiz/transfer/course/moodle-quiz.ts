import { childAt, type MarkupElement, textAtPath } from '#lib/course/transfer/markup.ts'
import { createFinder } from '#lib/course/transfer/moodle/files.ts'
import type { MoodleTest, PackageSource, ReadTest } from '#lib/course/transfer/package/test-reader.ts'
import type { ReadQuestion } from '../question-reader.ts'
import { TextReader } from '../text/read-text.ts'
import { elementsOf, readXml } from '../xml.ts'
import { type CourseTests, fileInArchive } from './course-tests.ts'
import type { MoodleBank } from './moodle-bank.ts'
import { moodleSettings } from './moodle-settings.ts'
import { MoodleSlots } from './moodle-slots.ts'

/** A quiz of a Moodle backup: settings, sections, questions of the bank and random ones. Null without its file. */
export async function readMoodleTest(
  tests: CourseTests,
  bank: MoodleBank,
  { archive, reader }: PackageSource,
  { title, directory, files }: MoodleTest,
): Promise<ReadTest | null> {
  const name = `${directory}/quiz.xml`
  const bytes = archive.names.includes(name) ? await archive.read(name) : null
  const quiz = bytes ? childAt(readXml(bytes, name), 'quiz') : undefined
  if (!quiz) return null
  const find = createFinder(files, 'intro')
  const texts = new TextReader(
    tests.questionReader(reader),
    () => {},
    (address) => {
      const file = find(address)
      return file ? fileInArchive(file.path, file.name) : null
    },
  )
  const intro = textAtPath(quiz, 'intro')
  const { settings, isReduced } = moodleSettings(quiz, await passMark(archive, directory))
  const slots = new MoodleSlots(bank)
  slots.read(quiz)
  const read: ReadQuestion[] = slots.questions.map((question) => question.read)
  const testId = tests.addTest(
    { ...settings, title, intro: texts.optional(texts.html(intro)) },
    slots.sections,
    read,
    isReduced || slots.isReduced,
  )
  return { testId, title, hidden: false, hasPassMark: (settings.passPercent ?? 0) > 0 }
}

/** The grade to pass is in the gradebook of the activity. */
async function passMark(archive: PackageSource['archive'], directory: string): Promise<number> {
  const name = `${directory}/grades.xml`
  const bytes = archive.names.includes(name) ? await archive.read(name) : null
  const items: MarkupElement[] = bytes ? elementsOf(readXml(bytes, name), 'grade_item') : []
  return Number.parseFloat(textAtPath(items[0], 'gradepass')) || 0
}
