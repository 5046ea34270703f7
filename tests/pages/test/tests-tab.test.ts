import reactRenderer from '@astrojs/react/server.js'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { getCourse } from '#lib/course/course.ts'
import { quizAttempt } from '#lib/quiz/attempt/table.ts'
import { getQuiz } from '#lib/quiz/quiz.ts'
import { loadTestsTab } from '../../../src/pages/course/_quiz/load-tests-tab.ts'
import { quizActions } from '../../../src/pages/course/_quiz/quiz-actions.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { addQuestion, addQuiz } from '../../setup/quiz/quizzes.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

type Component = Parameters<AstroContainer['renderToString']>[0]

// By a pattern, because the type checker of this file does not support .astro files.
const COMPONENTS = import.meta.glob<{ default: Component }>('../../../src/pages/course/_quiz/TestsTab.astro', {
  eager: true,
})
const t = getTranslator('uk')
const NO_FORM = { to: null, status: 200, message: null, errors: {}, typed: {}, values: {}, intent: null }

let container: AstroContainer
let ours: TestTenant
let courseId: string
beforeAll(async () => {
  container = await AstroContainer.create()
  container.addServerRenderer({ name: '@astrojs/react', renderer: reactRenderer })
  container.addClientRenderer({ name: '@astrojs/react', entrypoint: '@astrojs/react/client.js' })
  ours = await createTestTenant()
  courseId = (await createCourse(ours.as.OWNER, { title: 'Курс' })).courseId
})

/** The tests tab of the course for an actor. */
async function show(query: string, actor: Actor = ours.as.EXPERT): Promise<string> {
  const component = Object.values(COMPONENTS)[0]
  if (!component) throw new Error('there is no tests tab')
  const course = await getCourse(actor, { courseId })
  const request = new Request(`https://school.test/course/edit/${courseId}?tab=tests${query}`)
  const data = await loadTestsTab(actor, { courseId, params: new URL(request.url).searchParams })
  const props = { actor, t, locale: 'uk', course, form: NO_FORM, data }
  return container.renderToString(component.default, { props, request })
}

/** Posts a form of the tab; returns the path of the redirect. */
async function post(
  intent: string,
  fields: Record<string, string | readonly string[]>,
  actor: Actor = ours.as.EXPERT,
): Promise<string> {
  const actions = quizActions(actor, courseId, new URL(`https://school.test/course/edit/${courseId}?tab=tests`))
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value)
  const run = new Map(Object.entries(actions)).get(intent)
  if (!run) throw new Error(`there is no intent ${intent}`)
  return run(form)
}

test('tests and questions of the school are listed, for authors with forms', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
  const list = await show('')
  expect(list).toContain(`quiz=${quizId}`)
  expect(list).toContain('value="createQuiz"')
  const bank = await show('&view=bank')
  expect(bank).toContain('Столиця України?')
  expect(bank).toContain('value="deleteQuestions"')
  const read = await show('&view=bank', ours.as.CURATOR)
  expect(read).toContain('Столиця України?')
  expect(read).not.toContain('value="deleteQuestions"')
})

test('each part of a test is shown, and its preview has its questions', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single', 'matching', 'gapSelect', 'hotspot', 'scale'])
  for (const part of ['', '&part=settings', '&part=overrides'])
    expect(await show(`&quiz=${quizId}${part}`)).toContain('Тест')
  const preview = await show(`&quiz=${quizId}&preview=1`)
  expect(preview).toContain('Столиця України?')
  expect(preview).toContain('value="checkPreview"')
})

test('a question is shown in its editor, for curators as students see it', async () => {
  const questionId = await addQuestion(ours.as.OWNER, 'ordering')
  expect(await show(`&question=${questionId}`)).toContain('astro-island')
  expect(await show(`&question=${questionId}`, ours.as.CURATOR)).toContain('question-preview')
})

test('forms create a test with random questions and report a pool that is too small', async () => {
  const quizId = newId()
  expect(await post('createQuiz', { quizId, title: 'Підсумок' })).toContain(quizId)
  const sectionId = newId()
  await post('addSection', { quizId, revision: '1', sectionId, pick: 'random' })
  const section = { quizId, sectionId, title: 'Випадкові', count: '7', tags: 'немає, такої' }
  await post('saveSection', { ...section, revision: '2' })
  await expect(post('saveSection', { ...section, revision: '2' })).rejects.toMatchObject({ code: 'conflict' })
  expect(await getQuiz(ours.as.EXPERT, { quizId })).toMatchObject({
    sections: [{ title: 'Випадкові', count: 7, tags: ['немає', 'такої'] }],
    issues: [{ key: 'randomPoolTooSmall', available: 0, needed: 7 }],
  })
  expect(await show(`&quiz=${quizId}`)).toContain('Замало запитань за цими умовами: є 0, потрібно 7.')
  await expect(post('publishQuiz', { quizId })).rejects.toMatchObject({ code: 'not_ready' })
})

