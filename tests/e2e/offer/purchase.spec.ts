import { openPageAs } from '../support/homework.ts'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import { addressOf, DEMO_PASSWORD, expect, expectAccessible, staffEmail, test } from '../support/test.ts'

const COURSE = 'Перший вебінар: від ідеї до запису'

test('a visitor buys a course on a phone without JavaScript, and a refund ends the access', async ({
  browser,
  page,
}) => {
  test.slow()
  const email = `buyer-${Date.now()}@kafedra.test`
  const owner = await openPageAs(page, staffEmail('owner'))
  // Other tests have created courses, which are listed first.
  await owner.goto(addressOf('demo', `/courses?q=${encodeURIComponent(COURSE)}`))
  const links = owner.locator('a[href^="/course/edit/"]', { hasText: COURSE })
  await expect(links.first()).toBeVisible()
  const addresses = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'uk',
    viewport: { width: 390, height: 844 },
  })
  const phone = await context.newPage()
  let courseId = ''

  await test.step('the total of the checkout counts the coupon, and typed text is kept', async () => {
    const offers = phone.getByRole('link', { name: 'Придбати' })
    // Copies of the course have no offers.
    for (const address of addresses) {
      courseId = /[0-9a-f-]{36}/.exec(address)?.[0] ?? ''
      await phone.goto(addressOf('demo', `/course/${courseId}`))
      if ((await offers.count()) > 0) break
    }
    await offers.first().click()
    await phone.getByLabel('Ім’я та прізвище').first().fill('Ганна Їжакевич')
    await phone.getByLabel('Електронна пошта').first().fill(email)
    await phone.getByLabel('Промокод').fill('STUDENT10')
    await phone.getByRole('button', { name: 'Застосувати' }).click()
    await expect(phone.getByRole('button', { name: /^Оплатити 2\s160/ })).toBeVisible()
    await phone.getByRole('button', { name: /^Оплатити/ }).click()
    await expect(phone.getByText('Щоб продовжити, потрібна ваша згода')).toBeVisible()
    await expect(phone.getByLabel('Електронна пошта').first()).toHaveValue(email)
  })

  await test.step('the bank confirms the payment, and the invitation opens the course', async () => {
    await phone.getByLabel(/Я погоджуюся/).check()
    await phone.getByRole('button', { name: /^Оплатити/ }).click()
    await expect(phone.getByText('Тестовий режим: гроші не списуються.')).toBeVisible()
    await phone.getByRole('link', { name: 'Перейти до оплати' }).click()
    await phone.getByRole('button', { name: 'Оплату прийнято' }).click()
    await expect(phone.getByText('Оплачено, дякуємо!')).toBeVisible()
    const { text } = await waitForEmail(page, email, { about: 'Запрошення' })
    await phone.goto(firstLinkIn(text))
    await phone.locator('input[type=password]').first().fill(DEMO_PASSWORD)
    await phone.locator('main button[type=submit]').last().click()
    await phone.goto(addressOf('go', `/course/view/${courseId}`))
    await expect(phone.getByRole('heading', { name: COURSE, level: 1 })).toBeVisible()
  })

  await test.step('the owner refunds the order, and the course is closed again', async () => {
    await owner.goto(addressOf('demo', `/orders?q=${encodeURIComponent(email)}`))
    await expectAccessible(owner)
    await owner.locator('main tbody a[href^="/orders/"]').first().click()
    await owner.locator('summary', { hasText: 'Повернути кошти' }).click()
    await expectAccessible(owner)
    await owner.getByLabel('Причина').fill('Передумала')
    await owner.getByRole('button', { name: 'Повернути кошти' }).click()
    await expect(owner.getByText('Кошти повернуто').first()).toBeVisible()
    await phone.goto(addressOf('go', `/course/view/${courseId}`))
    await expect(phone.getByRole('heading', { name: COURSE, level: 1 })).toHaveCount(0)
  })
})
