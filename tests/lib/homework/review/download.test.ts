import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { openDownload, prepareDownload } from '#lib/homework/review/download.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { addFileAnswer } from '#lib/quiz/attempt/files/upload-answer.ts'
import { handedIn, putOnCourse, withTask } from '../../../setup/course/works.ts'
import { saveAnswer } from '../../../setup/quiz/attempts.ts'
import { startAttempt } from '../../../setup/quiz/parsed.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { unzipTexts } from '../../../setup/unzip.ts'

describe('the ZIP of the review queue', () => {
  let home: TestTenant
  let submissionId: string
  let attemptId: string
  beforeAll(async () => {
    home = await createTestTenant()
    const { STUDENT, OWNER } = home.as
    submissionId = await handedIn(STUDENT, await withTask(OWNER), { ago: 1 })
    const quiz = await offerQuiz(home, ['single', 'essay', 'fileUpload'])
    await putOnCourse(home.as.CURATOR, quiz.courseId)
    const [, essayId = '', filesId = ''] = quiz.questionIds
    attemptId = (await startAttempt(STUDENT, { quizId: quiz.quizId })).attemptId
    const value = { type: 'essay' as const, text: 'Рядок перший\nрядок другий' }
    await saveAnswer(STUDENT, { attemptId, questionId: essayId, revision: 1, value })
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'answer-'))
    await fs.writeFile(path.join(folder, 'file'), 'план уроку')
    await addFileAnswer(STUDENT, { attemptId, questionId: filesId, path: path.join(folder, 'file'), name: 'План.txt' })
    await fs.rm(folder, { recursive: true })
    await submitAttempt(STUDENT, { attemptId })
  })

  async function download(actor: Actor, submissionIds: string[]) {
    const offered = await prepareDownload(actor, { submissionIds })
    const [, , , token = '', selection = ''] = offered.address.split('/')
    const { body, size } = await openDownload(actor, { token, selection })
    const bytes = Buffer.from(await new Response(body).arrayBuffer())
    expect(bytes).toHaveLength(size)
    return { offered, texts: unzipTexts(bytes) }
  }

  test('has essays with their questions and uploaded files of tests next to homework', async () => {
    const { offered, texts } = await download(home.as.OWNER, [submissionId, attemptId])
    expect(offered).toMatchObject({ submissions: 2, files: 1 })
    const ofTest = Object.fromEntries(Object.entries(texts).filter(([name]) => name.includes('/Тест/')))
    expect(Object.keys(ofTest).map((name) => name.split('/').slice(3).join('/'))).toEqual([
      'question-2.txt',
      'question-3/План.txt',
    ])
    expect(Object.values(ofTest)).toEqual(['Опишіть свій досвід.\n\nРядок перший\nрядок другий\n', 'план уроку'])
    expect(Object.keys(texts).length).toBeGreaterThan(2)
  })

  test('has tests of the curator’s courses only, and none of another school', async () => {
    const { texts } = await download(home.as.CURATOR, [submissionId, attemptId])
    expect(Object.keys(texts)).toHaveLength(2)
    const elsewhere = await addTestMember(home, 'CURATOR', `elsewhere-${attemptId}@download.test`)
    const theirs = await createOtherTenant()
    for (const actor of [elsewhere, theirs.as.OWNER])
      await expect(prepareDownload(actor, { submissionIds: [attemptId] })).rejects.toMatchObject({ code: 'not_found' })
  })
})
