import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '#lib/audit/schema.ts'

const TESTS = path.resolve(import.meta.dirname, '../..')
/** The test of descriptions, which describes entries of any action. */
const DESCRIPTIONS = 'describe.test.ts'

test('every audited action is expected by a test of the function that records it', () => {
  const texts = fs
    .readdirSync(TESTS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts') && entry.name !== DESCRIPTIONS)
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
  expect(AUDIT_ACTIONS.filter((action) => !texts.some((text) => text.includes(`'${action}'`)))).toEqual([])
})
