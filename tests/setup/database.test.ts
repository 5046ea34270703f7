import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { inSystem } from '#lib/core/db/db.ts'

test('each test file has its own migrated, empty database', async () => {
  expect(config.databaseUrl).toContain('/t_')
  const { rows } = await inSystem((tx) => tx.execute(sql`select count(*)::int as people from "user"`))
  expect(rows).toEqual([{ people: 0 }])
})
