import { beforeAll, expect, test } from 'vitest'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { saveLateAnswer } from '#lib/quiz/late/late-answer.ts'
import { startAttempt } from '../../setup/quiz/parsed.ts'
import { KEYS } from '../../setup/quiz/questions.ts'
import { offerQuiz } from '../../setup/quiz/quizzes.ts'
import { type PageModules, renderPage } from '../../setup/render-page.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const PAGES: PageModules = import.meta.glob(['/src/pages/test/*/result.astro', '/src/pages/test/*/*.astro'], {
  eager: true,
})

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

test('a late answer is on the page of the result as not scored, and the reviewer accepts it with a button', async () => {
  const { STUDENT: student, OWNER: owner } = ours.as
  const { quizId, questionIds } = await offerQuiz(ours, ['shortText'])
  const [questionId = ''] = questionIds
  const { attemptId } = await startAttempt(student, { quizId })
  await submitAttempt(student, { attemptId })
  await saveLateAnswer(student, { attemptId, questionId, revision: 4, value: KEYS.shortText })
  const result = await renderPage(PAGES['/src/pages/test/[id]/result.astro'], {
    path: `/test/${quizId}/result?attempt=${attemptId}`,
    actor: student,
    params: { id: quizId },
  })
  expect(result.html).toContain('Відповіді, що надійшли після завершення')
  expect(result.html).not.toContain('Прийняти')
  const review = (body?: Record<string, string>) =>
    renderPage(PAGES['/src/pages/test/[id]/[studentId].astro'], {
      path: `/test/${quizId}/${student.membershipId}?attempt=${attemptId}`,
      actor: owner,
      params: { id: quizId, studentId: student.membershipId },
      body,
    })
  expect((await review()).html).toContain('Прийняти')
  const accepted = await review({ intent: 'acceptLate', questionId, lateRevision: '4' })
  expect(accepted.to).toContain('notice=lateAccepted')
  expect((await review()).html).toContain('Прийнято')
})
