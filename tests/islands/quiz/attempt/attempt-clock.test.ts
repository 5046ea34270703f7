import { expect, test } from 'vitest'
import { formatLeft } from '#islands/quiz/attempt/attempt-clock.ts'

test('the time that is left is rounded up, so that zero means that it is over', () => {
  expect([3723, 125.2, 9.01, 0.3, 0, -5].map(formatLeft)).toEqual(['1:02:03', '2:06', '0:10', '0:01', '0:00', '0:00'])
})
