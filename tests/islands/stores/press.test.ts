import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followPresses } from '#islands/stores/press.ts'

let page: EventTarget
let afterPress: ReturnType<typeof followPresses>
const run = vi.fn()
beforeEach(() => {
  vi.useFakeTimers()
  run.mockReset()
  page = new EventTarget()
  afterPress = followPresses(page)
})
afterEach(() => vi.useRealTimers())

test('without a press it is done at once', () => {
  afterPress(run)
  expect(run).toHaveBeenCalledOnce()
})

test.each(['pointerup', 'pointercancel'])('during a press it is done once, after %s and its click', (end) => {
  page.dispatchEvent(new Event('pointerdown'))
  afterPress(run)
  page.dispatchEvent(new Event(end))
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(5000)
  expect(run).toHaveBeenCalledOnce()
  afterPress(run)
  expect(run).toHaveBeenCalledTimes(2)
})

test('a press without an end holds up nothing for good', () => {
  page.dispatchEvent(new Event('pointerdown'))
  afterPress(run)
  vi.advanceTimersByTime(900)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(200)
  expect(run).toHaveBeenCalledOnce()
})
