import { describe, expect, test } from 'vitest'
import {
  type AttemptOverrideFacts,
  attemptPhase,
  countPages,
  deadlineOf,
  type EffectiveSettings,
  effectiveSettings,
  isFeedbackDue,
  pageOfQuestion,
  startVerdict,
} from '#lib/quiz/attempt/rules.ts'

const at = (minutes: number) => new Date(Date.UTC(2027, 0, 1) + minutes * 60_000)
const just = (minutes: number, ms: number) => new Date(at(minutes).getTime() + ms)
const QUIZ: EffectiveSettings = { openAt: at(10), closeAt: at(60), timeLimitSec: 600, attempts: 2, delayMinutes: 0 }
const UNLIMITED: EffectiveSettings = {
  openAt: null,
  closeAt: null,
  timeLimitSec: null,
  attempts: null,
  delayMinutes: 0,
}

describe('the start of an attempt', () => {
  const verdict = (now: Date, change: Partial<EffectiveSettings> = {}) => startVerdict({ ...QUIZ, ...change }, [], now)

  test('is possible from the opening until the closing instant', () => {
    expect(verdict(just(10, -1))).toEqual({ allow: false, reason: 'notOpen', at: at(10), left: 2 })
    expect(verdict(at(10))).toEqual({ allow: true, left: 2 })
    expect(verdict(just(60, -1))).toEqual({ allow: true, left: 2 })
    expect(verdict(at(60))).toEqual({ allow: false, reason: 'closed', at: at(60), left: 2 })
    expect(verdict(just(60, 1))).toMatchObject({ allow: false, reason: 'closed' })
    expect(startVerdict(UNLIMITED, [], at(0))).toEqual({ allow: true, left: null })
  })

  test('is possible as often as there are attempts', () => {
    const made = { state: 'submitted' as const, submittedAt: at(12) }
    expect(startVerdict(QUIZ, [made], at(20))).toEqual({ allow: true, left: 1 })
    expect(startVerdict(QUIZ, [made, made], at(20))).toEqual({ allow: false, reason: 'exhausted', at: null, left: 0 })
    // Fewer attempts were allowed later.
    expect(startVerdict({ ...QUIZ, attempts: 1 }, [made, made], at(20))).toMatchObject({ reason: 'exhausted', left: 0 })
    expect(startVerdict({ ...QUIZ, attempts: null }, [made, made], at(20))).toEqual({ allow: true, left: null })
  })

  test('waits after the latest submission, whichever comes first in the list', () => {
    const [early, late] = [at(12), at(15)].map((submittedAt) => ({ state: 'submitted' as const, submittedAt }))
    const running = { state: 'inProgress' as const, submittedAt: null }
    const settings = { ...QUIZ, attempts: null, delayMinutes: 5 }
    if (!early || !late) throw new Error('there are two attempts')
    for (const attempts of [
      [early, late, running],
      [running, late, early],
    ]) {
      expect(startVerdict(settings, attempts, just(20, -1))).toMatchObject({ reason: 'delay', at: at(20), left: null })
      expect(startVerdict(settings, attempts, at(20))).toEqual({ allow: true, left: null })
    }
    expect(startVerdict({ ...UNLIMITED, delayMinutes: 5 }, [running], new Date(60_000))).toMatchObject({ allow: true })
  })
})

