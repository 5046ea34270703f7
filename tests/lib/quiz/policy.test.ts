import { beforeAll, expect, test } from 'vitest'
import { auditEntry } from '#lib/audit/table.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { startAttempt } from '#lib/quiz/attempt/attempt.ts'
import { grantTime } from '#lib/quiz/attempt/grant-time.ts'
import { getQuizPolicy, setQuizPolicy } from '#lib/quiz/policy.ts'
import { requestApi } from '../../api/api-request.ts'
import { listAuditEntries } from '../../setup/parsed/audit.ts'
import { offerQuiz } from '../../setup/quiz/quizzes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

async function startTimedAttempt() {
  const { quizId } = await offerQuiz(ours, ['single'], { timeLimitSec: 60 })
  return startAttempt(ours.as.STUDENT, { quizId, attemptId: newId(), password: '' })
}

test('a school sets how much time may be added to an attempt, and the audit log names the author', async () => {
  expect(await getQuizPolicy(ours.as.OWNER)).toEqual({ outageCapMinutes: 30 })
  expect(await setQuizPolicy(ours.as.DIRECTOR, { outageCapMinutes: 5 })).toEqual({ outageCapMinutes: 5 })
  await setQuizPolicy(ours.as.DIRECTOR, { outageCapMinutes: 5 })
  const entries = await inTenant(ours.as.OWNER, (tx) => tx.select().from(auditEntry))
  expect(entries.filter(({ action }) => action === 'settings.changed')).toMatchObject([
    { before: { outageCapMinutes: 30 }, after: { outageCapMinutes: 5 } },
  ])
  const other = await createOtherTenant()
  expect(await getQuizPolicy(other.as.OWNER)).toEqual({ outageCapMinutes: 30 })
})

test('time above the cap is refused in parts and in total, and does not change the deadline', async () => {
  await setQuizPolicy(ours.as.OWNER, { outageCapMinutes: 5 })
  const { attemptId, deadlineAt } = await startTimedAttempt()
  const grant = (seconds: number) => grantTime(ours.as.EXPERT, { attemptId, seconds, note: 'Не було світла' })
  const refused = { code: 'unprocessable', details: { fields: { seconds: ['outage_cap'] }, variables: { minutes: 5 } } }
  await expect(grant(301)).rejects.toMatchObject(refused)
  expect(await grant(200)).toEqual({ deadlineAt: new Date((deadlineAt?.getTime() ?? 0) + 200_000) })
  await expect(grant(101)).rejects.toMatchObject(refused)
  expect(await grant(100)).toEqual({ deadlineAt: new Date((deadlineAt?.getTime() ?? 0) + 300_000) })
  const { items } = await listAuditEntries(ours.as.OWNER, { objectId: attemptId, action: 'attempt.time_granted' })
  expect(items.map(({ after }) => after)).toMatchObject([{ seconds: 100 }, { seconds: 200, note: 'Не було світла' }])
})

test('a cap of zero adds no time', async () => {
  await setQuizPolicy(ours.as.OWNER, { outageCapMinutes: 0 })
  const { attemptId } = await startTimedAttempt()
  await expect(grantTime(ours.as.OWNER, { attemptId, seconds: 1, note: 'Обрив' })).rejects.toMatchObject({
    details: { fields: { seconds: ['outage_cap'] } },
  })
})

test('the cap is changed by owners and directors only, within a day', async () => {
  for (const actor of [ours.as.EXPERT, ours.as.CURATOR, ours.as.STUDENT])
    await expect(setQuizPolicy(actor, { outageCapMinutes: 60 })).rejects.toMatchObject({ code: 'forbidden' })
  for (const outageCapMinutes of [-1, 1441, 1.5, 'багато', ''])
    expect(
      await requestApi('POST', 'quiz/setPolicy', { actor: ours.as.OWNER, body: { outageCapMinutes } }),
    ).toMatchObject({
      status: 400,
    })
})
