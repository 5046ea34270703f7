import pg from 'pg'
import { callProcedure } from '../api-client.ts'
import { runProgram } from '../students/program.ts'
import { answerAll, type MadeQuiz, makeQuiz, type QuizSchool, startAttempt } from './quiz-school.ts'

export interface QuizWithAnalysis extends MadeQuiz {
  /** Time of the job that computes the analysis. */
  seconds: number
}

/** A test with graded attempts of a number of students, and its item analysis. */
export async function makeAnalyzedQuiz(
  database: string,
  school: QuizSchool,
  { questions, attempts }: { questions: number; attempts: number },
): Promise<QuizWithAnalysis> {
  const quiz = await makeQuiz(school, { questions })
  const [student] = school.students
  if (!student) throw new Error('the school has no students')
  const attempt = await startAttempt(school, student.client, quiz.quizId)
  const { attemptId } = attempt
  await answerAll(student.client, attempt, quiz, 0)
  await callProcedure(student.client, 'quiz/submitAttempt', { attemptId })
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query('begin')
  await client.query("select set_config('app.tenant_id', $1, true), set_config('app.restoring', 'on', true)", [
    school.tenantId,
  ])
  await client.query(ATTEMPTS, [school.tenantId, attemptId, attempts - 1])
  await client.query(ANSWERS, [school.tenantId, attemptId])
  await client.query('commit')
  await client.query('analyze')
  await client.end()
  const { seconds } = await runProgram<{ seconds: number }>('../quiz/analysis-program.ts', database, [
    school.tenantId,
    quiz.quizId,
  ])
  return { ...quiz, seconds }
}

/** Copies of an attempt for other students. */
const ATTEMPTS = `
  insert into quiz_attempt (tenant_id, id, quiz_id, student_id, number, seed, questions, rules, state, started_at,
    submitted_at, graded_at, max_score, score, passed)
  select a.tenant_id, time_ordered_id(), a.quiz_id, s.id, 1, a.seed, a.questions, a.rules, a.state, a.started_at,
    a.submitted_at, a.graded_at, a.max_score, a.score, a.passed
  from quiz_attempt a, (
    select id from student where tenant_id = $1::uuid
      and id <> (select student_id from quiz_attempt where tenant_id = $1::uuid and id = $2::uuid)
    order by id limit $3::int) s
  where a.tenant_id = $1::uuid and a.id = $2::uuid`

/** Their answers: a choice, and whether it is right, by a random ability of the student. */
const ANSWERS = `
  insert into quiz_answer (tenant_id, attempt_id, question_id, value, revision, saved_at, spent_ms, score)
  select w.tenant_id, a.id, w.question_id,
    case when random() < 0.05 then null
      when w.value ? 'optionId' then jsonb_set(w.value, '{optionId}', to_jsonb('o' || floor(random() * 4)::int))
      else w.value end,
    1, w.saved_at, floor(random() * 60000)::int, (random() < ability.value)::int
  from quiz_answer w
  join quiz_attempt o on o.tenant_id = w.tenant_id and o.id = w.attempt_id
  join quiz_attempt a on a.tenant_id = o.tenant_id and a.quiz_id = o.quiz_id and a.id <> o.id
  cross join lateral (select random() as value, a.id) ability
  where w.tenant_id = $1::uuid and w.attempt_id = $2::uuid`
