import type { Browser, Page } from '@playwright/test'
import { inlineSize } from '../../../scripts/bench/pages/script-graph.ts'
import { callApi, openPageAs } from '../support/homework.ts'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import { addressOf, DEMO_PASSWORD, expect, expectAccessible, staffEmail, test } from '../support/test.ts'

const COURSE = 'Перший вебінар: від ідеї до запису'
const OTHER_COURSE = 'Голос лектора: дихання, темп, паузи'

test('the owner sells an offer with a promo code, a visitor buys it on a phone without JavaScript, and a refund ends this access only', async ({
  browser,
  page,
}) => {
  test.slow()
  const email = `buyer-${Date.now()}@kafedra.test`
  const code = `OSIN${Date.now()}`
  const owner = await openPageAs(page, staffEmail('owner'))
  const phone = await openPhone(browser)
  let courseId = ''
  let offerId = ''

  await test.step('the owner creates the offer and a promo code for it', async () => {
    courseId = await findCourse(owner, COURSE)
    await owner.goto(addressOf('demo', `/course/${courseId}/offer`))
    await owner.getByLabel('Назва').first().fill('Осінній набір')
    await owner.getByLabel('Ціна', { exact: true }).fill('1000')
    await owner.getByRole('button', { name: 'Створити чернетку' }).click()
    await expect(owner.getByRole('heading', { level: 1, name: 'Осінній набір' })).toBeVisible()
    offerId = owner.url().split('/').at(-1) ?? ''
    await owner.getByRole('button', { name: 'Почати продаж' }).first().click()
    await expect(owner.getByText('У продажу').first()).toBeVisible()
    await expectAccessible(owner)
    await owner.goto(addressOf('demo', `/course/edit/${courseId}?tab=offers`))
    await owner.locator('summary', { hasText: 'Створити промокод' }).click()
    await owner.getByLabel('Код', { exact: true }).fill(code)
    await owner.getByLabel('Розмір').fill('20')
    await owner.getByRole('button', { name: 'Зберегти промокод' }).click()
    await expect(owner.getByText(code)).toBeVisible()
  })

  await test.step('a browser with JavaScript loads at most 10 KB of script for the checkout', async () => {
    expect(await measureScripts(browser, addressOf('demo', `/checkout/${offerId}`))).toBeLessThanOrEqual(10 * 1024)
  })

  await test.step('the total of the checkout counts the promo code, and typed text is kept', async () => {
    await phone.goto(addressOf('demo', `/course/${courseId}?utm_source=e2e`))
    await phone.locator(`a[href^="/checkout/${offerId}"]`).click()
    await fillBuyer(phone, email)
    await phone.getByLabel('Промокод').fill(code)
    await phone.getByRole('button', { name: 'Застосувати' }).click()
    await expect(phone.getByRole('button', { name: /^Оплатити 800/ })).toBeVisible()
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
    await expectCourse(phone, courseId, COURSE, true)
  })

  let otherId = ''
  await test.step('the same person gets another course by an offer without a price', async () => {
    otherId = await findCourse(owner, OTHER_COURSE)
    const free = { offerId: crypto.randomUUID(), courseId: otherId, name: 'Подарунок', kind: 'free', price: 0 }
    await callApi(owner, 'offer/create', { ...free, currency: 'UAH' })
    await callApi(owner, 'offer/publish', { offerId: free.offerId })
    await phone.goto(addressOf('demo', `/checkout/${free.offerId}`))
    await fillBuyer(phone, email)
    await phone.getByLabel(/Я погоджуюся/).check()
    await phone.getByRole('button', { name: 'Отримати доступ' }).click()
    await expectCourse(phone, otherId, OTHER_COURSE, true)
  })

  await test.step('the owner refunds the paid order: its course is closed, the other one stays open', async () => {
    await owner.goto(addressOf('demo', `/orders?q=${encodeURIComponent(email)}`))
    await expectAccessible(owner)
    await owner.locator('main tbody tr', { hasText: 'Осінній набір' }).locator('a[href^="/orders/"]').first().click()
    await owner.locator('summary', { hasText: 'Повернути кошти' }).click()
    await expectAccessible(owner)
    await owner.getByLabel('Причина').fill('Передумала')
    await owner.getByRole('button', { name: 'Далі' }).click()
    await expect(owner.getByRole('heading', { name: 'Перевірте повернення' })).toBeVisible()
    await expectAccessible(owner)
    await owner.getByRole('button', { name: /^Повернути / }).click()
    await expect(owner.getByText('Кошти повернуто').first()).toBeVisible()
    await expectCourse(phone, courseId, COURSE, false)
    await expectCourse(phone, otherId, OTHER_COURSE, true)
  })
})

/** Bytes of the scripts that a visitor loads, as they are sent, and of those in the page, compressed. */
async function measureScripts(browser: Browser, address: string): Promise<number> {
  const tab = await (await browser.newContext({ locale: 'uk' })).newPage()
  const sizes: Promise<number>[] = []
  tab.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  const response = await tab.goto(address, { waitUntil: 'networkidle' })
  const inline = inlineSize((await response?.text()) ?? '')
  const loaded = await Promise.all(sizes)
  await tab.context().close()
  return loaded.reduce((sum, size) => sum + size, inline)
}

async function openPhone(browser: Browser): Promise<Page> {
  const viewport = { width: 390, height: 844 }
  return (await browser.newContext({ javaScriptEnabled: false, locale: 'uk', viewport })).newPage()
}

// Other tests have created courses, also copies of this one, which are listed first; the demo school has it with offers.
async function findCourse(owner: Page, title: string): Promise<string> {
  await owner.goto(addressOf('demo', `/courses?status=published&q=${encodeURIComponent(title)}`))
  const href = await owner.locator('a[href^="/course/edit/"]', { hasText: title }).last().getAttribute('href')
  return /[0-9a-f-]{36}/.exec(href ?? '')?.[0] ?? ''
}

async function fillBuyer(phone: Page, email: string): Promise<void> {
  await phone.getByLabel('Ім’я та прізвище').first().fill('Ганна Їжакевич')
  await phone.getByLabel('Електронна пошта').first().fill(email)
}

async function expectCourse(phone: Page, courseId: string, title: string, isOpen: boolean): Promise<void> {
  await phone.goto(addressOf('go', `/course/view/${courseId}`))
  await expect(phone.getByRole('heading', { name: title, level: 1 })).toHaveCount(isOpen ? 1 : 0)
}
