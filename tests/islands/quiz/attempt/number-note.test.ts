import { expect, test } from 'vitest'
import { checkNumber } from '#islands/quiz/attempt/number-note.ts'

test.each([
  ['about five', true, null],
  ['1 2', true, null],
  ['1,000', false, '1'],
  ['-12.500', false, '-12.5'],
  ['0,125', false, null],
  ['.95', false, null],
  ['1 000', false, null],
  ['', false, null],
])('a typed %j: unreadable %s, unclear %s', (typed, isUnreadable, value) => {
  expect(checkNumber(typed)).toEqual({ isUnreadable, value })
})
