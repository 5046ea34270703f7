import { test as base, type Page } from '@playwright/test'

export { expect } from '@playwright/test'
export { expectAccessible } from './accessible.ts'
export { addressOf } from './address.ts'
export { type Appearance as Look, allAppearances as eachLook, applyAppearance as wear } from './appearance.ts'
export {
  DEMO_PASSWORD,
  type DemoRole,
  getSignInCookies as tokenOf,
  STUDENT,
  signIn,
  staffEmail as staff,
} from './sign-in.ts'

interface Support {
  /** Errors that any page of the test's context threw, and violations of its Content-Security-Policy. */
  complaints: string[]
}

const VIOLATION = 'Content-Security-Policy'

/** Playwright's test; it fails too when a page throws or violates its policy, also where nobody looks. */
export const test = base.extend<Support>({
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = []
      const listen = (page: Page) => {
        page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
        page.on('console', (message) => {
          if (message.type() === 'error' && message.text().includes(VIOLATION)) complaints.push(message.text())
        })
      }
      // Chromium writes nothing about a string that was not evaluated, and of the rest less than the event tells.
      await context.addInitScript((name) => {
        addEventListener('securitypolicyviolation', ({ documentURI, effectiveDirective, blockedURI, sourceFile }) =>
          console.error(`${name}: ${documentURI}: ${effectiveDirective}: ${blockedURI} ${sourceFile}`),
        )
      }, VIOLATION)
      context.on('page', listen)
      for (const page of context.pages()) listen(page)
      await use(complaints)
      base.expect(complaints, 'errors thrown in pages, violations of their policy').toEqual([])
    },
    { auto: true },
  ],
})
