import http from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { type ApiClient, callProcedure, runEach } from '../api-client.ts'
import { limitRow, type Row } from '../report.ts'
import { type MadeQuiz, type QuizSchool, type StartedAttempt, shownAnswerAt, startAttempt } from './quiz-school.ts'

const SAVES_EACH = 20
const MINUTE_MS = 60_000
const ALONE_SAVES = 200
/** p95 under load, as a multiple of the p50 of one student alone. */
const MAX_SLOWDOWN = 20

interface RunningAttempt extends StartedAttempt {
  client: ApiClient
  /** The answers acknowledged by the server, by question. */
  acknowledged: Map<string, { revision: number; value: object }>
}

/**
 * 500 students with open attempts and live updates save 10,000 answers within a minute, evenly spread and whether or
 * not earlier ones were acknowledged. Times are measured from the scheduled time of each save.
 */
export async function answerCrowd(school: QuizSchool, quiz: MadeQuiz): Promise<Row[]> {
  const attempts: RunningAttempt[] = []
  await runEach(school.students, 8, async ({ client }) => {
    attempts.push({ client, ...(await startAttempt(school, client, quiz.quizId)), acknowledged: new Map() })
  })
  const [first] = attempts
  if (!first) throw new Error('nobody takes the test')
  const alone = await saveAlone(first, quiz)
  const streams = await Promise.all(attempts.map(openStream))
  const saves = attempts.length * SAVES_EACH
  const times: number[] = []
  let failed = 0
  const since = performance.now()
  const save = async (attempt: RunningAttempt, round: number, dueAt: number) => {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())))
    const isSaved = await saveOnce(attempt, quiz, round).catch(() => false)
    if (isSaved) times.push(performance.now() - dueAt)
    else failed++
  }
  await Promise.all(
    attempts.flatMap((attempt, place) =>
      Array.from({ length: SAVES_EACH }, (_, round) => {
        const order = round * attempts.length + place
        return save(attempt, round, since + (order * MINUTE_MS) / saves)
      }),
    ),
  )
  const seconds = (performance.now() - since) / 1000
  for (const stream of streams) stream.destroy()
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
  const aloneP50 = quantile(alone, 0.5)
  const label = `${attempts.length} attempts, ${saves} answers in ${seconds.toFixed(0)} s`
  return [
    limitRow(`${label}: refused or failed`, failed, '', 0),
    limitRow(`${label}: acknowledged and not stored`, await countLost(attempts), '', 0),
    {
      ...limitRow(`${label}: p95 to the p50 of one`, p95 / aloneP50, '', MAX_SLOWDOWN, 1),
      ours: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
      baseline: `one alone: p50 ${aloneP50.toFixed(1)} ms`,
    },
  ]
}

async function saveAlone(attempt: RunningAttempt, quiz: MadeQuiz): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < ALONE_SAVES; n++) {
    const since = performance.now()
    await saveOnce(attempt, quiz, n)
    times.push(performance.now() - since)
  }
  return times.slice(ALONE_SAVES / 4)
}

async function saveOnce(attempt: RunningAttempt, quiz: MadeQuiz, round: number): Promise<boolean> {
  const { client, attemptId, acknowledged } = attempt
  const place = round % quiz.questionIds.length
  const questionId = quiz.questionIds[place] ?? ''
  const revision = (acknowledged.get(questionId)?.revision ?? 0) + 1
  const value = shownAnswerAt(attempt, questionId, place, revision)
  const saved = await callProcedure<{ revision: number }>(client, 'quiz/saveAnswer', {
    attemptId,
    questionId,
    revision,
    value,
  })
  acknowledged.set(questionId, { revision: saved.revision, value })
  return saved.revision === revision
}

/** Acknowledged answers that the server does not have. */
async function countLost(attempts: readonly RunningAttempt[]): Promise<number> {
  let lost = 0
  await runEach(attempts, 8, async ({ client, attemptId, acknowledged }) => {
    type Stored = { answers: { questionId: string; revision: number; value: object }[] }
    const { answers } = await callProcedure<Stored>(client, 'quiz/getAttempt', { attemptId })
    for (const [questionId, { revision, value }] of acknowledged) {
      const stored = answers.find((answer) => answer.questionId === questionId)
      if (stored?.revision !== revision || !isDeepStrictEqual(stored.value, value)) lost++
    }
  })
  return lost
}

/** The live updates that the page of an attempt follows; resolves when the stream is open. */
function openStream({ client: { port, headers }, attemptId }: RunningAttempt): Promise<http.ClientRequest> {
  const path = `/v1/live?channels=attempt:${attemptId}`
  return new Promise((resolve, reject) => {
    const request = http.get(
      { host: '127.0.0.1', port, path, headers: { ...headers, accept: 'text/event-stream' }, agent: false },
      (response) => {
        response.on('error', () => {})
        response.resume()
        if (response.statusCode === 200) resolve(request)
        else reject(new Error(`live updates answered ${response.statusCode}`))
      },
    )
    request.on('error', reject)
  })
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}
