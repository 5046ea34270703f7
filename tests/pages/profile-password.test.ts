import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { inSystem, pool } from '#lib/core/db/db.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { createTestTenant } from '../setup/tenants.ts'

const PAGES = import.meta.glob<PageModules[string]>('../../src/pages/profile/index.astro', { eager: true })
const page = PAGES['../../src/pages/profile/index.astro']

afterAll(() => pool.end())

test('an account without a password is not asked for the current one, but sends itself a link', async () => {
  const { STUDENT } = (await createTestTenant()).as
  const passwordOf = async (passwordHash: string | null) => {
    await inSystem((tx) =>
      tx.execute(sql`update "user" set password_hash = ${passwordHash} where id = ${STUDENT.userId}`),
    )
    const { html } = await renderPage(page, { path: '/profile', actor: STUDENT })
    return html
  }
  const withPassword = await passwordOf('$argon2id$invented')
  expect(withPassword).toContain('name="current"')
  expect(withPassword).not.toContain('action="/forgot-password"')
  const without = await passwordOf(null)
  expect(without).not.toContain('name="current"')
  expect(without).toContain('action="/forgot-password"')
  expect(without).toContain(`name="email" value="${STUDENT.email}"`)
})
