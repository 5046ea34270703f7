import type { Cookie, Page } from '@playwright/test'
import { addressOf } from './address.ts'

/** The demo school's accounts have this one password; the README tells it too. */
export const DEMO_PASSWORD = 'Kafedra-2026!'
export const STUDENT = 'student@kafedra.test'

const STAFF_ROLES = ['owner', 'director', 'expert', 'curator', 'presenter', 'moderator', 'mentor', 'member'] as const
export type DemoRole = (typeof STAFF_ROLES)[number]

/** The demo school's account of a role. */
export const staffEmail = (role: DemoRole): string => `${role}@kafedra.test`

/** Signs in through the form on the base domain, as a person does, and waits for the cabinet of the person's host. */
export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.goto(addressOf(null, '/login'))
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(password)
  await page.locator('form:has(input[name="password"]) button[type="submit"]').click()
  await page.waitForURL((url) => url.pathname !== '/login', { timeout: 15_000 })
}

const tokens = new Map<string, Promise<Cookie[]>>()

/**
 * The sign-in cookie of a person, for tests that are about something else: signing in is throttled, as it should be, so
 * it happens once a person and process, in a browser context apart.
 */
export function getSignInCookies(page: Page, email: string): Promise<Cookie[]> {
  // A spec may have a product of its own.
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
