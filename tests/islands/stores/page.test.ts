import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { finishBeforeLeaving, onPage, runBeforeLeaving } from '#islands/stores/page.ts'

class Page extends EventTarget {
  body = {}
  /** Simulates the client router. */
  change() {
    this.dispatchEvent(new Event('astro:before-swap'))
    this.body = {}
    this.dispatchEvent(new Event('astro:after-swap'))
  }
}

let page: Page

beforeEach(() => {
  page = new Page()
  vi.stubGlobal('document', page)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('starts once per page and ends before the next', () => {
  const texts: string[] = []
  let count = 0
  onPage(() => {
    const number = ++count
    texts.push(`begins ${number}`)
    return () => texts.push(`ends ${number}`)
  })
  page.dispatchEvent(new Event('astro:after-swap'))
  page.change()
  page.change()
  expect(texts).toEqual(['begins 1', 'ends 1', 'begins 2', 'ends 2', 'begins 3'])
})

test('waits for pending saves before leaving a page, for a limited time', async () => {
  let saved = false
  const callOff = runBeforeLeaving(async () => {
    await Promise.resolve()
    saved = true
  })
  await finishBeforeLeaving()
  expect(saved).toBe(true)
  callOff()

  vi.useFakeTimers()
  const never = runBeforeLeaving(() => new Promise(() => undefined))
  const left = finishBeforeLeaving()
  await vi.advanceTimersByTimeAsync(1500)
  await left
  never()
})
