import { buffer } from 'node:stream/consumers'
import { getTableColumns, type Table } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { srcOf } from '#lib/core/shared/lesson-doc.ts'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { addModule, getOutline } from '#lib/course/outline/outline.ts'
import { openBundle } from '#lib/homework/task/bundle.ts'
import { createBank, listBanks } from '#lib/quiz/bank/banks.ts'
import { loadQuestionDrafts } from '#lib/quiz/bank/transfer.ts'
import { QuestionContent } from '#lib/quiz/question/schema.ts'
import { question } from '#lib/quiz/question/table.ts'
import { createQuiz, getQuiz, publishQuiz } from '#lib/quiz/quiz.ts'
import { quiz, quizSection } from '#lib/quiz/table.ts'
import { BundleQuestion, BundleQuiz, BundleSection } from '#lib/quiz/transfer/course/bundle-schema.ts'
import { PIXEL, zipOf } from '../../../../setup/course/packages.ts'
import { imported } from '../../../../setup/course/transfers.ts'
import { createCourse } from '../../../../setup/parsed/course.ts'
import { addLesson } from '../../../../setup/parsed/course-outline.ts'
import { createQuestion, listQuizzes, setSections, updateQuiz } from '../../../../setup/quiz/parsed.ts'
import { sampleQuestion } from '../../../../setup/quiz/questions.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../../setup/tenants.ts'
import { unzipFiles } from '../../../../setup/unzip.ts'
import { uploadFile } from '../../../../setup/uploads.ts'
import { questionDraft } from '../arbitrary-questions.ts'

let ours: TestTenant
let courseId: string
let quizId: string
let bundle: Buffer<ArrayBuffer>
beforeAll(async () => {
  ours = await createTestTenant()
  ;({ courseId, quizId } = await courseWithTest(ours.as.EXPERT))
  bundle = await exported(ours.as.EXPERT, courseId)
})
afterAll(() => closeWorkers())

/** A course with a lesson that shows a test: all types, an image, a random section of a bank, settings of every kind. */
async function courseWithTest(author: Actor) {
  const { courseId } = await createCourse(author, { title: 'Курс із тестом' })
  const { id: fileId } = await uploadFile(author, 'Мапа.png', new Uint8Array(PIXEL))
  const image = { type: 'image', attrs: { src: srcOf(fileId), alt: 'Мапа' } }
  const questionIds: string[] = []
  for (const type of QUESTION_TYPES) {
    const sample = sampleQuestion(type)
    const stem = { ...sample.stem, content: [...sample.stem.content, image] }
    const content = QuestionContent.parse({ ...sample, stem, ...(type === 'hotspot' ? { imageFileId: fileId } : {}) })
    const questionId = newId()
    await createQuestion(author, { questionId, draft: { content, tags: ['своя'], difficulty: 3, locale: 'en' } })
    questionIds.push(questionId)
  }
  const bankId = newId()
  await createBank(author, { bankId, title: 'Банк' })
  for (let count = 0; count < 3; count += 1) {
    const draft = { content: sampleQuestion('trueFalse'), tags: ['легке'], difficulty: 1 }
    await createQuestion(author, { questionId: newId(), bankId, draft })
  }
  const quizId = newId()
  await createQuiz(author, { quizId, courseId, title: 'Підсумковий' })
  const { revision } = await updateQuiz(author, {
    quizId,
    revision: 1,
    settings: {
      intro: { type: 'doc', content: [image] },
      openAt: '2027-01-01T00:00:00.000Z',
      closeAt: '2027-02-01T00:00:00.000Z',
      timeLimitSec: 1800,
      onExpiry: 'graceSubmit',
      graceSec: 90,
      networkGraceSec: 20,
      attempts: 2,
      delayMinutes: 15,
      gradeOf: 'average',
      passPercent: 70,
      shuffleQuestions: true,
      shuffleOptions: false,
      perPage: 3,
      navigation: 'forward',
      feedback: 'afterClose',
      show: { score: false, correctness: true, correctAnswers: true, explanations: false },
      gradeBands: [{ fromPercent: 80, text: 'Чудово' }],
      negativeMarking: true,
      partialCredit: false,
      password: 'слово',
      required: false,
    },
  })
  await setSections(author, {
    quizId,
    revision,
    sections: [
      {
        id: newId(),
        pick: 'fixed',
        title: 'Усі типи',
        questions: questionIds.map((questionId, index) => ({ questionId, points: index === 0 ? 2.5 : null })),
      },
      { id: newId(), pick: 'random', title: 'З банку', bankId, tags: ['легке'], difficulty: 1, count: 2, points: 1.5 },
    ],
  })
  await publishQuiz(author, { quizId })
  const { moduleId } = await addModule(author, { courseId, title: 'Модуль' })
  const blocks = { type: 'doc' as const, content: [{ type: 'test', attrs: { testId: quizId } }] }
  await addLesson(author, { moduleId, title: 'Урок', blocks })
  return { courseId, quizId }
}

