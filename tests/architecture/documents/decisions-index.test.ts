import { expect, test } from 'vitest'
import { readTree } from '../checks/source-tree.ts'

const ROW = /^\| \[(.+?)\]\((\d{3}-[a-z0-9-]+\.md)\) \| (accepted|superseded by|accepted; .+ superseded by)\b.* \|$/gm

test('the index of decisions lists each of them once, with its title and status', () => {
  const decisions = readTree('docs/decisions', /\/\d{3}-[^/]+\.md$/)
  const [index] = readTree('docs/decisions', /\/README\.md$/)
  const rows = [...(index?.source ?? '').matchAll(ROW)].map(([, title, file]) => `${file}: ${title}`)
  const titles = decisions.map(({ path, source }) => `${path.split('/').at(-1)}: ${/^# (.*)$/m.exec(source)?.[1]}`)
  expect(rows.sort()).toEqual(titles.sort())
})
