import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { QuestionType } from '#lib/core/shared/quiz.ts'
import { startAttempt, submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { getAttempt } from '#lib/quiz/attempt/attempt-state.ts'
import { seededRandom } from '#lib/quiz/attempt/shuffle.ts'
import { quizAnswer, quizAttempt } from '#lib/quiz/attempt/table.ts'
import { scoreAnswer } from '#lib/quiz/scoring/score.ts'
import { shownAnswer } from '../../../setup/quiz/attempts.ts'
import { sampleQuestion } from '../../../setup/quiz/questions.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { type ChaosDevice, type ChaosServer, type ChaosTab, createDevice, type Weather } from './chaos-device.ts'

/*
 * No failure of a student's devices during an attempt loses an answer that was typed or acknowledged before the
 * deadline, creates a second attempt, or changes the score of the saved answers. A seed determines each run; `npm test`
 * runs the first ones, `npm run soak -- attempts` all of them (CHAOS_RUNS).
 */
const RUNS = Number(process.env.CHAOS_RUNS ?? 8)
const STEPS = 40
const TYPES: readonly QuestionType[] = ['essay', 'shortText', 'single']

let ours: TestTenant
let quizId = ''
let questionIds: string[] = []
/** The server's clock; each attempt ends an hour after its start. */
let serverTime = Date.now()
beforeAll(async () => {
  ours = await createTestTenant()
  const offered = await offerQuiz(ours, TYPES, { timeLimitSec: 3600, networkGraceSec: 15 })
  quizId = offered.quizId
  questionIds = offered.questionIds
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function runChaos(seed: number, forgetful = false) {
  const browser = new EventTarget()
  vi.stubGlobal('window', browser)
  const clock = { offsetMs: 0 }
  const { now: trueNow } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + clock.offsetMs)
  const random = seededRandom(seed)
  const pick = (below: number) => Math.floor(random() * below)
  const actor = ours.as.STUDENT
  serverTime += 2 * 3_600_000
  const startedAt = new Date(serverTime)
  const { attemptId } = await startAttempt(actor, { quizId, attemptId: newId(), password: '' }, startedAt)
  const questions = TYPES.map((type, index) => ({ type, questionId: questionIds[index] ?? '' }))
  const options = await Promise.all(
    ['a', 'b', 'c'].map((optionId) =>
      shownAnswer(actor, { attemptId, questionId: questionIds[2] ?? '' }, { type: 'single', optionId }),
    ),
  )
  const server: ChaosServer = { actor, attemptId, questions, now: startedAt, isDown: false }
  const devices = [createDevice(server, { forgetful }), createDevice(server, { forgetful })]
  for (const device of devices) await device.openTab()
  const typed: string[] = []

  for (let step = 0; step < STEPS; step += 1) {
    const device = devices[pick(2)]
    if (device) await happen(device)
    await pause(pick(6))
  }
  await settle()
  // The deadline passes while the last text is being saved.
  const [device] = devices
  const [tab] = device?.tabs ?? []
  if (tab) type(tab, questionIds[0] ?? '')
  server.now = new Date(server.now.getTime() + 3600_000 + 2000)
  for (const { sheet } of devices.flatMap(({ tabs }) => tabs)) sheet.endConflicts()
  await settle()
  const receipt = await submitAttempt(actor, { attemptId }, server.now)
  const saved = (await getAttempt(actor, { attemptId }, server.now)).answers
  for (const each of devices) for (const open of [...each.tabs]) open.kill()
  const essay = saved.find(({ questionId }) => questionId === questionIds[0])?.value
  const text = essay?.type === 'essay' ? essay.text : ''
  return { attemptId, receipt, saved, lost: typed.filter((word) => !text.includes(word)), typed: typed.length }

  function type(tab: ChaosTab, questionId: string): void {
    const word = `s${seed}w${typed.length}z`
    const before = tab.fields.get(questionId)
    if (questionId === questionIds[0]) {
      typed.push(word)
      tab.fields.set(questionId, { type: 'essay', text: `${before?.type === 'essay' ? before.text : ''} ${word}` })
    } else if (questionId === questionIds[1]) tab.fields.set(questionId, { type: 'shortText', text: word })
    else tab.fields.set(questionId, options[pick(3)] ?? null)
    tab.sheet.readChanges(questionId)
  }

  async function happen(device: ChaosDevice): Promise<void> {
    const tab = device.tabs[pick(device.tabs.length)]
    const action = pick(16)
    if (!tab) await device.openTab()
    else if (action < 7) type(tab, questionIds[pick(3)] ?? '')
    else if (action < 9)
      device.weather = (['offline', 'signedOut', 'responseLost', 'good'] as Weather[])[pick(4)] ?? 'good'
    else if (action < 10) server.isDown = !server.isDown
    else if (action < 11) clock.offsetMs = (pick(48) - 24) * 3_600_000
    else if (action < 13) tab.kill()
    else if (action < 14 && device.tabs.length < 2) await device.openTab()
    else if (action < 15) await tab.sync()
    else decide(tab)
    browser.dispatchEvent(new Event('online'))
  }

  function decide(tab: ChaosTab): void {
    for (const [questionId, choose] of [...tab.conflicts]) choose(questionId === questionIds[0] ? 'both' : 'mine')
  }

  /** The network, the server and the login session are available again on every device. */
  async function settle(): Promise<void> {
    server.isDown = false
    for (const each of devices) each.weather = 'good'
    // The text of a crashed tab is found by the next page.
    for (const each of devices) await each.openTab()
    const until = trueNow() + 20_000
    for (let quiet = 0; quiet < 2 && trueNow() < until; ) {
      const tabs = devices.flatMap((each) => each.tabs)
      for (const open of tabs) decide(open)
      for (const { sheet } of tabs) {
        sheet.retry()
        void sheet.queue.flush()
      }
      browser.dispatchEvent(new Event('online'))
      await pause(4)
      const isBusy = tabs.some(({ sheet, conflicts }) => sheet.pending().length > 0 || conflicts.size > 0)
      quiet = isBusy ? 0 : quiet + 1
      if (!isBusy) for (const open of tabs) await open.sync()
    }
    const left = devices.flatMap((each) => each.tabs.flatMap(({ sheet }) => sheet.pending()))
    expect(left, 'answers that wait although everything works').toEqual([])
    const [first, ...others] = devices.flatMap((each) => each.tabs)
    for (const other of others)
      expect(Object.fromEntries(other.fields)).toEqual(Object.fromEntries(first?.fields ?? []))
  }
}

test.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
  'an attempt loses nothing with seed %i',
  async (seed) => {
    const { attemptId, receipt, saved, lost, typed } = await runChaos(seed)
    expect(lost).toEqual([])
    expect(typed).toBeGreaterThan(0)
    expect(receipt.state).toBe('needsReview')
    const { attempts, answers } = await inTenant(ours.as.STUDENT, async (tx) => ({
      attempts: await tx.select().from(quizAttempt),
      answers: await tx.select().from(quizAnswer),
    }))
    expect(attempts.filter(({ state }) => state === 'inProgress')).toEqual([])
    for (const { questionId } of saved) {
      const type = TYPES[questionIds.indexOf(questionId)] ?? 'essay'
      const content = sampleQuestion(type)
      const rules = { negativeMarking: false, partialCredit: true }
      const row = answers.find((answer) => answer.attemptId === attemptId && answer.questionId === questionId)
      expect(row?.score).toBe(scoreAnswer(content, row?.value ?? null, { points: content.points, rules }))
    }
  },
  30_000,
)

test('detects a device that loses stored answers', async () => {
  const lost: string[] = []
  for (let seed = 1; seed <= 6 && lost.length === 0; seed += 1) lost.push(...(await runChaos(seed, true)).lost)
  expect(lost).not.toEqual([])
}, 60_000)
