import { test as base, type Page } from '@playwright/test'

export { expect } from '@playwright/test'
export { expectAccessible } from './accessible.ts'
export { addressOf } from './address.ts'
export { eachLook, type Look, wear } from './look.ts'
export { DEMO_PASSWORD, type DemoRole, STUDENT, signIn, staff, tokenOf } from './sign-in.ts'

interface Support {
  /** Errors that any page of the test's context threw. */
  complaints: string[]
}

/** Playwright's test; it fails too when a page throws, also where nobody looks. */
export const test = base.extend<Support>({
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = []
      const listen = (page: Page) => {
        page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
      }
      context.on('page', listen)
      for (const page of context.pages()) listen(page)
      await use(complaints)
      base.expect(complaints, 'errors thrown in pages').toEqual([])
    },
    { auto: true },
  ],
})
