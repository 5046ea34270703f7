import { WITH_DEVICES } from '../support/meeting.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

const at = (path: string) => addressOf('demo', path)

test.use(WITH_DEVICES)

test('a rehearsal checks camera, viewers, recording, slides and links and shows the results', async ({ page }) => {
  test.slow()
  await page.context().addCookies(await getSignInCookies(page, staffEmail('expert')))
  await page.goto(at('/workshops?search=Голос без втоми'))
  const href = (await page.getByRole('link', { name: /^Голос без втоми/ }).getAttribute('href')) ?? ''
  await page.goto(at(`${href}?tab=rehearsal`))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Почати репетицію' }).click()
  const row = (name: string) => page.locator(`[data-row=${name}]`)
  await expect(row('slides')).toContainText('Відкрилася, 5 сторінок')
  await expect(row('handouts')).toContainText('1 матеріал на місці')
  await expect(row('uplink')).toContainText(/кбіт\/с, втрачено/, { timeout: 60_000 })
  await expect(row('viewers')).toContainText(/Зображення побачили: 8 з 8/, { timeout: 60_000 })
  await expect(row('video')).toContainText(/Відео на \d+ секунд/, { timeout: 60_000 })
  await expect(page.locator('[data-verdict]')).not.toBeEmpty({ timeout: 60_000 })
  await expect(row('uplink').and(page.locator('[data-state=good], [data-state=warn]'))).toHaveCount(1)
  await page.reload()
  await expect(page.getByText(/Остання репетиція:/)).toBeVisible()
})
