import { describe, expect, test } from 'vitest'
import { axisTicks, spreadLabels } from '#layouts/ui/chart-axis.ts'

describe('ticks of a chart', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [4, [0, 1, 2, 3, 4]],
    [7, [0, 2, 4, 6, 8]],
    [42, [0, 10, 20, 30, 40, 50]],
    [1234, [0, 500, 1000, 1500]],
  ])('up to %i are %j', (highest, ticks) => {
    expect(axisTicks(highest)).toEqual(ticks)
  })

  test('reach the highest value with at most seven numbers', () => {
    for (let highest = 1; highest < 3000; highest += 7) {
      const ticks = axisTicks(highest)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
      expect(ticks.length).toBeLessThanOrEqual(7)
    }
  })
})

test('labels of points are spread from the first to the last', () => {
  const minutes = Array.from({ length: 61 }, (_, minute) => String(minute))
  expect(spreadLabels(minutes)).toEqual(['0', '15', '30', '45', '60'])
  expect(spreadLabels(['0', '1'])).toEqual(['0', '1'])
})
