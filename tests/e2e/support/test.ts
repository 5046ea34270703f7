import { type BrowserContext, test as base, type Page } from '@playwright/test'

export { expect } from '@playwright/test'
export { expectAccessible } from './accessible.ts'
export { addressOf } from './address.ts'
export { type Appearance, applyAppearance } from './appearance.ts'
export { DEMO_PASSWORD, getSignInCookies, STUDENT, signIn, staffEmail } from './sign-in.ts'

interface Support {
  /** Errors that pages of the test's context threw, and violations of their Content-Security-Policy. */
  complaints: string[]
}

const VIOLATION = 'Content-Security-Policy'

/** Playwright's test, which also fails when any page throws an error or violates its Content-Security-Policy. */
export const test = base.extend<Support>({
  complaints: [
    async ({ context }, use) => {
      const complaints = await collectComplaints(context)
      await use(complaints)
      base.expect(complaints, 'errors thrown in pages, violations of their policy').toEqual([])
    },
    { auto: true },
  ],
})

/** Returns a list that grows with each error of the context's pages and each violation of their policy. */
export async function collectComplaints(context: BrowserContext): Promise<string[]> {
  const complaints: string[] = []
  const listen = (page: Page) => {
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && message.text().includes(VIOLATION)) complaints.push(message.text())
    })
  }
  // Chromium does not log blocked evaluations, and the event of other violations has more details than the log.
  await context.addInitScript((name) => {
    addEventListener('securitypolicyviolation', ({ documentURI, effectiveDirective, blockedURI, sourceFile }) =>
      console.error(`${name}: ${documentURI}: ${effectiveDirective}: ${blockedURI} ${sourceFile}`),
    )
  }, VIOLATION)
  context.on('page', listen)
  for (const page of context.pages()) listen(page)
  return complaints
}
