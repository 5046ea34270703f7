import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { changeQuestions, duplicateQuestion, getQuestion } from '#lib/quiz/bank/bank.ts'
import { createBank, deleteBank, listBanks, renameBank } from '#lib/quiz/bank/banks.ts'
import { insertQuestionRows } from '#lib/quiz/bank/insert-questions.ts'
import { listQuestionTags } from '#lib/quiz/bank/list.ts'
import { loadQuestionDrafts } from '#lib/quiz/bank/transfer.ts'
import { plainRichText } from '#lib/quiz/question/rich-text-schema.ts'
import { createQuestion, listBankQuestions, updateQuestion } from '../../../setup/quiz/parsed.ts'
import { sampleQuestion } from '../../../setup/quiz/questions.ts'
import { addQuestion } from '../../../setup/quiz/quizzes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let other: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
})

describe('a question', () => {
  test('created twice exists once', async () => {
    const input = { questionId: newId(), draft: { content: sampleQuestion('single'), tags: ['двічі', 'двічі'] } }
    const first = await createQuestion(ours.as.EXPERT, input)
    const second = await createQuestion(ours.as.EXPERT, input)
    expect(second).toEqual(first)
    expect(first).toMatchObject({ version: 1, revision: 1, issues: [] })
    const { items } = await listBankQuestions(ours.as.CURATOR, { tag: 'двічі' })
    expect(items).toMatchObject([{ id: input.questionId, title: 'Столиця України?', tags: ['двічі'], complete: true }])
  })

  test('gets a version with other content, and none with other labels', async () => {
    const questionId = await addQuestion(ours.as.OWNER, 'trueFalse')
    const labelled = await updateQuestion(ours.as.OWNER, { questionId, revision: 1, labels: { difficulty: 3 } })
    expect(labelled).toMatchObject({ version: 1, revision: 2 })
    const content = { ...sampleQuestion('trueFalse'), correct: null }
    const changed = await updateQuestion(ours.as.OWNER, { questionId, revision: 2, content })
    expect(changed).toMatchObject({ version: 2, revision: 3, issues: [{ key: 'noCorrectAnswer' }] })
    expect(await getQuestion(ours.as.CURATOR, { questionId })).toMatchObject({ difficulty: 3, content, version: 2 })
  })

  test('changed by two people is refused with conflict for the second', async () => {
    const questionId = await addQuestion(ours.as.OWNER, 'single')
    const change = (title: string) =>
      updateQuestion(ours.as.OWNER, {
        questionId,
        revision: 1,
        content: { ...sampleQuestion('single'), stem: plainRichText(title) },
      })
    const results = await Promise.allSettled([change('перше'), change('друге')])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
  })

  test('of another tenant is not found', async () => {
    const questionId = await addQuestion(ours.as.OWNER, 'single')
    await expect(getQuestion(other.as.OWNER, { questionId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      updateQuestion(other.as.OWNER, { questionId, revision: 1, labels: { difficulty: 1 } }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await expect(duplicateQuestion(other.as.OWNER, { questionId, newQuestionId: newId() })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await changeQuestions(other.as.OWNER, { action: 'delete', questionIds: [questionId] })).toEqual({
      changed: 0,
    })
  })

  test('is not created by a curator or student', async () => {
    const input = { questionId: newId(), draft: { content: sampleQuestion('single') } }
    await expect(createQuestion(ours.as.CURATOR, input)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(createQuestion(ours.as.STUDENT, input)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(listBankQuestions(ours.as.STUDENT, {})).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('is copied with its labels', async () => {
    const questionId = await addQuestion(ours.as.OWNER, 'matching', { tags: ['копія'], difficulty: 1 })
    const newQuestionId = newId()
    await duplicateQuestion(ours.as.OWNER, { questionId, newQuestionId })
    await duplicateQuestion(ours.as.OWNER, { questionId, newQuestionId })
    expect((await listBankQuestions(ours.as.OWNER, { tag: 'копія' })).items).toHaveLength(2)
    expect(await getQuestion(ours.as.OWNER, { questionId: newQuestionId })).toMatchObject({
      content: sampleQuestion('matching'),
      difficulty: 1,
      version: 1,
    })
  })
})

describe('many questions', () => {
  test('are tagged, moved, deleted and restored', async () => {
    const { as } = await createTestTenant()
    const questionIds = [await addQuestion(as.OWNER, 'single'), await addQuestion(as.OWNER, 'number')]
    const bankId = newId()
    await createBank(as.OWNER, { bankId, title: 'Вступ' })
    await changeQuestions(as.OWNER, { action: 'tag', questionIds, tags: ['а', 'б'] })
    await changeQuestions(as.OWNER, { action: 'tag', questionIds, tags: ['а'] })
    await changeQuestions(as.OWNER, { action: 'untag', questionIds, tags: ['б'] })
    await changeQuestions(as.OWNER, { action: 'move', questionIds, bankId })
    expect(await listQuestionTags(as.OWNER)).toEqual([{ tag: 'а', count: 2 }])
    expect(await listBanks(as.CURATOR)).toEqual([{ id: bankId, title: 'Вступ', questions: 2 }])
    expect((await listBankQuestions(as.OWNER, { bankId, tag: 'а' })).items).toHaveLength(2)
    await changeQuestions(as.OWNER, { action: 'delete', questionIds })
    expect((await listBankQuestions(as.OWNER, {})).items).toEqual([])
    expect(await changeQuestions(as.OWNER, { action: 'restore', questionIds })).toEqual({ changed: 2 })
    await deleteBank(as.OWNER, { bankId })
    await expect(deleteBank(as.OWNER, { bankId })).rejects.toMatchObject({ code: 'not_found' })
    expect((await listBankQuestions(as.OWNER, { bankId: 'none' })).items).toHaveLength(2)
  })

  test('are listed in pages without gaps or repetitions, and found by words', async () => {
    const { as } = await createTestTenant()
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push(await addQuestion(as.OWNER, 'single', { difficulty: 1 + (n % 3) }))
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await listBankQuestions(as.OWNER, { limit: 2, ...(cursor ? { cursor } : {}) })
      seen.push(...page.items.map(({ id }) => id))
      if (!page.next) break
      cursor = page.next
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect((await listBankQuestions(as.OWNER, { q: 'столиця', difficulty: '2' })).items).toHaveLength(2)
    expect((await listBankQuestions(as.OWNER, { q: 'СТОЛИЦЯ' })).items.length).toBeGreaterThan(0)
    expect((await listBankQuestions(as.OWNER, { q: 'нема' })).items).toEqual([])
  })

  test('are not moved to a bank of another tenant', async () => {
    const bankId = newId()
    await createBank(other.as.OWNER, { bankId, title: 'Чужий' })
    const questionIds = [await addQuestion(ours.as.OWNER, 'single')]
    await expect(changeQuestions(ours.as.OWNER, { action: 'move', questionIds, bankId })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

test('banks have different titles', async () => {
  const [first, second] = [newId(), newId()]
  await createBank(ours.as.OWNER, { bankId: first, title: 'Один' })
  await createBank(ours.as.OWNER, { bankId: first, title: 'Один' })
  const titleTaken = { code: 'unprocessable', details: { fields: { title: ['bank_title_taken'] } } }
  await expect(createBank(ours.as.OWNER, { bankId: second, title: 'Один' })).rejects.toMatchObject(titleTaken)
  await createBank(ours.as.OWNER, { bankId: second, title: 'Два' })
  await expect(renameBank(ours.as.OWNER, { bankId: second, title: 'Один' })).rejects.toMatchObject(titleTaken)
})

test('an import that runs again inserts no question twice, and an export returns what was imported', async () => {
  const { as } = await createTestTenant()
  const draft = { content: sampleQuestion('ordering'), tags: ['імпорт'], difficulty: 2, locale: 'uk' as const }
  const questions = [newId(), newId()].map((questionId) => ({ questionId, draft }))
  const insert = () => inTenant(as.EXPERT, (tx) => insertQuestionRows(tx, as.EXPERT, null, questions))
  expect(await insert()).toHaveLength(2)
  expect(await insert()).toEqual([])
  const exported = await loadQuestionDrafts(as.CURATOR, { bankId: null })
  expect(exported.map(({ draft }) => draft)).toEqual([draft, draft])
})
