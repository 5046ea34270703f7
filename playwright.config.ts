import { defineConfig } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './scripts/test/browser.ts'

const executablePath = findBrowser()

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/e2e/support/product.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // A test that passes when it is retried is reported as flaky and does not fail the run.
  retries: 1,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    // Fails early when a page does not load or respond in this time, instead of at the timeout of the test.
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    headless: true,
    locale: 'uk-UA',
    timezoneId: 'Europe/Kyiv',
    viewport: { width: 1440, height: 900 },
    // Recording takes a snapshot of the page at each action, therefore only a test that has failed is recorded.
    trace: { mode: 'on-first-retry', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      args: BROWSER_FLAGS,
      // Without a UTF-8 locale Chromium cannot read files with Ukrainian names.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      ...(executablePath ? { executablePath } : {}),
    },
  },
})
