import reactRenderer from '@astrojs/react/server.js'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { cancelQuestionImport } from '#lib/quiz/transfer/import-job/question-import.ts'
import { storeQuestionFile } from '#lib/quiz/transfer/transfer.ts'
import { imported } from '../../setup/course/transfers.ts'
import { cartridgeWithTest } from '../../setup/quiz/cartridge-quizzes.ts'
import { importQuestions } from '../../setup/quiz/imports.ts'
import { startQuestionImport } from '../../setup/quiz/parsed.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

type Component = Parameters<AstroContainer['renderToString']>[0]

// By a pattern, because the type checker of this file does not support .astro files.
const COMPONENTS = import.meta.glob<{ default: Component }>(
  '../../../src/pages/{courses/_questions/QuestionImport,course/_transfer/TransferCard,course/_quiz/print/QuizPrint}.astro',
  { eager: true },
)
const container = await AstroContainer.create()
container.addServerRenderer({ name: '@astrojs/react', renderer: reactRenderer })
const form = { to: null, status: 200, message: null, errors: {}, typed: {}, values: {}, intent: null }

let school: TestTenant
beforeAll(async () => {
  school = await createTestTenant()
})
afterAll(() => closeWorkers())

function render(name: string, props: object, path = '/'): Promise<string> {
  const component = COMPONENTS[`../../../src/pages/${name}.astro`]
  if (!component) throw new Error(`there is no component ${name}`)
  const request = new Request(`http://school.kafedra.localhost${path}`)
  const all = { t: getTranslator('en'), locale: 'en', form, actor: school.as.EXPERT, ...props }
  return container.renderToString(component.default, { props: all, request })
}

const store = (text: string) =>
  storeQuestionFile(school.as.EXPERT, { bytes: new TextEncoder().encode(text), fileName: 'questions.txt' })

test('the page of an import shows its progress, its end and the verdict on each question', async () => {
  const { fileId } = await store('Earth is round{T}\n\nBroken {=a ~\n')
  const { importId } = await startQuestionImport(school.as.EXPERT, { fileId })
  const path = `/courses?questions=import&import=${importId}`
  const waiting = await render('courses/_questions/QuestionImport', {}, path)
  expect(waiting).toContain('Waiting in the queue')
  expect(waiting).toContain('value="cancelImport"')
  await importQuestions(school.as.EXPERT, { fileId })
  const done = await render('courses/_questions/QuestionImport', {}, path)
  for (const text of ['1 question added', 'Earth is round', 'Unchanged: 1', 'Skipped: 1', 'syntax error'])
    expect(done).toContain(text)
  expect(done).not.toContain('data-question-import')
  expect(await render('courses/_questions/QuestionImport', {})).toContain('Recent imports')
})

test('the page of a canceled import says that nothing was added', async () => {
  const { fileId } = await store('Water is wet{T}\n')
  const { importId } = await startQuestionImport(school.as.EXPERT, { fileId })
  await cancelQuestionImport(school.as.EXPERT, { importId })
  const page = await render('courses/_questions/QuestionImport', {}, `/courses?questions=import&import=${importId}`)
  expect(page).toContain('No questions were added')
})

test('the report of a course import names each test and bank with its verdict and skipped questions', async () => {
  const transfer = await imported(school.as.EXPERT, 'course.imscc', cartridgeWithTest())
  const card = await render('course/_transfer/TransferCard', { transfer, timeZone: 'Europe/Kyiv', open: true })
  for (const text of [
    'Tests and question banks',
    'Перевірка',
    'Банк географії',
    'We don’t support calculated questions with variables',
  ])
    expect(card).toContain(text)
})

test('the print tab leads to the PDF of a variant and to the files of the test', async () => {
  const quizId = newId()
  const tab = await render('course/_quiz/print/QuizPrint', { quizId })
  expect(tab).toContain(`action="/v1/tests/${quizId}.pdf"`)
  expect(tab).toContain(`/v1/questions/export.qti30?test=${quizId}`)
})
