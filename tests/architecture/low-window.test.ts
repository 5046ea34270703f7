import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** What stays in place in a low window: dialogs, panels that are closed, notices and whole-screen views. */
const EXEMPT = new Set([
  '.field-dialog',
  '.confetti',
  '.room',
  '.player-panel',
  '.drop-overlay',
  '.file-panel',
  '.upload-tray',
  '.dock-sheet',
  '.backdrop',
  '.toasts',
  '.waiting',
  // A column at the side of wide windows, which covers nothing.
  '.cabinet-menu',
  '.matrix tbody th',
])

const rules = globSync('src/**/*.css').flatMap((file) => {
  const css = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  return [...css.matchAll(/([^{};]+)\{([^{}]*)\}/g)].map(([, selectors = '', body = '']) => ({ selectors, body }))
})
const selectorsOf = (text: string) => text.split(',').map((selector) => selector.replace(/\s+/g, ' ').trim())
const unfixed = new Set(
  rules
    .filter(({ body }) => /position: static !important/.test(body))
    .flatMap(({ selectors }) => selectorsOf(selectors)),
)
const fixed = new Set(
  rules
    .filter(({ body }) => /position: (?:sticky|fixed)/.test(body))
    .flatMap(({ selectors }) => selectorsOf(selectors)),
)

describe('bars that stay in view', () => {
  test('scroll with the page in a low window, as at 400 % zoom', () => {
    const covering = [...fixed].filter((selector) => !unfixed.has(selector) && !EXEMPT.has(selector))
    expect(covering).toEqual([])
    expect(unfixed).toContain('.sticky')
  })
})