async function exported(actor: Actor, id: string): Promise<Buffer<ArrayBuffer>> {
  const { body, size } = await openBundle(actor, { courseId: id })
  const bytes = Buffer.from(await buffer(body))
  expect(bytes.length).toBe(size)
  return bytes
}

const jsonOf = (zip: Buffer) => JSON.parse(unzipFiles(zip)['course.json']?.toString() ?? '')

/** The tests, questions, banks and lessons of a bundle with ids by their first occurrence, and the bytes of its files. */
function contentOf(zip: Buffer) {
  const members = unzipFiles(zip)
  const { quizzes, questions, questionBanks, modules, files } = jsonOf(zip)
  const ids = new Map<string, string>()
  const named = JSON.stringify({ modules, quizzes, questions, questionBanks }).replace(
    /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    (id) => ids.get(id) ?? ids.set(id, `id-${ids.size}`).get(id) ?? '',
  )
  const bytes = files.map(({ id, path }: { id: string; path: string }) => [ids.get(id), members[path]?.toString('hex')])
  return { ...JSON.parse(named), files: bytes.toSorted() }
}

async function importedInto(tenant: TestTenant, zip: Buffer<ArrayBuffer>) {
  const transfer = await imported(tenant.as.EXPERT, 'курс.zip', zip)
  expect(transfer.failure).toBeNull()
  return { ...transfer, courseId: transfer.courseId ?? '' }
}

