import { describe, expect, test } from 'vitest'
import {
  type CompletionFacts,
  effectiveRule,
  findMissingStep,
  type WatchedMedia,
} from '#lib/course/learning/completion-rules.ts'

const video = (seconds: number, duration: number | null = 100): WatchedMedia => ({
  fileId: 'f',
  duration,
  ranges: seconds > 0 ? [[0, seconds]] : [],
})
const facts: CompletionFacts = {
  rule: { mode: 'manual' },
  media: [video(0)],
  taskCount: 1,
  homeworkState: null,
  homeworkAcceptedAt: null,
  hasTest: true,
  testPassedAt: null,
}
const watched = { ...facts, rule: { mode: 'watched', percent: 80 } } as const
const task = { ...facts, rule: { mode: 'taskAccepted' } } as const
const quiz = { ...facts, rule: { mode: 'testPassed' } } as const
const NOW = new Date('2026-11-22T10:00:00Z')

describe('the rule of a lesson', () => {
  test('applies while the lesson contains what it requires', () => {
    expect([facts, watched, task, quiz].map(effectiveRule)).toEqual(['manual', 'watched', 'taskAccepted', 'testPassed'])
  })

  test('is manual completion where that was removed', () => {
    const without = [
      { ...watched, media: [] },
      { ...task, taskCount: 0 },
      { ...quiz, hasTest: false },
    ]
    expect(without.map(effectiveRule)).toEqual(['manual', 'manual', 'manual'])
    expect(without.map(findMissingStep)).toEqual([null, null, null])
    expect(findMissingStep(facts)).toBeNull()
  })
})

describe('the missing step', () => {
  test('is the least watched video, in whole percents', () => {
    const videos = [video(60), video(33.39), video(80)]
    expect(findMissingStep({ ...watched, media: videos })).toEqual({ kind: 'watched', percent: 80, watched: 33 })
    expect(findMissingStep({ ...watched, media: [video(80), video(100)] })).toBeNull()
    expect(findMissingStep({ ...watched, media: [video(50, null)] })).toEqual({
      kind: 'watched',
      percent: 80,
      watched: 0,
    })
  })

  test('is an accepted submission', () => {
    expect(findMissingStep({ ...task, homeworkState: 'returned' })).toEqual({ kind: 'task', state: 'returned' })
    expect(findMissingStep({ ...task, homeworkAcceptedAt: NOW })).toBeNull()
  })

  test('is a passed test', () => {
    expect(findMissingStep(quiz)).toEqual({ kind: 'test' })
    expect(findMissingStep({ ...quiz, testPassedAt: NOW })).toBeNull()
  })
})
