import { childAt, childrenOf, type MarkupElement, textAtPath } from '#lib/course/transfer/markup.ts'
import type { MoodleFile } from '#lib/course/transfer/moodle/files.ts'
import type { PackageSource } from '#lib/course/transfer/package/test-reader.ts'
import { readMoodleQuestion } from '../moodle/read-moodle.ts'
import { type QuestionReader, type ReadQuestion, SkippedQuestion } from '../question-reader.ts'
import { decodeXml, elementLines, elementsOf, readXml } from '../xml.ts'
import type { CourseTests } from './course-tests.ts'
import { type BackupQuestion, filesOfQuestion, toMoodleXml } from './moodle-question.ts'

const QUESTIONS = 'questions.xml'

/** A question of a backup with its outcome. */
export interface BankQuestion {
  read: ReadQuestion
  /** Its id among the imported ones; null for one that was skipped. */
  id: string | null
  categoryId: string
  /** A question that draws others: the category that it draws from. */
  randomOf: { categoryId: string; withSubcategories: boolean } | null
}

interface Category {
  id: string
  name: string
  parent: string
  count: number
}

/** The question bank of a Moodle backup. */
export class MoodleBank {
  readonly #tests: CourseTests
  readonly #byQuestion = new Map<string, BankQuestion>()
  readonly #byEntry = new Map<string, BankQuestion>()
  readonly #tags = new Map<string, string>()
  readonly #categories = new Map<string, Category>()

  constructor(tests: CourseTests) {
    this.#tests = tests
  }

  /** Reads all categories. Those with questions become banks. */
  async read({ archive, reader }: PackageSource, files: readonly MoodleFile[]): Promise<void> {
    const bytes = archive.names.includes(QUESTIONS) ? await archive.read(QUESTIONS) : null
    if (!bytes) return
    const root = readXml(bytes, QUESTIONS)
    reader.markTaken(QUESTIONS)
    const numbers = elementLines(decodeXml(bytes), 'question')
    const lines = new Map(elementsOf(root, 'question').map((element, index) => [element, numbers[index] ?? 1]))
    for (const tag of elementsOf(root, 'tag'))
      this.#tags.set(tag.attributes.id ?? '', textAtPath(tag, 'rawname') || textAtPath(tag, 'name'))
    const categories = childrenOf(root, 'question_category')
    const subquestions = new Map(
      elementsOf(root, 'question')
        .filter((element) => isSubquestion(element))
        .map((element) => [element.attributes.id ?? '', element]),
    )
    const questionReader = this.#tests.questionReader(reader)
    for (const category of categories) {
      const entry = {
        id: category.attributes.id ?? '',
        name: textAtPath(category, 'name'),
        parent: textAtPath(category, 'parent'),
        count: 0,
      }
      this.#categories.set(entry.id, entry)
      this.#readCategory({ questionReader, files, lines, subquestions }, entry, category)
    }
  }

  question(questionId: string): BankQuestion | undefined {
    return this.#byQuestion.get(questionId)
  }

  /** The current version of a question of Moodle 4 and later. */
  entry(entryId: string): BankQuestion | undefined {
    return this.#byEntry.get(entryId)
  }

  tagName(tagId: string): string | undefined {
    return this.#tags.get(tagId)
  }

  /** The bank of a category; null for one without questions. */
  bankId(categoryId: string): string | null {
    const category = this.#categories.get(categoryId)
    return category && category.count > 0 ? this.#tests.bankId(categoryKey(categoryId), category.name) : null
  }

  /** The bank of a category that has no questions; sections that draw from it are omitted. */
  missingBankId(categoryId: string): string {
    return this.#tests.bankId(categoryKey(categoryId), '')
  }

  /** Whether categories inside of this one have questions. */
  hasSubcategories(categoryId: string): boolean {
    return [...this.#categories.values()].some(
      ({ id, parent, count }) => parent === categoryId && id !== categoryId && (count > 0 || this.hasSubcategories(id)),
    )
  }

  #readCategory(context: ReadContext, category: Category, element: MarkupElement): void {
    const read: ReadQuestion[] = []
    for (const { question, entryId } of questionsOf(element)) {
      const entry = this.#readQuestion(context, category, question)
      this.#byQuestion.set(question.attributes.id ?? '', entry)
      if (entryId) this.#byEntry.set(entryId, entry)
      if (entry.randomOf) continue
      read.push(entry.read)
      if (entry.id) category.count += 1
    }
    if (read.length > 0) this.#tests.addBankVerdict(category.name || '…', read)
  }

  #readQuestion(
    { questionReader, files, lines, subquestions }: ReadContext,
    category: Category,
    element: MarkupElement,
  ): BankQuestion {
    const type = textAtPath(element, 'qtype')
    const title = textAtPath(element, 'name')
    if (type === 'random') {
      const withSubcategories = textAtPath(element, 'questiontext') === '1'
      const read: ReadQuestion = { ...NO_QUESTION, title }
      return { read, id: null, categoryId: category.id, randomOf: { categoryId: category.id, withSubcategories } }
    }
    const question: BackupQuestion = { element, subquestions }
    const place = { file: QUESTIONS, line: lines.get(element) ?? 1, title }
    const read = questionReader.add(place, (note) => {
      const converted = toMoodleXml(question)
      if (!converted) throw new SkippedQuestion('type_unsupported')
      return readMoodleQuestion(converted, null, questionReader, note, filesOfQuestion(question, files))
    })
    const bankId = read.draft ? this.#tests.bankId(categoryKey(category.id), category.name) : null
    return { read, id: this.#tests.addQuestion(read, bankId), categoryId: category.id, randomOf: null }
  }
}

interface ReadContext {
  questionReader: QuestionReader
  files: readonly MoodleFile[]
  lines: ReadonlyMap<MarkupElement, number>
  subquestions: ReadonlyMap<string, MarkupElement>
}

const NO_QUESTION: Omit<ReadQuestion, 'title'> = {
  number: 1,
  file: QUESTIONS,
  line: 1,
  verdict: 'skipped',
  reasons: ['not_a_question'],
  draft: null,
}

const categoryKey = (categoryId: string): string => `category ${categoryId}`

/** Parts of a Cloze text are questions of their own, with a parent. */
const isSubquestion = (element: MarkupElement): boolean => !['', '0'].includes(textAtPath(element, 'parent'))

/** The questions of a category that teachers see; since Moodle 4 the newest version of each. */
function questionsOf(category: MarkupElement): { question: MarkupElement; entryId: string | null }[] {
  const older = childrenOf(childAt(category, 'questions'), 'question')
    .filter((element) => !isSubquestion(element) || textAtPath(element, 'qtype') === 'random')
    .map((question) => ({ question, entryId: null }))
  const entries = childrenOf(childAt(category, 'question_bank_entries'), 'question_bank_entry')
  const current = entries.flatMap((entry) => {
    const versions = childrenOf(childAt(entry, 'question_version'), 'question_versions').toSorted(
      (a, b) => Number(textAtPath(a, 'version')) - Number(textAtPath(b, 'version')),
    )
    const ready = versions.filter((version) => textAtPath(version, 'status') !== 'draft')
    const question = childAt(ready.at(-1) ?? versions.at(-1), 'questions', 'question')
    return question && !isSubquestion(question) ? [{ question, entryId: entry.attributes.id ?? '' }] : []
  })
  return [...older, ...current]
}
