import type { z } from 'zod'
import type { Violation } from '../source.ts'

const ROW = /^\|\s*`([A-Z][A-Z0-9_]*)`\s*\|(.*)$/gm

/**
 * Every variable of the configuration has a row with its default in the table of docs/configuration.md, and every row has a variable.
 */
export function undocumented(shape: Record<string, z.ZodType>, table: string): Violation[] {
  const rows = new Map([...table.matchAll(ROW)].map(([, name = '', cells = '']) => [name, cells]))
  const lacking = Object.entries(shape).flatMap(([name, schema]) => {
    const cells = rows.get(name)
    const byDefault = defaultOf(schema)
    if (cells === undefined) return [`has no row for ${name}`]
    return byDefault === null || cells.includes(byDefault)
      ? []
      : [`does not say that ${name} is ${byDefault} by default`]
  })
  const extra = [...rows.keys()]
    .filter((name) => !(name in shape))
    .map((name) => `tells of ${name}, which nothing reads`)
  return [...lacking, ...extra].map((message) => ({ path: 'docs/configuration.md', message }))
}

function defaultOf(schema: z.ZodType): string | null {
  const parsed = schema.safeParse(undefined)
  return parsed.success && parsed.data !== undefined ? String(parsed.data) : null
}
