import { randomUUID } from 'node:crypto'
import { callProcedure } from '../api-client.ts'
import { pagesAgainstBare, type SignedPage } from '../pages/against-bare.ts'
import { atEnd, temporary } from '../processes.ts'
import { overSocket, startProduct } from '../product.ts'
import { limitRow, type Row, type Section } from '../report.ts'
import { answerCrowd } from './answer-crowd.ts'
import { answerSaving } from './answer-save.ts'
import { makeAnalyzedQuiz } from './item-analysis.ts'
import { costRows, roundTrips, scriptRows } from './quiz-pages.ts'
import { answerAll, makeQuestions, makeQuiz, makeQuizSchool, type QuizSchool, startAttempt } from './quiz-school.ts'

const QUESTIONS = 20
const CROWD = 500
const [FEW_ATTEMPTS, MANY_ATTEMPTS] = [50, 5000]
const [SMALL_BANK, LARGE_BANK] = [20, 2000]

/** Tests: saving answers, a crowd of attempts, their pages, the question bank and the item analysis. */
export async function quizzes(): Promise<Section> {
  const { startEmbedded } = await import('#lib/core/db/embedded.ts')
  const embedded = await startEmbedded(temporary('pg'))
  atEnd(embedded.stop)
  const { socketDir } = embedded
  const database = overSocket(socketDir)
  const product = await startProduct(database, { more: { API_RATE: '1000000000', STREAMS_PER_ADDRESS: '1000000' } })
  const school = await makeQuizSchool(database, product, {
    subdomain: 'mala',
    students: MANY_ATTEMPTS,
    signedIn: CROWD,
  })
  const other = await makeQuizSchool(database, product, { subdomain: 'velyka', students: 200, signedIn: 1 })
  const rows: Row[] = []
  rows.push(...(await answerCrowd(school, await makeQuiz(school, { questions: QUESTIONS }))))
  const pages = await attemptPages(school)
  rows.push(...(await pagesAgainstBare(product, pages.measured)))
  rows.push(...(await scriptRows(product, pages.weighed)))
  const banks = await bankPages(school, other)
  rows.push(...(await costRows(product, banks)))
  const [few, many] = [
    await makeAnalyzedQuiz(database, school, { questions: QUESTIONS, attempts: FEW_ATTEMPTS }),
    await makeAnalyzedQuiz(database, school, { questions: QUESTIONS, attempts: MANY_ATTEMPTS }),
  ]
  const analysis = (quizId: string) => staffPage(school, `item analysis`, `quiz=${quizId}&part=analysis`)
  const largeAnalysis = analysis(many.quizId)
  const label = `item analysis of ${MANY_ATTEMPTS} attempts to one of ${FEW_ATTEMPTS}`
  rows.push(...(await costRows(product, [{ label, large: largeAnalysis, small: analysis(few.quizId), most: 1.5 }])))
  rows.push({
    ...limitRow(`job of the item analysis of ${MANY_ATTEMPTS} attempts`, many.seconds, ' s', null, 2),
    baseline: `${few.seconds.toFixed(2)} s of ${FEW_ATTEMPTS}`,
  })
  const bank = banks[0]?.large
  rows.push(...(await roundTrips(socketDir, [...pages.all, ...(bank ? [bank] : []), largeAnalysis])))
  rows.push(...(await answerSaving(database, product, school, await makeQuiz(school, { questions: QUESTIONS }))))
  await product.stop()
  return {
    title: 'Tests',
    note: `Baseline of saveAnswer: a procedure at the same endpoint that updates one row of the same table by its key; 20 students, each in an attempt of ${QUESTIONS} questions, send one save after another. Baseline of the pages: a bare node:http server that sends the same bytes; 16 connections. Cost: requests a second of the small amount of data over those of the large one, in the same database; but for the first page both lists have 20 rows. In the crowd each student follows the live updates of the attempt, and times run from the moment at which a save was due.`,
    rows,
  }
}

/** The pages of an attempt: all questions on a page, five on a page, the start and the result. */
async function attemptPages(school: QuizSchool) {
  const [all, paged, done] = [
    await makeQuiz(school, { questions: QUESTIONS }),
    await makeQuiz(school, { questions: QUESTIONS, settings: { perPage: 5 } }),
    await makeQuiz(school, { questions: QUESTIONS }),
  ]
  const [student] = school.students
  if (!student) throw new Error('the school has no students')
  for (const quiz of [all, paged, done])
    await answerAll(student.client, await startAttempt(school, student.client, quiz.quizId), quiz, 1)
  const { attemptId } = await startAttempt(school, student.client, done.quizId)
  await callProcedure(student.client, 'quiz/submitAttempt', { attemptId })
  const page = (label: string, path: string): SignedPage => ({ label, subdomain: 'go', token: student.token, path })
  const five = page('attempt page, 5 of 20 questions', `/test/${paged.quizId}/questions`)
  const twenty = page('attempt page, 20 questions', `/test/${all.quizId}/questions`)
  const start = page('start of a test', `/test/${done.quizId}`)
  const result = page('result of a test', `/test/${done.quizId}/result`)
  return {
    measured: [five, twenty],
    weighed: [
      { ...twenty, most: 60 },
      { ...result, most: 0 },
    ],
    all: [start, five, twenty, result],
  }
}

function staffPage({ subdomain, ownerToken, courseId }: QuizSchool, label: string, query: string): SignedPage {
  return { label, subdomain, token: ownerToken, path: `/course/edit/${courseId}?tab=tests&${query}` }
}

interface MadeBank {
  school: QuizSchool
  bankId: string
  /** A test that draws questions. */
  quizId: string
}

/** Views of a bank that list as many questions in both schools, and a test that draws from the bank. */
async function bankPages(large: QuizSchool, small: QuizSchool) {
  const made: MadeBank[] = []
  for (const [school, size] of [
    [large, LARGE_BANK],
    [small, SMALL_BANK],
  ] as const) {
    const bankId = randomUUID()
    await callProcedure(school.owner, 'quiz/createBank', { bankId, title: 'Вимірювання' })
    await makeQuestions(school.owner, size - SMALL_BANK)
    await makeQuestions(school.owner, SMALL_BANK, { bankId, tags: ['рідкісна'] })
    const quizId = randomUUID()
    await callProcedure(school.owner, 'quiz/create', { quizId, courseId: school.courseId, title: 'Вибірка' })
    const section = { id: randomUUID(), pick: 'random', count: 10 }
    await callProcedure(school.owner, 'quiz/setSections', { quizId, revision: 1, sections: [section] })
    made.push({ school, bankId, quizId })
  }
  const [inLarge, inSmall] = made
  if (!inLarge || !inSmall) throw new Error('no banks')
  const views: Record<string, (bank: MadeBank) => string> = {
    'first page of 50 rows to 20': () => 'view=bank',
    'of a named bank': ({ bankId }) => `view=bank&bankId=${bankId}`,
    'with a tag': () => `view=bank&tag=${encodeURIComponent('рідкісна')}`,
    search: () => `view=bank&q=${encodeURIComponent('рідкісна')}`,
    'a test that draws from it': ({ quizId }) => `quiz=${quizId}`,
  }
  return Object.entries(views).map(([name, queryOf]) => {
    const pageOf = (bank: MadeBank) => staffPage(bank.school, 'question bank', queryOf(bank))
    const label = `bank of ${LARGE_BANK} questions to one of ${SMALL_BANK}, ${name}`
    return { label, large: pageOf(inLarge), small: pageOf(inSmall), most: 1.3 }
  })
}
