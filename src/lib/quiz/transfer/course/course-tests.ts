import { newId } from '#lib/core/db/id.ts'
import type { QuestionVerdictName, VerdictReason } from '#lib/core/shared/quiz.ts'
import type { PackageReader } from '#lib/course/transfer/package/package-reader.ts'
import { MAX_LISTED_QUESTIONS, type TestVerdict } from '#lib/course/transfer/schema.ts'
import { textLineOf } from '../parts.ts'
import { QuestionReader, type ReadQuestion } from '../question-reader.ts'
import type { BundleQuiz, BundleSection, BundleTests } from './bundle-schema.ts'

/** The most questions of a course; a file of questions may have fewer. */
const MAX_COURSE_QUESTIONS = 20_000
/** As many as a test may have. */
const MAX_SECTIONS = 50
const NO_BYTES = new Uint8Array()
const ignoreNote = () => {}

/** The tests of a course that were read, with a verdict on each. Plain data, because it comes from a worker process. */
export interface ReadTests extends BundleTests {
  verdicts: TestVerdict[]
}

/** Settings that a reader knows; the others are those of a new test. */
export type KnownSettings = Partial<Omit<BundleQuiz, 'id' | 'sections'>> & { title: string }

/** Collects the tests, questions and banks of one package. */
export class CourseTests {
  readonly #quizzes: { quiz: BundleQuiz; verdict: TestVerdict }[] = []
  readonly #questions: BundleTests['questions'] = []
  readonly #banks = new Map<string, { id: string; title: string }>()
  readonly #verdicts: TestVerdict[] = []
  #reader: QuestionReader | null = null

  /** Reads questions; their files are stored with those of the course. */
  questionReader(files: PackageReader): QuestionReader {
    this.#reader ??= new QuestionReader({
      maxQuestions: MAX_COURSE_QUESTIONS,
      addFile: (key, name, picture, bytes) => {
        if (bytes.length > 0) return files.inlinePictureId(key, name, bytes)
        return picture ? files.pictureId(key, name) : files.fileId(key, name)
      },
    })
    return this.#reader
  }

  /** The id of the bank with a name of the source; the first call creates it. */
  bankId(key: string, title: string): string {
    const known = this.#banks.get(key) ?? { id: newId(), title: '' }
    if (known.title === '' || known.title === '…') known.title = textLineOf(title, 120, ignoreNote) || '…'
    this.#banks.set(key, known)
    return known.id
  }

  /** Adds a question to a bank (null: the general one); null for one that was skipped. */
  addQuestion({ draft }: ReadQuestion, bankId: string | null, tags: readonly string[] = []): string | null {
    if (!draft) return null
    const id = newId()
    this.#questions.push({ ...draft, tags: [...new Set([...draft.tags, ...tags])].slice(0, 20), id, bankId })
    return id
  }

  /** Adds a test with the questions that were read for it. Gives its id. */
  addTest(settings: KnownSettings, sections: BundleSection[], read: readonly ReadQuestion[], lost: boolean): string {
    const id = newId()
    const title = textLineOf(settings.title, 160, ignoreNote) || '…'
    const quiz: BundleQuiz = { ...NEW_QUIZ, ...settings, title, id, sections: sections.slice(0, MAX_SECTIONS) }
    const verdict = verdictOf('test', title, read, [
      ...(lost || sections.length > MAX_SECTIONS ? (['settings_lost'] as const) : []),
      ...(sections.length === 0 ? (['incomplete'] as const) : []),
    ])
    this.#quizzes.push({ quiz, verdict })
    this.#verdicts.push(verdict)
    return id
  }

  addBankVerdict(title: string, read: readonly ReadQuestion[]): void {
    this.#verdicts.push(verdictOf('bank', title, read, []))
  }

  /** The parsed tests. Random sections of banks that the package does not contain are omitted. */
  result(): ReadTests {
    const filled = new Set(this.#questions.map(({ bankId }) => bankId))
    for (const { quiz, verdict } of this.#quizzes) {
      const sectionsWithQuestions = quiz.sections.filter(
        (section) => section.pick === 'fixed' || section.bankId === null || filled.has(section.bankId),
      )
      if (sectionsWithQuestions.length < quiz.sections.length) noteReason(verdict, 'incomplete')
      quiz.sections = sectionsWithQuestions
    }
    return {
      quizzes: this.#quizzes.map(({ quiz }) => quiz),
      questions: this.#questions,
      questionBanks: [...this.#banks.values()].filter(({ id }) => filled.has(id)),
      verdicts: this.#verdicts,
    }
  }
}

/** A new test as the table has it. */
const NEW_QUIZ: Omit<BundleQuiz, 'id' | 'title' | 'sections'> = {
  intro: null,
  status: 'draft',
  hidden: false,
  openAt: null,
  closeAt: null,
  timeLimitSec: null,
  onExpiry: 'autoSubmit',
  graceSec: 60,
  networkGraceSec: 15,
  attempts: null,
  delayMinutes: 0,
  gradeOf: 'best',
  passPercent: 0,
  shuffleQuestions: false,
  shuffleOptions: true,
  perPage: null,
  navigation: 'free',
  feedback: 'afterAttempt',
  show: { score: true, correctness: true, correctAnswers: false, explanations: true },
  gradeBands: [],
  negativeMarking: false,
  partialCredit: true,
  password: null,
  required: true,
}

function noteReason(verdict: TestVerdict, reason: VerdictReason): void {
  if (!verdict.reasons.includes(reason)) verdict.reasons.push(reason)
  if (verdict.verdict === 'imported') verdict.verdict = 'changed'
}

function verdictOf(
  kind: TestVerdict['kind'],
  title: string,
  read: readonly ReadQuestion[],
  reasons: VerdictReason[],
): TestVerdict {
  const counts: Record<QuestionVerdictName, number> = { imported: 0, changed: 0, skipped: 0 }
  for (const { verdict } of read) counts[verdict] += 1
  const isSkipped = read.length > 0 && counts.skipped === read.length
  const isChanged = counts.changed + counts.skipped + reasons.length > 0
  const noted = read.filter(({ verdict }) => verdict !== 'imported')
  return {
    kind,
    title: title.slice(0, 200).toWellFormed(),
    verdict: isSkipped ? 'skipped' : isChanged ? 'changed' : 'imported',
    reasons,
    counts,
    questions: noted
      .slice(0, MAX_LISTED_QUESTIONS)
      .map(({ title: name, line, verdict, reasons: why }) => ({ title: name, line, verdict, reasons: why })),
    moreQuestions: Math.max(0, noted.length - MAX_LISTED_QUESTIONS),
  }
}

/** A file of the archive for the texts of a question: its bytes are read when it is stored. */
export const fileInArchive = (path: string, name: string) => ({ key: path, name, bytes: NO_BYTES })
