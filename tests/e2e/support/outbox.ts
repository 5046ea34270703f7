import { expect, type Page } from '@playwright/test'
import { addressOf } from './address.ts'

/** Waits for the newest email to an address on the outbox page and returns its subject and plain text. */
export async function waitForEmail(
  page: Page,
  to: string,
  { after = '', about = '' }: { after?: string; about?: string } = {},
): Promise<{ id: string; subject: string; text: string }> {
  const outbox = await page.context().newPage()
  try {
    const row = outbox.locator('[data-emails] a', { hasText: to }).filter({ hasText: about }).first()
    const shownId = async (timeout: number) =>
      new URLSearchParams((await row.getAttribute('href', { timeout })) ?? '').get('email') ?? ''
    await expect(async () => {
      await outbox.goto(addressOf(null, `/dev/outbox?${new URLSearchParams({ to })}`))
      expect(await shownId(500)).not.toBe(after)
    }).toPass({ timeout: 15_000 })
    const id = await shownId(5000)
    await row.click()
    await expect(outbox.locator('article dd').first()).toHaveText(to)
    const subject = await outbox.locator('article dd').nth(1).innerText()
    return { id, subject, text: await outbox.locator('article pre').innerText() }
  } finally {
    await outbox.close()
  }
}

/** Returns the first link of an email's text. */
export const firstLinkIn = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ''
