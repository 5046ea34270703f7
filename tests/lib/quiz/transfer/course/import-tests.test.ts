import { afterAll, describe, expect, test } from 'vitest'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { getOutline } from '#lib/course/outline/outline.ts'
import { listBanks } from '#lib/quiz/bank/banks.ts'
import { loadQuestionDrafts } from '#lib/quiz/bank/transfer.ts'
import { plainTextOf } from '#lib/quiz/question/rich-text-schema.ts'
import { getQuiz } from '#lib/quiz/quiz.ts'
import { imported } from '../../../../setup/course/transfers.ts'
import { cartridgeWithTest } from '../../../../setup/quiz/cartridge-quizzes.ts'
import { moodleQuizPackage } from '../../../../setup/quiz/moodle-quizzes.ts'
import { listQuizzes } from '../../../../setup/quiz/parsed.ts'
import { createTestTenant } from '../../../../setup/tenants.ts'

afterAll(() => closeWorkers())

/** Imports a package into an empty school; gives its only test as the editor shows it. */
async function importedTest(name: string, bytes: Buffer<ArrayBuffer>) {
  const { as } = await createTestTenant()
  const author = as.EXPERT
  const transfer = await imported(author, name, bytes)
  const courseId = transfer.courseId ?? ''
  const { items } = await listQuizzes(author, { courseId })
  const quizId = items[0]?.id ?? ''
  const outline = await getOutline(author, { courseId })
  const lessons = await Promise.all(
    outline.flatMap((module) => module.lessons).map(({ id }) => getLesson(author, { lessonId: id })),
  )
  const quiz = await getQuiz(author, { quizId })
  const questions = await loadQuestionDrafts(author, { quizId })
  const rules = outline.flatMap((module) => module.lessons).map(({ completionRule }) => completionRule)
  return { author, transfer, quiz, questions, lessons, rules, tests: items.length }
}

describe.each([3, 4] as const)('a backup of Moodle %i', (moodle) => {
  test('brings its quiz as a test in a lesson, with settings, sections, random questions and grades', async () => {
    const made = await importedTest('курс.mbz', await moodleQuizPackage(moodle))
    expect(made.transfer).toMatchObject({ state: 'done', failure: null })
    expect(made.quiz).toMatchObject({
      title: 'Контрольна',
      status: 'draft',
      openAt: new Date('2026-01-01T00:00:00Z'),
      closeAt: null,
      timeLimitSec: 1800,
      onExpiry: 'graceSubmit',
      graceSec: 120,
      attempts: 3,
      delayMinutes: 10,
      gradeOf: 'last',
      passPercent: 75,
      shuffleQuestions: true,
      perPage: 2,
      navigation: 'forward',
      feedback: 'afterClose',
      show: { score: true, correctness: true, correctAnswers: true, explanations: false },
      gradeBands: [{ fromPercent: 80, text: 'Чудово' }],
      password: 'слово',
    })
    expect(made.quiz.intro && plainTextOf(made.quiz.intro)).toBe('Умови контрольної')
    const banks = await listBanks(made.author)
    expect(banks.map(({ title, questions }) => [title, questions])).toEqual([
      ['Випадкові', 1],
      ['Основна', 6],
    ])
    expect(
      made.quiz.sections.map(({ title, pick, count, points, questions, bankId }) => ({
        title,
        pick,
        drawn: pick === 'random' ? [count, points, banks.find(({ id }) => id === bankId)?.title] : [],
        points: questions.map((entry) => entry.points),
      })),
    ).toEqual([
      { title: 'Частина А', pick: 'fixed', drawn: [], points: [1.5, 1.5, 1.5] },
      { title: 'Частина Б', pick: 'fixed', drawn: [], points: [1.5, 1.5] },
      { title: '', pick: 'random', drawn: [2, 1.5, 'Випадкові'], points: [] },
    ])
  })

  test('brings its questions with keys, images, tags and parts of Cloze texts', async () => {
    const made = await importedTest('курс.mbz', await moodleQuizPackage(moodle))
    const contents = made.questions.map(({ draft }) => draft.content)
    expect(contents).toMatchObject([
      { type: 'single', shuffle: false, options: [{ fraction: 1 }, { fraction: 0 }] },
      { type: 'trueFalse', correct: true },
      { type: 'number', accepted: [{ value: '3.14', tolerance: '0.01' }] },
      { type: 'matching', prompts: [{ choiceId: 'c1' }, { choiceId: 'c2' }] },
      { type: 'gapText', gaps: [{ accepted: [{ text: 'стогне', fraction: 1 }] }] },
    ])
    expect(JSON.stringify(contents[0]?.stem)).toMatch(/"src":"\/v1\/file\/[0-9a-f-]{36}"/)
    expect(made.questions[0]?.draft.tags).toEqual(['Гео'])
    const bank = (await listBanks(made.author)).find(({ title }) => title === 'Випадкові')
    const [author] = await loadQuestionDrafts(made.author, { bankId: bank?.id ?? null })
    expect(author && plainTextOf(author.draft.content.stem)).toBe('Автор')
  })

  test('names the test and the banks in its report, with the questions that were changed or skipped', async () => {
    const { transfer } = await importedTest('курс.mbz', await moodleQuizPackage(moodle))
    expect(transfer.report?.notes).toEqual([])
    expect(transfer.report).toMatchObject({ source: { found: 2, imported: 2, listed: 0 }, imported: { test: 1 } })
    const [bank, drawn, quiz] = transfer.report?.tests ?? []
    expect(bank).toMatchObject({
      kind: 'bank',
      title: 'Основна',
      verdict: 'changed',
      counts: { imported: 5, changed: 1, skipped: 1 },
      questions: [
        { title: 'Питання 6', verdict: 'changed', reasons: ['type_changed'] },
        { title: 'Питання 7', verdict: 'skipped', reasons: ['calculated_unsupported'] },
      ],
    })
    expect(drawn).toMatchObject({ kind: 'bank', title: 'Випадкові', verdict: 'imported' })
    expect(quiz).toMatchObject({
      kind: 'test',
      title: 'Контрольна',
      verdict: 'changed',
      counts: { imported: 5, changed: 0, skipped: 1 },
      questions: [{ title: 'Питання 7' }],
    })
  })

  test('shows the test in its lesson, which is completed by passing it, and keeps links to it', async () => {
    const { lessons, quiz, rules } = await importedTest('курс.mbz', await moodleQuizPackage(moodle))
    const [withTest, page] = lessons
    expect(withTest?.blocks.content).toEqual([{ type: 'test', attrs: { testId: quiz.id } }])
    expect(rules).toEqual([{ mode: 'testPassed' }, { mode: 'manual' }])
    expect(JSON.stringify(page?.blocks)).toContain(`/course/lesson/${withTest?.id}`)
  })
})

