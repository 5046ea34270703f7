import fs from 'node:fs'
import path from 'node:path'
import { type ApiClient, callProcedure } from '../api-client.ts'
import { copyTree } from '../constant-page.ts'
import { median } from '../duel.ts'
import { cpuOf } from '../processes.ts'
import { type Product, startProduct } from '../product.ts'
import { type Row, ratioRow } from '../report.ts'
import {
  answerAll,
  type MadeQuiz,
  type QuizSchool,
  type StartedAttempt,
  shownAnswerAt,
  startAttempt,
} from './quiz-school.ts'

const WRITERS = 20
const ROUNDS = 5
const SECONDS = 2

interface Writer {
  client: ApiClient
  attempt: StartedAttempt
  questionId: string
  revision: number
}

/** Saves of answers per second compared with a procedure that updates one row, in rounds A B A B. */
export async function answerSaving(
  database: string,
  product: Product,
  school: QuizSchool,
  quiz: MadeQuiz,
): Promise<Row[]> {
  const more = { JOBS_IN_PROCESS: 'false', API_RATE: '1000000000' }
  const bare = await startProduct(database, { root: bareTree(), more })
  const writers: Writer[] = []
  for (const { client } of school.students.slice(0, WRITERS)) {
    const attempt = await startAttempt(school, client, quiz.quizId)
    await answerAll(client, attempt, quiz, 0)
    writers.push({ client, attempt, questionId: quiz.questionIds[0] ?? '', revision: 1 })
  }
  await saveRate(product, writers)
  await saveRate(bare, writers)
  const rounds: { ours: Rate; baseline: Rate }[] = []
  for (let n = 0; n < ROUNDS; n++)
    rounds.push({ ours: await saveRate(product, writers), baseline: await saveRate(bare, writers) })
  await bare.stop()
  const words = (pick: (round: (typeof rounds)[number]) => Rate) =>
    `${median(rounds.map((round) => pick(round).perSecond)).toFixed(0)}/s, ${median(rounds.map((round) => pick(round).cpu)).toFixed(2)} ms CPU`
  const ratio = median(rounds.map(({ ours, baseline }) => ours.perSecond / baseline.perSecond))
  return [
    ratioRow(
      'saveAnswer',
      words(({ ours }) => ours),
      words(({ baseline }) => baseline),
      ratio,
      0.5,
    ),
  ]
}

/** The same tree, whose save of an answer is one update. */
function bareTree(): string {
  const root = copyTree()
  const folder = path.join(root, 'src/lib/quiz/attempt')
  const input = 'SaveAnswer.pick({ attemptId: true, questionId: true }).strip()'
  replaceIn(path.join(folder, 'api.ts'), '.input(SaveAnswer)', `.input(${input})`)
  replaceIn(path.join(folder, 'save-answer.ts'), 'async function saveAnswer(', 'async function saveWithChecks(')
  fs.appendFileSync(path.join(folder, 'save-answer.ts'), BARE)
  return root
}

function replaceIn(file: string, text: string, replacement: string): void {
  const before = fs.readFileSync(file, 'utf8')
  const after = before.replace(text, replacement)
  if (after === before) throw new Error(`saveAnswer is not where it was: ${file}`)
  fs.writeFileSync(file, after)
}

/** Appended to the file of saveAnswer, whose imports it uses. */
const BARE = `
export const saveAnswer = (actor, { attemptId, questionId }) =>
  inTenant(actor, async (tx) => {
    const [saved] = await tx
      .update(quizAnswer)
      .set({ revision: sql\`\${quizAnswer.revision} + 1\`, savedAt: new Date() })
      .where(and(eq(quizAnswer.attemptId, attemptId), eq(quizAnswer.questionId, questionId)))
      .returning({ questionId: quizAnswer.questionId, revision: quizAnswer.revision, savedAt: quizAnswer.savedAt })
    return saved
  })
`

interface Rate {
  perSecond: number
  /** Milliseconds of processor time per save. */
  cpu: number
}

/** All write concurrently, each after the response to its previous save. */
async function saveRate({ pid, port }: Product, writers: readonly Writer[]): Promise<Rate> {
  const [since, cpu] = [performance.now(), cpuOf(pid)]
  const until = since + SECONDS * 1000
  let saves = 0
  const write = async (writer: Writer) => {
    const { attempt, questionId } = writer
    const { attemptId } = attempt
    const client = { ...writer.client, port }
    while (performance.now() < until) {
      const revision = writer.revision + 1
      const input = { attemptId, questionId, revision, value: shownAnswerAt(attempt, questionId, 0, revision) }
      writer.revision = (await callProcedure<{ revision: number }>(client, 'quiz/saveAnswer', input)).revision
      saves++
    }
  }
  await Promise.all(writers.map(write))
  return { perSecond: (saves * 1000) / (performance.now() - since), cpu: (cpuOf(pid) - cpu) / saves }
}
