import { expect, test } from 'vitest'
import { type FormulaPart, typesetFormula } from '#lib/core/pdf/typeset-formula.ts'

const typeset = (latex: string) => typesetFormula(latex, { isBlock: false })
const pathsOf = (parts: readonly FormulaPart[]): (FormulaPart & { kind: 'path' })[] =>
  parts.flatMap((part) => (part.kind === 'path' ? [part] : pathsOf(part.parts)))

test('a fraction has the outlines of its parts and a bar, around the axis of the line', async () => {
  const formula = await typeset(String.raw`\frac{a}{b}`)
  const paths = pathsOf(formula?.parts ?? [])
  expect(paths).toHaveLength(3)
  expect(paths[2]).toMatchObject({ path: expect.stringMatching(/^M \d+ \d+ h \d+/), strokeWidth: null })
  expect(formula?.height).toBeGreaterThan(0.7)
  expect(formula?.depth).toBeGreaterThan(0.2)
})

test.each([
  ['Cyrillic text', String.raw`\text{Кінетична енергія} = \frac{mv^2}{2}`],
  ['a chemical equation', String.raw`\ce{2H2 + O2 -> 2H2O}`],
  [
    'a matrix with lines and long brackets',
    String.raw`\left(\begin{array}{c|c}1&2\\\hline3&4\\5&6\\7&8\end{array}\right)`,
  ],
  ['a crossed-out and a boxed term', String.raw`\cancel{x} + \boxed{y}`],
  ['a root, a sum and an integral', String.raw`\sqrt[3]{x} + \sum_{i=1}^n i + \int_0^\infty e^{-x^2}\,dx`],
])('%s is typeset', async (_, latex) => {
  const formula = await typeset(latex)
  expect(pathsOf(formula?.parts ?? []).length).toBeGreaterThan(2)
  expect(formula?.width).toBeGreaterThan(1)
})

test('backgrounds are omitted, since they would hide the text in print', async () => {
  const [plain, colored] = await Promise.all([typeset('y'), typeset(String.raw`\colorbox{yellow}{y}`)])
  expect(pathsOf(colored?.parts ?? [])).toHaveLength(pathsOf(plain?.parts ?? []).length)
})

test.each([
  ['an unknown command', String.raw`\foo{x}`],
  ['unbalanced braces', '{x'],
  ['an endless macro', String.raw`\def\a{\a\a}\a`],
  ['a link', String.raw`\href{https://example.org}{x}`],
  ['characters without an outline', String.raw`\text{漢字}`],
])('%s is null', async (_, latex) => {
  expect(await typeset(latex)).toBeNull()
})
