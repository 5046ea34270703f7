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
  // A test that passes when it is run again is reported as flaky and does not refuse the whole delivery.
  retries: 1,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    // A page that does not come or react in this time is broken: better known soon than after the whole test's time.
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    headless: true,
    locale: 'uk-UA',
    timezoneId: 'Europe/Kyiv',
    viewport: { width: 1440, height: 900 },
    // A film of each test would cost a browser more than most pages do.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      args: BROWSER_FLAGS,
      // Without a UTF-8 locale Chromium reads no file that has a Ukrainian name.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      ...(executablePath ? { executablePath } : {}),
    },
  },
})
