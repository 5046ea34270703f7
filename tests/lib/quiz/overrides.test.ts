import { describe, expect, test } from 'vitest'
import { grantAccess } from '#lib/course/access/grants.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { addToGroup } from '#lib/course/group/members.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { type AttemptOverrideFacts, effectiveSettings } from '#lib/quiz/attempt/rules.ts'
import { setOverride, startAttempt } from '../../setup/quiz/parsed.ts'
import { offerQuiz } from '../../setup/quiz/quizzes.ts'
import { addTestMember, createTestTenant } from '../../setup/tenants.ts'

const NONE: AttemptOverrideFacts = {
  studentId: null,
  openAt: null,
  closeAt: null,
  timeLimitSec: null,
  extraAttempts: 0,
  extraTimeSec: 0,
}
const settings = { openAt: null, closeAt: null, timeLimitSec: 600, attempts: 1, delayMinutes: 0 }

describe('the settings of a student', () => {
  test('are those of the test without exceptions, and an empty exception changes nothing', () => {
    expect(effectiveSettings(settings, [])).toEqual(settings)
    expect(effectiveSettings(settings, [NONE])).toEqual(settings)
  })

  test('are by the best of the exceptions of all groups', () => {
    const [early, late] = [new Date('2031-01-01T00:00:00Z'), new Date('2031-02-01T00:00:00Z')]
    const groups = [
      { ...NONE, closeAt: early, extraAttempts: 2, extraTimeSec: 60 },
      { ...NONE, closeAt: late, openAt: early, extraAttempts: 1, extraTimeSec: 300 },
    ]
    expect(effectiveSettings(settings, groups)).toEqual({
      ...settings,
      openAt: early,
      closeAt: late,
      timeLimitSec: 900,
      attempts: 3,
    })
  })

  test('are by the exception of the student alone where there is one, also when groups have better ones', () => {
    const own = { ...NONE, studentId: 's', extraAttempts: 1, timeLimitSec: 1200 }
    expect(effectiveSettings(settings, [{ ...NONE, extraAttempts: 9, extraTimeSec: 900 }, own])).toEqual({
      ...settings,
      timeLimitSec: 1200,
      attempts: 2,
    })
  })
})

test('the exception of a group holds for its members and for nobody else', async () => {
  const tenant = await createTestTenant()
  const { as } = tenant
  const { courseId, quizId } = await offerQuiz(tenant, ['trueFalse'], { attempts: 1 })
  const { groupId } = await createGroup(as.OWNER, {
    courseId,
    name: 'Осіння',
    startAt: '2025-01-01T00:00:00.000Z',
    endAt: null,
    timeZone: 'Europe/Kyiv',
  })
  const member = await addTestMember(tenant, 'STUDENT', 'member@school.test')
  await addToGroup(as.OWNER, { groupId, studentId: member.membershipId })
  const other = await addTestMember(tenant, 'STUDENT', 'other@school.test')
  await grantAccess(as.OWNER, { courseId, studentId: other.membershipId })
  await setOverride(as.OWNER, { quizId, groupId, extraAttempts: 1 })
  for (const student of [member, other])
    await submitAttempt(student, { attemptId: (await startAttempt(student, { quizId })).attemptId })
  expect(await startAttempt(member, { quizId })).toMatchObject({ number: 2 })
  await expect(startAttempt(other, { quizId })).rejects.toMatchObject({
    details: { fields: { form: ['quiz_no_attempts'] } },
  })
})
