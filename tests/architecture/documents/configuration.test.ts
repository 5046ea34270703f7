import { expect, test } from 'vitest'
import { z } from 'zod'
import { Environment } from '#lib/core/config/config.ts'
import { undocumented } from '../checks/documents/configuration.ts'
import { readTree, report } from '../checks/source-tree.ts'

const SHAPE = { PORT: z.coerce.number().default(4321), SMTP_URL: z.string().optional() }

test('finds a variable without row, a wrong default and a row without variable', () => {
  const readme = '| `PORT` | `80` | where it listens |\n| `COLOUR` | red | |'
  expect(report(undocumented(SHAPE, readme))).toEqual([
    'docs/configuration.md: does not say that PORT is 4321 by default',
    'docs/configuration.md: has no row for SMTP_URL',
    'docs/configuration.md: tells of COLOUR, which nothing reads',
  ])
  expect(undocumented(SHAPE, '| `PORT` | `4321` | |\n| `SMTP_URL` | | |')).toEqual([])
})

test('the documentation lists every variable with its default', () => {
  const [table] = readTree('docs', /^docs\/configuration\.md$/)
  expect(report(undocumented(Environment.shape, table?.source ?? ''))).toEqual([])
})
