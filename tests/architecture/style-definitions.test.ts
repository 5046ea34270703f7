import { expect, test } from 'vitest'
import { file, readCode, readTree, report } from './checks/source-tree.ts'
import { undefinedClasses } from './checks/style-definitions.ts'

test('a class that is defined nowhere is found, but none of Tailwind, a stylesheet, or the style of the file', async () => {
  const sources = [
    file('src/pages/a.astro', '<a class="link mt-4 sm:w-1/2 own">…</a><style>.own { color: red; }</style>'),
    file('src/islands/a.tsx', '<p className="bar" />'),
  ]
  expect(report(await undefinedClasses(sources, [file('src/a.css', '.list > .bar { color: red; }')]))).toEqual([
    'src/pages/a.astro: the class link is defined nowhere',
  ])
})

test('every class of the pages and islands is defined', async () => {
  const code = ['src/pages', 'src/layouts', 'src/islands'].flatMap((folder) => readCode(folder))
  expect(report(await undefinedClasses(code, readTree('src', /\.css$/)))).toEqual([])
})