describe('a course bundle with a test', () => {
  test('is imported into another school unchanged: settings, sections, questions, banks and their files', async () => {
    const other = await createOtherTenant()
    const made = await importedInto(other, bundle)
    expect(made.report?.tests).toEqual([
      {
        kind: 'test',
        title: 'Підсумковий',
        verdict: 'imported',
        reasons: [],
        counts: { imported: QUESTION_TYPES.length + 2, changed: 0, skipped: 0 },
        questions: [],
        moreQuestions: 0,
      },
    ])
    expect(contentOf(await exported(other.as.OWNER, made.courseId))).toEqual(contentOf(bundle))
    const { items } = await listQuizzes(other.as.EXPERT, { courseId: made.courseId })
    const arrived = await getQuiz(other.as.EXPERT, { quizId: items[0]?.id ?? '' })
    expect(arrived).toMatchObject({ status: 'published', issues: [], passPercent: 70 })
    expect(arrived.id).not.toBe(quizId)
    const [module] = await getOutline(other.as.EXPERT, { courseId: made.courseId })
    const lesson = await getLesson(other.as.EXPERT, { lessonId: module?.lessons[0]?.id ?? '' })
    expect(lesson.blocks.content).toEqual([{ type: 'test', attrs: { testId: arrived.id } }])
  })

  test('uses the questions and banks of its own school again, and not those that were edited since', async () => {
    const before = await loadQuestionDrafts(ours.as.EXPERT, { quizId })
    const again = await importedInto(ours, bundle)
    const { items } = await listQuizzes(ours.as.EXPERT, { courseId: again.courseId })
    const copy = await loadQuestionDrafts(ours.as.EXPERT, { quizId: items[0]?.id ?? '' })
    expect(copy.map(({ questionId }) => questionId)).toEqual(before.map(({ questionId }) => questionId))
    expect((await listBanks(ours.as.EXPERT)).map(({ title }) => title)).toEqual(['Банк'])
    const json = jsonOf(bundle)
    for (const entry of json.questions) if (entry.bankId) entry.difficulty = 2
    const changed = await importedInto(ours, repacked(json))
    const banks = await listBanks(ours.as.EXPERT)
    expect(banks.map(({ title, questions }) => [title, questions])).toEqual([
      ['Банк', 3],
      ['Банк (2)', 3],
    ])
    const [second] = (await listQuizzes(ours.as.EXPERT, { courseId: changed.courseId })).items
    const { sections } = await getQuiz(ours.as.EXPERT, { quizId: second?.id ?? '' })
    expect(sections[1]?.bankId).toBe(banks[1]?.id)
  })

  test('is refused as a whole when a test is damaged', async () => {
    const json = jsonOf(bundle)
    json.quizzes[0].sections[0].questions[0].points = -1
    const before = (await listQuizzes(ours.as.EXPERT, {})).items.length
    const transfer = await imported(ours.as.EXPERT, 'зламаний.zip', repacked(json))
    expect(transfer).toMatchObject({ state: 'failed', failure: { fields: { file: ['bundle_damaged'] } } })
    expect(transfer.failure?.variables.path).toContain('quizzes.0.sections.0.questions.0.points')
    expect((await listQuizzes(ours.as.EXPERT, {})).items).toHaveLength(before)
  })

  test('without a file of a question arrives as a draft, and reports the file', async () => {
    const json = jsonOf(bundle)
    for (const file of json.files) file.path = 'files/none'
    const other = await createOtherTenant()
    const made = await importedInto(other, repacked(json))
    expect(made.report?.notes).toMatchObject([{ kind: 'fileMissing' }])
    expect((await listQuizzes(other.as.EXPERT, { courseId: made.courseId })).items).toMatchObject([{ status: 'draft' }])
  })

  test('gives back arbitrary questions of a test', { timeout: 120_000 }, async () => {
    const other = await createOtherTenant()
    await fc.assert(
      fc.asyncProperty(fc.array(questionDraft, { minLength: 20, maxLength: 40 }), async (drafts) => {
        const json = jsonOf(bundle)
        const entries = drafts.map((draft) => ({ ...draft, id: newId(), bankId: null }))
        json.questions = entries
        json.questionBanks = []
        const questions = entries.map(({ id }) => ({ questionId: id, points: null }))
        json.quizzes[0].sections = [{ pick: 'fixed', title: '', questions }]
        const { courseId: id } = await importedInto(other, repacked(json))
        const [row] = (await listQuizzes(other.as.EXPERT, { courseId: id })).items
        const arrived = await loadQuestionDrafts(other.as.EXPERT, { quizId: row?.id ?? '' })
        expect(arrived.map(({ draft }) => draft)).toEqual(JSON.parse(JSON.stringify(drafts)))
      }),
      { numRuns: 3 },
    )
  })

  test.each<[string, Table, readonly string[], readonly string[]]>([
    [
      'test',
      quiz,
      Object.keys(BundleQuiz.shape),
      ['courseId', 'revision', 'authorId', 'createdAt', 'updatedAt', 'deletedAt'],
    ],
    ['section', quizSection, BundleSection.options.flatMap((option) => keysOf(option)), ['quizId', 'position']],
    [
      'question',
      question,
      keysOf(BundleQuestion),
      [
        'type',
        'version',
        'title',
        'points',
        'complete',
        'revision',
        'authorId',
        'createdAt',
        'updatedAt',
        'deletedAt',
        'search',
      ],
    ],
  ])('exports every column of a %s, or lists it as omitted', (_, table, carried, left) => {
    const columns = Object.keys(getTableColumns(table)).filter((name) => name !== 'tenantId' && name !== 'id')
    expect(columns.filter((name) => !carried.includes(name)).sort()).toEqual([...left].sort())
  })
})

const keysOf = (shape: z.ZodObject): string[] => Object.keys(shape.shape)

function repacked(json: unknown): Buffer<ArrayBuffer> {
  const members = Object.entries(unzipFiles(bundle)).filter(([name]) => name !== 'course.json')
  return zipOf([
    { name: 'course.json', bytes: JSON.stringify(json) },
    ...members.map(([name, bytes]) => ({ name, bytes })),
  ])
}
