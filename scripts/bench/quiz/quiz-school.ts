import { createHash, randomBytes, randomUUID } from 'node:crypto'
import http from 'node:http'
import pg from 'pg'
import { shownIdsOf, toShownAnswer } from '#lib/quiz/attempt/describe/part-ids.ts'
import { type ApiClient, callProcedure, createApiClient, runEach } from '../api-client.ts'
import type { Product } from '../product.ts'
import { makeStudents } from '../schools.ts'
import { answerAt, questionAt } from './questions.ts'

export interface QuizSchool {
  /** Connection string of the database. */
  database: string
  subdomain: string
  tenantId: string
  ownerToken: string
  owner: ApiClient
  courseId: string
  /** Students of the course who are signed in. */
  students: { token: string; client: ApiClient }[]
}

/** An attempt, and the key from which the ids follow that its student sees and sends. */
export interface StartedAttempt {
  attemptId: string
  partKey: string | null
}

export interface MadeQuiz {
  quizId: string
  questionIds: string[]
}

/** A school with students of whom some of one course are signed in. */
export async function makeQuizSchool(
  database: string,
  product: Product,
  size: { subdomain: string; students: number; signedIn: number },
): Promise<QuizSchool> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query('begin')
  const { tenantId, ownerToken } = await makeStudents(client, { ...size, courses: 4 })
  const { rows } = await client.query<{ course_id: string; user_ids: string[] }>(STUDENTS, [tenantId, size.signedIn])
  const [found] = rows
  if (!found) throw new Error('no course has students')
  const tokens = found.user_ids.map(() => randomBytes(32).toString('base64url'))
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest())
  await client.query(SESSIONS, [hashes, found.user_ids])
  await client.query("select set_config('app.restoring', '', true)")
  await client.query('commit')
  await client.query('analyze')
  await client.end()
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const students = tokens.map((token) => ({ token, client: createApiClient(product, 'go', token, agent) }))
  const owner = createApiClient(product, size.subdomain, ownerToken, agent)
  return { database, subdomain: size.subdomain, tenantId, ownerToken, owner, courseId: found.course_id, students }
}

/** A published test of questions of several types in the course of the school. */
export async function makeQuiz(
  { owner, courseId }: QuizSchool,
  { questions, settings = {} }: { questions: number; settings?: object },
): Promise<MadeQuiz> {
  const quizId = randomUUID()
  await callProcedure(owner, 'quiz/create', { quizId, courseId, title: `Тест із ${questions} запитань` })
  const questionIds = await makeQuestions(owner, questions)
  const section = { id: randomUUID(), pick: 'fixed', questions: questionIds.map((questionId) => ({ questionId })) }
  await callProcedure(owner, 'quiz/setSections', { quizId, revision: 1, sections: [section] })
  await callProcedure(owner, 'quiz/update', { quizId, revision: 2, settings })
  await callProcedure(owner, 'quiz/publish', { quizId })
  return { quizId, questionIds }
}

/** Adds questions to a bank in their order. */
export async function makeQuestions(
  owner: ApiClient,
  count: number,
  { bankId = null, tags = [] }: { bankId?: string | null; tags?: string[] } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await runEach(ids, 8, async (questionId, place) => {
    await callProcedure(owner, 'quiz/createQuestion', {
      questionId,
      bankId,
      draft: { content: questionAt(place), tags },
    })
  })
  return ids
}

export async function startAttempt(
  { database, tenantId }: QuizSchool,
  student: ApiClient,
  quizId: string,
): Promise<StartedAttempt> {
  const { attemptId } = await callProcedure<{ attemptId: string }>(student, 'quiz/startAttempt', { quizId })
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query("select set_config('app.tenant_id', $1, false)", [tenantId])
  const { rows } = await client.query<{ part_key: string | null }>('select part_key from quiz_attempt where id = $1', [
    attemptId,
  ])
  await client.end()
  return { attemptId, partKey: rows[0]?.part_key ?? null }
}

/** The answer to a question as the student of the attempt sends it. */
export function shownAnswerAt({ partKey }: StartedAttempt, questionId: string, place: number, number: number) {
  const answer = toShownAnswer(answerAt(place, number), shownIdsOf(partKey, questionId))
  if (!answer) throw new Error(`the question ${place} has no answer`)
  return answer
}

/** Answers all questions of an attempt once. */
export async function answerAll(
  student: ApiClient,
  attempt: StartedAttempt,
  { questionIds }: MadeQuiz,
  number: number,
): Promise<void> {
  for (const [place, questionId] of questionIds.entries())
    await callProcedure(student, 'quiz/saveAnswer', {
      attemptId: attempt.attemptId,
      questionId,
      revision: 1,
      value: shownAnswerAt(attempt, questionId, place, number),
    })
}

const STUDENTS = `
  with course_of_most as (
    select course_id from access_grant where tenant_id = $1::uuid group by course_id order by count(*) desc, course_id limit 1)
  select course_id, array_agg(user_id) as user_ids from (
    select distinct g.course_id, m.user_id from access_grant g join course_of_most using (course_id)
    join membership m on m.tenant_id = g.tenant_id and m.id = g.student_id
    where g.tenant_id = $1::uuid limit $2::int) s group by course_id`

const SESSIONS = `
  insert into session (token_hash, id, user_id, expires_at, ip, user_agent)
  select hash, time_ordered_id(), user_id, now() + interval '7 days', '127.0.0.1', 'bench'
  from unnest($1::bytea[], $2::uuid[]) as s(hash, user_id)`