test('chosen questions are added once, ordered and removed', async () => {
  const { quizId, questionIds } = await addQuiz(ours.as.OWNER, courseId, ['single', 'number'])
  const { sections } = await getQuiz(ours.as.EXPERT, { quizId })
  const shared = { quizId, sectionId: sections[0]?.id ?? '' }
  const [first = '', second = ''] = questionIds
  await post('addToSection', { ...shared, revision: '2', questionId: first })
  await post('moveInSection', { ...shared, revision: '3', questionId: first, by: '1' })
  const order = async () =>
    (await getQuiz(ours.as.EXPERT, { quizId })).sections[0]?.questions.map((row) => row.questionId)
  expect(await order()).toEqual([second, first])
  await post('removeFromSection', { ...shared, revision: '4', questionId: second })
  expect(await order()).toEqual([first])
})

test('settings of a form are saved in their units, and wrong ones are refused by field', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
  const fields = {
    quizId,
    version: '2',
    title: 'Змінено',
    timeLimit: '1,5',
    passPercent: '70',
    band0From: '50',
    band0Text: 'Добре',
  }
  await post('saveQuiz', fields)
  expect(await getQuiz(ours.as.EXPERT, { quizId })).toMatchObject({
    title: 'Змінено',
    timeLimitSec: 90,
    attempts: null,
    gradeBands: [{ fromPercent: 50, text: 'Добре' }],
    show: { score: false },
  })
  await expect(post('saveQuiz', { ...fields, version: '3', passPercent: '170' })).rejects.toThrow('passPercent')
})

test('a curator changes nothing', async () => {
  const fields = { quizId: newId(), title: 'Тест' }
  await expect(post('createQuiz', fields, ours.as.CURATOR)).rejects.toMatchObject({ code: 'forbidden' })
})

test('selected questions are tagged, moved, deleted and restored by one form each, and found by their tag', async () => {
  const questionId = [await addQuestion(ours.as.OWNER, 'number'), await addQuestion(ours.as.OWNER, 'scale')]
  const bankId = newId()
  await post('createQuestionBank', { bankId, title: 'Модуль 1' })
  await post('tagQuestions', { questionId, tags: 'дихання, опора ,' })
  await post('untagQuestions', { questionId, tags: 'опора' })
  await post('moveQuestions', { questionId, toBank: bankId })
  const found = await show(`&view=bank&bankId=${bankId}&tag=${encodeURIComponent('дихання')}`)
  for (const id of questionId) expect(found).toContain(`question=${id}`)
  expect(found).toContain('дихання (2)')
  expect(found).not.toContain('опора (')
  const after = await post('deleteQuestions', { questionId })
  expect(await show(`&view=bank&bankId=${bankId}`)).not.toContain(`question=${questionId[0]}`)
  await post('restoreQuestions', { ids: new URL(after, 'https://school.test').searchParams.get('ids') ?? '' })
  expect(await show(`&view=bank&q=${encodeURIComponent('дихання')}`)).toContain(`question=${questionId[1]}`)
})

test('an exception of a form is saved for a student in its units, shown as text, and removed', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
  const target = `student:${ours.as.STUDENT.membershipId}`
  await expect(post('addOverride', { quizId, target: '' })).rejects.toMatchObject({ code: 'invalid' })
  await post('addOverride', { quizId, target, extraAttempts: '2', extraMinutes: '7,5', timeLimit: '45' })
  const [override] = (await getQuiz(ours.as.EXPERT, { quizId })).overrides
  expect(override).toMatchObject({ extraAttempts: 2, extraTimeSec: 450, timeLimitSec: 2700 })
  expect(await show(`&quiz=${quizId}&part=overrides`)).toContain('додаткових спроб: 2')
  await post('removeOverride', { quizId, overrideId: override?.id ?? '' })
  expect((await getQuiz(ours.as.EXPERT, { quizId })).overrides).toEqual([])
})

test('typed text of sections, settings and exceptions is kept as a draft of its own, until its form was saved', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
  const sectionId = (await getQuiz(ours.as.EXPERT, { quizId })).sections[0]?.id ?? ''
  const keysOf = (page: string) => [...page.matchAll(/data-draft-key="([^"]+)"/g)].map(([, key]) => key)
  expect(keysOf(await show(`&quiz=${quizId}`))).toEqual([`quiz/section/${sectionId}`])
  expect(keysOf(await show(`&quiz=${quizId}&part=settings`))).toEqual([`quiz/settings/${quizId}`])
  expect(keysOf(await show(`&quiz=${quizId}&part=overrides`))).toEqual([`quiz/override/${quizId}`])
  expect(await show(`&quiz=${quizId}`)).not.toContain('data-saved')
  const after = await post('saveSection', { quizId, sectionId, revision: '2', title: 'Основи' })
  expect(await show(after.slice(after.indexOf('&quiz=')))).toContain('data-saved')
})

test('the preview stores nothing', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single', 'essay'])
  await show(`&quiz=${quizId}&preview=1`)
  const rows = await inTenant(ours.as.OWNER, (tx) => tx.select().from(quizAttempt))
  expect(rows).toEqual([])
})

test('a curator of another course is refused the results of a test, but not its questions', async () => {
  const { quizId } = await addQuiz(ours.as.OWNER, courseId, ['single'])
  for (const part of ['attempts', 'analysis', 'regrade'])
    expect(await show(`&quiz=${quizId}&part=${part}`, ours.as.CURATOR)).toContain(t('analysis:denied'))
  expect(await show(`&quiz=${quizId}&part=attempts`)).toContain(t('analysis:list.empty'))
  expect(await show(`&quiz=${quizId}&part=sections`, ours.as.CURATOR)).toContain('Столиця України?')
})
