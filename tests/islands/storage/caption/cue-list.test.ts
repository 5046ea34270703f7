import { describe, expect, test } from 'vitest'
import {
  addCue,
  changeCue,
  findProblem,
  formatCueTime,
  joinCues,
  splitCue,
  startAt,
  toEditableCues,
} from '#islands/storage/caption/cue-list.ts'

const CUES = [
  { start: 0, end: 4, text: 'Добрий день, шановні' },
  { start: 4, end: 6, text: 'слухачі', settings: 'align:start' },
]

describe('a list of cues', () => {
  test('splits a cue at the cursor, dividing its time by text length', () => {
    expect(splitCue(CUES, 0, 11)).toEqual([
      { start: 0, end: 2.2, text: 'Добрий день' },
      { start: 2.2, end: 4, text: ', шановні' },
      CUES[1],
    ])
    const [before, behind] = splitCue(CUES, 1, 0)
      .slice(1)
      .map(({ start, end, text }) => ({ start, end, text }))
    expect([before, behind]).toEqual([
      { start: 4, end: 4.1, text: '' },
      { start: 4.1, end: 6, text: 'слухачі' },
    ])
    expect(splitCue([{ start: 0, end: 0.1, text: 'аб' }], 0, 1).every(({ start, end }) => end > start)).toBe(true)
    expect(splitCue(CUES, 9, 0)).toEqual(CUES)
  })

  test('joins two adjacent cues, from the start of the first to the later end', () => {
    expect(joinCues(CUES, 0)).toEqual([{ start: 0, end: 6, text: 'Добрий день, шановні\nслухачі' }])
    expect(joinCues(CUES, 1)).toEqual(CUES)
    expect(joinCues(splitCue(CUES, 0, 0), 0)[0]?.text).toBe('Добрий день, шановні')
  })

  test('inserts a cue where there is room, also before the first and after the last', () => {
    const gap = [
      { start: 0, end: 1, text: 'а' },
      { start: 2, end: 3, text: 'б' },
    ]
    expect(addCue(gap, 0)[1]).toEqual({ start: 1, end: 2, text: '' })
    expect(addCue(gap, 1)[2]).toEqual({ start: 3, end: 5, text: '' })
    expect(addCue(CUES, 0)[1]).toEqual({ start: 4, end: 6, text: '' })
    expect(addCue([], -1, 7.25)).toEqual([{ start: 7.25, end: 9.25, text: '' }])
  })

  test('starts a cue at the current playback position', () => {
    expect(startAt(CUES, 0, 1.2345)[0]).toMatchObject({ start: 1.235, end: 4 })
    expect(startAt(CUES, 0, 10)[0]).toMatchObject({ start: 10, end: 14 })
    expect(changeCue(CUES, 1, { text: 'люди' })[1]).toEqual({ ...CUES[1], text: 'люди' })
  })

  test('reports invalid times', () => {
    expect(findProblem({ start: 2, end: 2, text: '' }, null)).toBe('order')
    expect(findProblem({ start: 62, end: 63, text: '' }, 60)).toBe('late')
    expect(findProblem({ start: 60.4, end: 61, text: '' }, 60)).toBeNull()
    expect(['01:02.500', '01:00:00.000']).toEqual([62.5, 3600].map(formatCueTime))
  })

  test('shows characters as they are typed', () => {
    expect(toEditableCues([{ start: 0, end: 1, text: 'AT&amp;T' }])[0]?.text).toBe('AT&T')
  })
})