describe('the exceptions', () => {
  const none = { studentId: null, openAt: null, closeAt: null, timeLimitSec: null, extraAttempts: 0, extraTimeSec: 0 }
  const apply = (...overrides: Partial<AttemptOverrideFacts>[]) =>
    effectiveSettings(
      QUIZ,
      overrides.map((override) => ({ ...none, ...override })),
    )

  test('of groups give the most favorable of all values', () => {
    expect(apply()).toEqual(QUIZ)
    expect(apply({})).toEqual(QUIZ)
    const first = { openAt: at(5), closeAt: at(70), timeLimitSec: 700, extraAttempts: 1, extraTimeSec: 30 }
    const second = { openAt: at(7), closeAt: at(90), timeLimitSec: 650, extraAttempts: 3, extraTimeSec: 20 }
    const best = { openAt: at(5), closeAt: at(90), timeLimitSec: 730, attempts: 5, delayMinutes: 0 }
    expect([apply(first, second), apply(second, first)]).toEqual([best, best])
  })

  test('of the student precede those of groups, also when these are more favorable', () => {
    const own = { studentId: 'olena', closeAt: at(65), extraAttempts: 1 }
    const settings = apply({ closeAt: at(90), openAt: at(1), extraAttempts: 9, timeLimitSec: 9000 }, own)
    expect(settings).toEqual({ ...QUIZ, closeAt: at(65), attempts: 3 })
  })

  test('do not limit what is not limited', () => {
    expect(effectiveSettings(UNLIMITED, [{ ...none, extraAttempts: 1, extraTimeSec: 60 }])).toEqual(UNLIMITED)
    expect(effectiveSettings(UNLIMITED, [{ ...none, timeLimitSec: 60, extraTimeSec: 5 }]).timeLimitSec).toBe(65)
  })
})

test('an attempt ends with its time or with the test, whichever is earlier', () => {
  expect(deadlineOf(at(20), QUIZ)).toEqual(at(30))
  expect(deadlineOf(at(55), QUIZ)).toEqual(at(60))
  expect(deadlineOf(at(20), { timeLimitSec: null, closeAt: at(60) })).toEqual(at(60))
  expect(deadlineOf(at(20), { timeLimitSec: 60, closeAt: null })).toEqual(at(21))
  expect(deadlineOf(at(20), UNLIMITED)).toBeNull()
})

describe('after its deadline an attempt', () => {
  const phase = (seconds: number, onExpiry: 'autoSubmit' | 'graceSubmit' | 'discard', graceSec = 30) =>
    attemptPhase({ deadlineAt: at(0), rules: { onExpiry, graceSec, networkGraceSec: 10 } }, just(0, seconds * 1000))

  test('accepts slow requests', () => {
    for (const onExpiry of ['autoSubmit', 'graceSubmit', 'discard'] as const) {
      expect([phase(-5, onExpiry), phase(10, onExpiry)]).toEqual(['open', 'open'])
    }
    expect([phase(10.001, 'autoSubmit'), phase(10.001, 'discard')]).toEqual(['over', 'over'])
    const rules = { onExpiry: 'discard' as const, graceSec: 0, networkGraceSec: 0 }
    expect(attemptPhase({ deadlineAt: null, rules }, at(1e6))).toBe('open')
  })

  test('can be submitted but not changed while there is grace', () => {
    expect([phase(10.001, 'graceSubmit'), phase(30, 'graceSubmit')]).toEqual(['grace', 'grace'])
    expect(phase(30.001, 'graceSubmit')).toBe('over')
    expect(phase(10.001, 'graceSubmit', 5)).toBe('over')
  })
})

test('results are shown at the time that the test sets', () => {
  const due = (
    feedback: 'afterAttempt' | 'afterClose' | 'never',
    state: 'submitted' | 'inProgress' | 'overdue',
    now: Date,
  ) => isFeedbackDue({ feedback, closeAt: at(60) }, state, now)
  expect(due('afterAttempt', 'submitted', at(1))).toBe(true)
  expect(due('afterAttempt', 'inProgress', at(61))).toBe(false)
  expect(due('afterAttempt', 'overdue', at(61))).toBe(false)
  expect(due('never', 'submitted', at(61))).toBe(false)
  expect(due('afterClose', 'submitted', just(60, -1))).toBe(false)
  expect(due('afterClose', 'submitted', at(60))).toBe(true)
  expect(isFeedbackDue({ feedback: 'afterClose', closeAt: null }, 'submitted', at(60))).toBe(false)
})

test('questions are on pages of equal size', () => {
  expect([0, 1, 2, 3].map((index) => pageOfQuestion(index, 2))).toEqual([0, 0, 1, 1])
  expect(pageOfQuestion(7, null)).toBe(0)
  expect([countPages(0, 2), countPages(4, 2), countPages(5, 2), countPages(5, null)]).toEqual([1, 2, 3, 1])
})
