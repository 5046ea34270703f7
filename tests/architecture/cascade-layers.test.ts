import { describe, expect, test } from 'vitest'
import { LAYER_ORDER, unlayeredRules } from './checks/cascade-layers.ts'
import { file, readTree, report } from './checks/source-tree.ts'

const sheet = (css: string) => file('src/styles/page.css', `${LAYER_ORDER}\n${css}`)

describe('cascade layers', () => {
  test.each([
    '.tab { color: red; }',
    '@media (width < 40rem) { .tab { color: red; } }',
    '@layer components { .tab { color: red; } } .tab { color: blue; }',
    "@layer components { .tab::before { content: '}'; } } .tab { color: blue; }",
    '@layer somewhere { .tab { color: red; } }',
  ])('refuse the rule of %s', (css) => {
    expect(unlayeredRules(sheet(css))).toHaveLength(1)
  })

  test.each([
    '@layer overrides { @media print { .tab { display: none; } } }',
    '@import "./fonts.css"; @keyframes fade { to { opacity: 0; } } @font-face { font-family: Onest; }',
    '/* .tab { } */ @layer base { html { color: black; } }',
  ])('accept %s', (css) => {
    expect(unlayeredRules(sheet(css))).toEqual([])
  })

  test('are declared in their order at the start of a file', () => {
    expect(unlayeredRules(file('src/a.css', '@layer base { p { margin: 0; } }'))).toHaveLength(1)
  })

  test('hold the styles of Astro components', () => {
    expect(unlayeredRules(file('src/a.astro', '<p>x</p>\n<style>p { margin: 0; }</style>'))).toHaveLength(1)
    expect(unlayeredRules(file('src/a.astro', '<style>@layer overrides { p { margin: 0; } }</style>'))).toEqual([])
  })

  test('hold all rules of the project', () => {
    expect(report(readTree('src', /\.(css|astro)$/).flatMap(unlayeredRules))).toEqual([])
  })
})
