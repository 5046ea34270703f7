import { test as base, type Page } from '@playwright/test'
import { addressOf } from './address.ts'

export { expect } from '@playwright/test'
export { expectAccessible } from './accessible.ts'
export { addressOf } from './address.ts'
export { eachLook, type Look, wear } from './look.ts'
export { DEMO_PASSWORD, type DemoRole, STUDENT, signIn, staff } from './sign-in.ts'

interface Support {
  /** What went wrong on any page of the test's context: uncaught errors and console errors. */
  complaints: string[]
}

/** Every test fails when a page throws or writes an error to the console, also when nobody looks. */
export const test = base.extend<Support>({
  baseURL: async ({}, use) => use(addressOf(null, '')),
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
