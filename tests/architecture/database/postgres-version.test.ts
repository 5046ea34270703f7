import { expect, test } from 'vitest'
import { readTree } from '../checks/source-tree.ts'

/**
 * SQL that PostgreSQL 15 lacks. The unit tests run on a newer version; `tests/lib/core/db/oldest-postgres.test.ts` runs
 * migrations and a sample of the statements on 15.
 */
const NEWER: Record<string, RegExp> = {
  'functions of 16':
    /\b(any_value|array_sample|array_shuffle|date_add|date_subtract|pg_input_is_valid|system_user)\s*\(/i,
  'functions of 17':
    /\b(json_table|json_query|json_exists|json_value|json_scalar|to_bin|to_oct|uuid_extract_\w+|xmltext)\s*\(/i,
  'functions of 18': /\b(uuidv[47]|casefold|array_sort|array_reverse|crc32c?)\s*\(/i,
  'merge … returning of 17': /\bmerge\s+into\b[^;]*\breturning\b/i,
  'returning old and new of 18': /\breturning\s+(old|new)\b/i,
  'syntax of 18': /\b(without\s+overlaps|generated\s+always\s+as\s+\([^;]*\)\s+virtual)\b/i,
}

function findNewer(source: string): string[] {
  return Object.entries(NEWER).flatMap(([name, pattern]) => (pattern.test(source) ? [name] : []))
}

/** Texts that contain SQL: migrations, and template literals of TypeScript. */
const sqlOf = (path: string, source: string): string =>
  path.endsWith('.sql') ? source : [...source.matchAll(/`[^`]*`/g)].map(([text]) => text).join('\n')

test('no statement needs a PostgreSQL newer than 15', () => {
  const files = ['src', 'scripts', 'tests/setup'].flatMap((folder) => readTree(folder, /\.(sql|ts)$/))
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap(({ path, source }) => findNewer(sqlOf(path, source)).map((name) => `${path}: ${name}`))
  expect(found).toEqual([])
})

test.each([
  'select uuidv7()',
  'select any_value(a) from b',
  'update a set b = 1 returning old.b',
  'merge into a using b on true when matched then delete returning *',
])('finds %j', (statement) => {
  expect(findNewer(statement)).toHaveLength(1)
})
