import { beforeAll, describe, expect, test } from 'vitest'
import { readCsv } from '#lib/core/csv/csv.ts'
import { pool } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { startAttempt } from '#lib/quiz/attempt/attempt.ts'
import { listAttempts } from '#lib/quiz/attempt-list/attempt-list.ts'
import { exportAttempts } from '#lib/quiz/attempt-list/export-attempts.ts'
import { AttemptFilter, ListAttempts } from '#lib/quiz/attempt-list/schema.ts'
import { submittedAttempt } from '../../../setup/quiz/attempts.ts'
import { KEYS, WRONG } from '../../../setup/quiz/questions.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let other: TestTenant
let place: Awaited<ReturnType<typeof offerQuiz>>
const students: Actor[] = []
const attempts: string[] = []
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
  place = await offerQuiz(ours, ['single', 'essay'])
  for (const name of ['anna', 'bohdan', 'vira', 'halyna']) {
    const student = await addTestMember(ours, 'STUDENT', `${name}@list.test`)
    await grantAccess(ours.as.OWNER, { courseId: place.courseId, studentId: student.membershipId })
    students.push(student)
  }
  const [anna, bohdan, vira, halyna] = students as [Actor, Actor, Actor, Actor]
  attempts.push(await submittedAttempt(anna, place, [KEYS.single, KEYS.essay]))
  attempts.push(await submittedAttempt(bohdan, place, [KEYS.single, null]))
  attempts.push(await submittedAttempt(vira, place, [WRONG.single, null]))
  attempts.push((await startAttempt(halyna, { quizId: place.quizId, password: '' })).attemptId)
})

const list = (more: object = {}, actor: Actor = ours.as.EXPERT) =>
  listAttempts(actor, ListAttempts.parse({ quizId: place.quizId, ...more }))
const found = async (more: object) => (await list(more)).items.map(({ id }) => attempts.indexOf(id))

describe('the list of attempts', () => {
  test('has all states, the latest started first', async () => {
    expect(await found({})).toEqual([3, 2, 1, 0])
    const { items } = await list()
    expect(items.map(({ state }) => state)).toEqual(['inProgress', 'graded', 'graded', 'needsReview'])
  })

  test('is filtered by state, result, student and day', async () => {
    expect(await found({ state: 'needsReview' })).toEqual([0])
    expect(await found({ result: 'failed' })).toEqual([2, 1])
    expect(await found({ result: 'passed' })).toEqual([])
    expect(await found({ q: 'bohdan' })).toEqual([1])
    expect(await found({ from: '2000-01-01', to: '2000-01-02' })).toEqual([])
    expect(await found({ groupId: place.quizId })).toEqual([])
  })

  test('is read page by page without gaps or repetitions', async () => {
    const pages: string[] = []
    let cursor: string | undefined
    do {
      const { items, next } = await list({ cursor, limit: 1 })
      pages.push(...items.map(({ id }) => id))
      cursor = next ?? undefined
    } while (cursor)
    expect(pages).toEqual(attempts.toReversed())
  })

  test('is closed to curators of other courses, students and other schools', async () => {
    for (const [actor, code] of [
      [ours.as.CURATOR, 'forbidden'],
      [ours.as.STUDENT, 'forbidden'],
      [other.as.OWNER, 'not_found'],
    ] as const) {
      await expect(list({}, actor)).rejects.toMatchObject({ code })
      const filter = AttemptFilter.parse({ quizId: place.quizId })
      await expect(exportAttempts(actor, filter, 'csv', getTranslator('uk'))).rejects.toMatchObject({ code })
    }
    await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid' })
  })
})

test('the export has the rows of the list, and no cell is a formula', async () => {
  const [, , vira] = students
  await pool.query(`update "user" set first_name = '=1+1' where email = $1`, [vira?.email])
  const filter = AttemptFilter.parse({ quizId: place.quizId })
  const text = await new Response(await exportAttempts(ours.as.EXPERT, filter, 'csv', getTranslator('uk'))).text()
  expect(text).toContain("'=1+1")
  const [heading, ...rows] = readCsv(text)
  expect(heading?.slice(0, 4)).toEqual(['Студент', 'Пошта', 'Спроба', 'Стан'])
  expect(rows.map(([, email]) => email)).toEqual(students.map(({ email }) => email).toReversed())
  expect(rows[1]?.slice(6)).toEqual(['0', '6', '0', 'Не складено'])
  const xlsx = await new Response(await exportAttempts(ours.as.EXPERT, filter, 'xlsx', getTranslator('uk'))).bytes()
  expect(Buffer.from(xlsx.slice(0, 2)).toString()).toBe('PK')
})
