import { expect, test } from 'vitest'
import { findFunctionFile } from '../../scripts/bench/constant-page.ts'
import { CACHED_FUNCTIONS } from '../../scripts/bench/pages/cached-functions.ts'
import { ROOT } from '../../scripts/bench/product.ts'

const functions = Object.entries(CACHED_FUNCTIONS).flatMap(([module, names]) => names.map((name) => [module, name]))

test.each(functions)('the benchmark of pages finds the function %s.%s', (module = '', name = '') => {
  expect(findFunctionFile(ROOT, module, name)).toMatch(/\.ts$/)
})
