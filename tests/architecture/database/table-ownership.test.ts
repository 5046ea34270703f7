import { expect, test } from 'vitest'
import { tableOwners, writesToOtherModules } from '../checks/database/table-ownership.ts'
import { file, readCode, report } from '../checks/source-tree.ts'

const TABLES = [
  file('src/lib/course/table.ts', `export const course = pgTable('course', {})`),
  file('src/lib/homework/table.ts', `export const homework = pgTable('homework', {})`),
  file('src/lib/core/mail/table.ts', `export const mail = pgTable('mail', {})`),
]
const owners = tableOwners(TABLES)
const IMPORT = `import { course } from '#lib/course/table.ts'\n`

test.each([
  `${IMPORT}tx.update(course).set({ title })`,
  `${IMPORT}tx.insert(course).values(row)`,
  `${IMPORT}tx.delete(course)`,
  `${IMPORT}tx.execute(sql\`update \${course} set title = 'a'\`)`,
  'tx.execute(sql`insert into course (id) values (1)`)',
  `client.query('delete from "course" where true')`,
  'tx.execute(sql`truncate mail`)',
])('homework may not write to a table of another module: %j', (source) => {
  expect(writesToOtherModules(file('src/lib/homework/homework.ts', source), owners)).toHaveLength(1)
})

test.each([
  `${IMPORT}tx.select().from(course)`,
  `import { homework } from './table.ts'\ntx.insert(homework).values(row)`,
  'tx.execute(sql`update homework set a = 1 where id in (select id from course for update)`)',
  'new Map().delete(course)',
])('homework may read it, and write to its own tables: %j', (source) => {
  expect(writesToOtherModules(file('src/lib/homework/homework.ts', source), owners)).toEqual([])
})

test('no module writes to a table of another module', () => {
  const sources = readCode('src')
  const real = tableOwners(sources)
  expect(real.size).toBeGreaterThan(0)
  expect(report(sources.flatMap((source) => writesToOtherModules(source, real)))).toEqual([])
})
