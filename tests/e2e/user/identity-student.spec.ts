import { randomBytes } from 'node:crypto'
import { generate } from 'otplib'
import { callApi } from '../support/homework.ts'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import { addressOf, expect, expectAccessible, getSignInCookies, staffEmail, test } from '../support/test.ts'

const PASSWORD = 'Probna-2026!'

test('a student accepts the invitation by email, sets a password and is signed in on the student host', async ({
  page,
}) => {
  const email = `student-${randomBytes(4).toString('hex')}@kafedra.test`
  await page.context().addCookies(await getSignInCookies(page, staffEmail('owner')))
  await page.goto(addressOf('demo', '/profile'))
  const title = `Ораторство ${email}`
  const { courseId } = await callApi(page, 'course/create', { title })
  await callApi(page, 'course/invite', { courseId, email, name: 'Ірина Бондар' })
  await page.context().clearCookies()

  const link = firstLinkIn((await waitForEmail(page, email)).text)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Майже готово' })).toBeVisible()
  await expect(page.getByText(`Вас запрошено на курс «${title}».`)).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByLabel('Електронна пошта')).toHaveValue(email)
  await expect(page.getByLabel('Ім’я')).toHaveValue('Ірина')
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Почати навчання' }).click()
  await page.waitForURL(addressOf('go', '/profile'))
  await page.goto(link)
  await page.waitForURL(addressOf('go', '/profile'))
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Увімкнути' }).click()
  const secret = await page.locator('#second-factor ~ form code, section code').first().innerText()
  // A code of the previous time step is valid until the end of the current one, and the sign-in below needs the code of
  // the current one.
  await page.waitForFunction(() => Date.now() % 30_000 < 20_000, undefined, { timeout: 15_000 })
  await page
    .getByLabel('Шість цифр із застосунку')
    .fill(await generate({ secret, epoch: Math.floor(Date.now() / 1000) - 30 }))
  await page.getByRole('button', { name: 'Підтвердити й увімкнути' }).click()
  await expect(page.locator('[data-recovery-codes] li')).toHaveCount(10)

  await page.context().clearCookies()
  await page.goto(addressOf('go', '/login'))
  await page.getByLabel('Електронна пошта').fill(email)
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Увійти' }).click()
  await expect(page.getByRole('heading', { name: 'Двоетапний вхід' })).toBeVisible()
  await page.getByLabel('Код із застосунку або резервний код').fill(await generate({ secret }))
  await page.getByRole('button', { name: 'Підтвердити' }).click()
  await page.waitForURL(addressOf('go', '/profile'))
  await expect(page.getByText('Цей пристрій')).toBeVisible()
})
