import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPressQueue } from '#islands/stores/pointer-press.ts'

let page: EventTarget
let runAfterPress: ReturnType<typeof createPressQueue>
const run = vi.fn()
beforeEach(() => {
  vi.useFakeTimers()
  run.mockReset()
  page = new EventTarget()
  runAfterPress = createPressQueue(page)
})
afterEach(() => vi.useRealTimers())

test('without a press the action runs at once', () => {
  runAfterPress(run)
  expect(run).toHaveBeenCalledOnce()
})

test.each(['pointerup', 'pointercancel'])('during a press the action runs once, after %s and its click', (end) => {
  page.dispatchEvent(new Event('pointerdown'))
  runAfterPress(run)
  page.dispatchEvent(new Event(end))
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(5000)
  expect(run).toHaveBeenCalledOnce()
  runAfterPress(run)
  expect(run).toHaveBeenCalledTimes(2)
})

test('a press without an end does not block forever', () => {
  page.dispatchEvent(new Event('pointerdown'))
  runAfterPress(run)
  vi.advanceTimersByTime(900)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(200)
  expect(run).toHaveBeenCalledOnce()
})
