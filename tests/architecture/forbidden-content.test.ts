import { expect, test } from 'vitest'
import { forbiddenContent } from './checks/forbidden-content.ts'
import { file, readTree, report } from './checks/source-tree.ts'

test.each([
  `"resolved": "https://${'registry'}.npmjs.org/zod"`,
  `const data = '${'/wo'}rk/main/data'`,
  `see ${'/ro'}ot/notes`,
  `written with Chat${'GPT'}`,
])('refuses %j', (source) => {
  expect(forbiddenContent(file('README.md', source))).toHaveLength(1)
})

test.each(['/var/lib/kafedra/postgresql', `\`\${base}/work/\``, 'req.headers["user-agent"]', 'src/pages/homework/'])(
  'accepts %j',
  (source) => {
    expect(forbiddenContent(file('README.md', source))).toEqual([])
  },
)

test('the repository contains no forbidden content', () => {
  expect(report(readTree('.').flatMap(forbiddenContent))).toEqual([])
})