describe('a cartridge', () => {
  test('brings a test of Canvas once, with its settings, groups, banks and images', async () => {
    const made = await importedTest('курс.imscc', cartridgeWithTest())
    expect(made.tests).toBe(1)
    expect(made.quiz).toMatchObject({
      title: 'Перевірка',
      timeLimitSec: 1200,
      attempts: null,
      gradeOf: 'average',
      perPage: 1,
      navigation: 'forward',
      password: 'Канвас',
      openAt: new Date('2026-09-01T06:00:00Z'),
      closeAt: new Date('2026-09-08T06:00:00Z'),
      show: { correctAnswers: false },
    })
    const banks = new Map((await listBanks(made.author)).map(({ id, title, questions }) => [id, [title, questions]]))
    expect(
      made.quiz.sections.map(({ pick, title, count, points, bankId, questions }) => [
        pick,
        title,
        ...(pick === 'random' ? [count, points, ...(banks.get(bankId ?? '') ?? [])] : questions.map((q) => q.points)),
      ]),
    ).toEqual([
      ['fixed', '', 2],
      ['random', 'Група 1', 1, 3, 'Банк географії', 2],
      ['random', 'Група 2', 2, 3, 'Перевірка: Група 2', 3],
      ['fixed', '', 1],
    ])
    expect(JSON.stringify(made.questions[0]?.draft.content.stem)).toMatch(/"src":"\/v1\/file\/[0-9a-f-]{36}"/)
    expect(made.lessons[1]?.blocks.content).toEqual([{ type: 'test', attrs: { testId: made.quiz.id } }])
    expect(JSON.stringify(made.lessons[0]?.blocks)).toContain(`/course/lesson/${made.lessons[1]?.id}`)
    expect(made.transfer.report).toMatchObject({ source: { found: 5, imported: 5, listed: 0 }, notes: [] })
    expect(made.transfer.report?.tests).toMatchObject([
      { kind: 'test', title: 'Перевірка', verdict: 'changed', counts: { imported: 5, skipped: 1 } },
      { kind: 'bank', title: 'Банк географії', verdict: 'imported', counts: { imported: 2 } },
    ])
  })

  test('with an entity in a test is refused', async () => {
    const { as } = await createTestTenant()
    const transfer = await imported(as.EXPERT, 'курс.imscc', cartridgeWithTest({ isHostile: true }))
    expect(transfer).toMatchObject({ state: 'failed', courseId: null, failure: { fields: { file: ['import_xml'] } } })
    expect((await listQuizzes(as.EXPERT, {})).items).toEqual([])
  })
})
