import { describe, expect, test } from 'vitest'
import { emptyCatches, validatedAgain } from './checks/errors.ts'
import { file, readCode, report } from './checks/source-tree.ts'

/** Files are validated where they enter the system: an uploaded image, a file of an archive, an imported course. */
const FILES = [
  'src/lib/course/transfer/store-files.ts',
  'src/lib/course/transfer/write-course.ts',
  'src/lib/notification/telegram/bot.ts',
  'src/lib/storage/upload/import-file.ts',
  'src/lib/storage/video/image.ts',
]

/** The settings of the process. */
const SETTINGS = 'src/lib/core/config/'

describe('catch clauses', () => {
  test.each(['try { a() } catch {}', 'try { a() } catch (error) {\n}'])('refuses %j', (source) => {
    expect(emptyCatches(file('src/a.ts', source))).toHaveLength(1)
  })

  test('that are empty state the reason', () => {
    expect(emptyCatches(file('src/a.ts', 'try { a() } catch {\n  // Gone already.\n}'))).toEqual([])
    expect(report(['src', 'scripts'].flatMap(readCode).flatMap(emptyCatches))).toEqual([])
  })
})

describe('a domain function', () => {
  test.each([
    'export function read(actor: Actor, input: GetCourse) { return GetCourse.parse(input) }',
    'const { limit } = ListFiles.parse({ ...input, cursor: undefined })',
    'const parsed = schema.EventInput.safeParse(input)',
    'function read(actor: Actor, query: ListStudents) { return ListStudents.safeParse(query) }',
    'const settings = WorkshopSettings.parse(event.settings)',
    'const poll = Poll.partial().parse(content)',
    'const name = Name.parse(video.name)',
  ])('is refused: %s', (source) => {
    expect(validatedAgain(file('src/lib/course/course.ts', source))).toHaveLength(1)
  })

  test('validates no input', () => {
    const good = 'D.parse({})\nJSON.parse(text)\nA.safeParse(row.text)\nparseStored(B, row)\nURL.parse(address)'
    expect(validatedAgain(file('src/lib/a.ts', good))).toEqual([])
    const domain = readCode('src/lib').filter(({ path }) => !path.startsWith(SETTINGS) && !FILES.includes(path))
    expect(report(domain.flatMap(validatedAgain))).toEqual([])
  })
})
