import { expect, test } from 'vitest'
import { importsOf } from './checks/source.ts'
import { readCode, report } from './checks/source-tree.ts'

const HANDLER = 'src/pages/_request/form-outcome.ts'

test('forms of pages have one handler', () => {
  const violations = readCode('src/pages')
    .filter(({ path }) => path !== HANDLER)
    .flatMap((file) =>
      importsOf(file)
        .filter(({ names }) => names.includes('fieldErrors') || names.includes('ZodError'))
        .map(() => ({ path: file.path, message: `describes refusals itself: use runForm of ${HANDLER}` })),
    )
  expect(report(violations)).toEqual([])
})
