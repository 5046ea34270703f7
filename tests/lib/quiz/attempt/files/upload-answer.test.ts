import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { startAttempt, submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { getAttempt } from '#lib/quiz/attempt/attempt-state.ts'
import { addFileAnswer, removeFileAnswer, startFileAnswer } from '#lib/quiz/attempt/files/upload-answer.ts'
import { acceptLateAnswer } from '#lib/quiz/late/late-answer.ts'
import { listLateAnswers } from '#lib/quiz/late/late-view.ts'
import { file } from '#lib/storage/table.ts'
import { saveAnswer } from '../../../../setup/quiz/attempts.ts'
import { offerQuiz } from '../../../../setup/quiz/quizzes.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../../../setup/tenants.ts'

let ours: TestTenant
let student: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  student = ours.as.STUDENT
})

const BYTES = Buffer.from('Креслення будинку')
const INPUT = {
  name: 'креслення.txt',
  size: BYTES.length,
  head: BYTES.toString('base64'),
  sample: createHash('sha256').update(BYTES).digest('hex'),
}

async function startNewAttempt(type: 'fileUpload' | 'single' = 'fileUpload') {
  const { quizId, questionIds } = await offerQuiz(ours, [type])
  const { attemptId } = await startAttempt(student, { quizId, attemptId: newId(), password: '' })
  return { attemptId, questionId: questionIds[0] ?? '' }
}

async function postFile(place: { attemptId: string; questionId: string }, actor = student) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'answer-test-'))
  await fs.writeFile(path.join(folder, 'file'), BYTES)
  try {
    return await addFileAnswer(actor, { ...place, path: path.join(folder, 'file'), name: INPUT.name })
  } finally {
    await fs.rm(folder, { recursive: true })
  }
}

const filesOf = async (attemptId: string) => {
  const [answer] = (await getAttempt(student, { attemptId })).answers
  return answer?.value?.type === 'fileUpload' ? answer.value.fileIds : []
}

describe('a file of an answer', () => {
  test('belongs to the answer from the start of its upload, and a second start resumes it', async () => {
    const place = await startNewAttempt()
    const { uploadId } = await startFileAnswer(student, { ...place, ...INPUT })
    expect(await filesOf(place.attemptId)).toEqual([uploadId])
    expect(await startFileAnswer(student, { ...place, ...INPUT })).toMatchObject({ uploadId })
    expect(await filesOf(place.attemptId)).toEqual([uploadId])
  })

  test('is refused above the number of files of the question, and for other questions', async () => {
    const place = await startNewAttempt()
    await postFile(place)
    await expect(postFile(place)).rejects.toMatchObject({ details: { fields: { file: ['answer_many_files'] } } })
    await expect(startFileAnswer(student, { ...(await startNewAttempt('single')), ...INPUT })).rejects.toMatchObject({
      details: { fields: { form: ['answer_type'] } },
    })
  })

  test('of another student cannot be claimed', async () => {
    const place = await startNewAttempt()
    const { fileId } = await postFile(place)
    const classmate = await addTestMember(ours, 'STUDENT', 'file-classmate@elsewhere.test')
    await expect(postFile(place, classmate)).rejects.toMatchObject({ code: 'not_found' })
    await expect(removeFileAnswer(classmate, { ...place, fileId })).rejects.toMatchObject({ code: 'not_found' })
    const value = { type: 'fileUpload' as const, fileIds: [newId()] }
    await expect(saveAnswer(student, { ...place, revision: 9, value })).rejects.toMatchObject({ code: 'not_found' })
    expect(await filesOf(place.attemptId)).toEqual([fileId])
  })

  test('is deleted with its removal from the answer, also when repeated', async () => {
    const place = await startNewAttempt()
    const { fileId } = await postFile(place)
    await removeFileAnswer(student, { ...place, fileId })
    expect(await filesOf(place.attemptId)).toEqual([])
    const rows = await inTenant(student, (tx) => tx.select().from(file))
    expect(rows.filter(({ id, deletedAt }) => id === fileId && deletedAt === null)).toEqual([])
  })

  test('is not removed after the submission, and a later one is a late answer until a reviewer accepts it', async () => {
    const place = await startNewAttempt()
    const { fileId } = await postFile(place)
    await submitAttempt(student, { attemptId: place.attemptId })
    await expect(removeFileAnswer(student, { ...place, fileId })).rejects.toMatchObject({
      details: { fields: { form: ['attempt_finished'] } },
    })
    const late = await postFile(place)
    await expect(postFile(place)).rejects.toMatchObject({ details: { fields: { file: ['answer_many_files'] } } })
    expect(await filesOf(place.attemptId)).toEqual([fileId])
    const { attemptId, questionId } = place
    const words = { t: getTranslator('uk'), locale: 'uk' } as const
    const [shown] = await listLateAnswers(ours.as.EXPERT, { attemptId }, words)
    expect(shown?.files).toMatchObject([{ id: late.fileId, name: INPUT.name, download: expect.any(String) }])
    await acceptLateAnswer(ours.as.EXPERT, { attemptId, questionId, revision: shown?.revision ?? 0 })
    expect(await filesOf(attemptId)).toEqual([fileId, late.fileId])
  })
})
