import type { Cookie, Page } from '@playwright/test'
import { addressOf } from './address.ts'

/** Password of all demo accounts; it is also in the README. */
export const DEMO_PASSWORD = 'Kafedra-2026!'
export const STUDENT = 'student@kafedra.test'

export const STAFF_ROLES = [
  'owner',
  'director',
  'expert',
  'curator',
  'presenter',
  'moderator',
  'mentor',
  'member',
] as const
export type DemoRole = (typeof STAFF_ROLES)[number]

/** Returns the email of the demo account of a role. */
export const staffEmail = (role: DemoRole): string => `${role}@kafedra.test`

/** Signs in through the form on the base domain and waits for the page after it. */
export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.goto(addressOf(null, '/login'))
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(password)
  await page.locator('form:has(input[name="password"]) button[type="submit"]').click()
  await page.waitForURL((url) => url.pathname !== '/login', { timeout: 15_000 })
}

const tokens = new Map<string, Promise<Cookie[]>>()

/**
 * Returns the sign-in cookies of a user. Sign-in is rate-limited, so it happens once per user and process, in a separate
 * browser context.
 */
export function getSignInCookies(page: Page, email: string): Promise<Cookie[]> {
  // The key contains the origin, because a spec may start its own installation.
  const where = addressOf(null, `#${email}`)
  const known = tokens.get(where) ?? signInForCookies(page, email)
  tokens.set(where, known)
  return known
}

async function signInForCookies(page: Page, email: string): Promise<Cookie[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser of its own')
  const context = await browser.newContext()
  await signIn(await context.newPage(), email)
  const cookies = (await context.cookies()).filter(({ name }) => name === 'token')
  await context.close()
  return cookies
}
