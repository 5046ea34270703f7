import { expect, test } from 'vitest'
import { literalTexts } from './checks/literal-texts.ts'
import { file, readCode, report } from './checks/source-tree.ts'

test.each([
  ['src/pages/a.astro', '<p>Hello</p>'],
  ['src/pages/a.astro', '<img src={src} alt="A cat">'],
  ['src/islands/course/A.tsx', 'export const A = () => <button type="button">Save</button>'],
  ['src/islands/course/A.tsx', `export const A = () => <button aria-label={'Close'} />`],
  ['src/lib/course/course.ts', `throw new Error('Курс не знайдено')`],
  ['src/lib/course/course.ts', `const a = \`\${count} уроків\``],
])('%j may not say %j', (path, source) => {
  expect(literalTexts(file(path, source))).toHaveLength(1)
})

test.each([
  [
    'src/pages/a.astro',
    `---\n// Українською можна\n---\n<!-- і тут --><p class="mt-2">{t('course:title')} · {count}</p>`,
  ],
  ['src/islands/course/A.tsx', `export const A = () => <Field label={say('course:title')} alt="" name="title" />`],
  ['src/lib/course/rules.ts', `/** «Курс» */\nexport const SLUG = /[а-яґєії]/`],
])('%j may say %j', (path, source) => {
  expect(literalTexts(file(path, source))).toEqual([])
})

test('every text of a screen is in public/locales', () => {
  expect(report(readCode('src').flatMap(literalTexts))).toEqual([])
})
