import { type Product, startProduct } from '../../setup/product.ts'
import { waitForEmail } from '../support/outbox.ts'
import {
  createSoldCourse,
  downloadText,
  fillBuyer,
  openOrderOf,
  openOwner,
  openVisitor,
  payBySandbox,
  sellOffer,
} from '../support/selling.ts'
import { addressOf, expect, expectAccessible, test } from '../support/test.ts'

/* A separate installation: a school that receives money by bank transfer offers no sandbox any more. */
test.describe.configure({ mode: 'serial' })
test.setTimeout(180_000)

let product: Product
let usual: string | undefined
let courseId = ''
test.beforeAll(async () => {
  test.setTimeout(120_000)
  product = await startProduct()
  usual = process.env.E2E_ORIGIN
  process.env.E2E_ORIGIN = product.addressOf(null, '')
})
test.afterAll(async () => {
  process.env.E2E_ORIGIN = usual
  await product?.stop()
})

test('a visitor reads a free lesson without an account and opens the prices', async ({ page, browser }) => {
  const owner = await openOwner(page)
  const course = await createSoldCourse(owner)
  courseId = course.courseId
  const visitor = await openVisitor(browser)
  await visitor.goto(addressOf('demo', `/course/${courseId}`))
  await expect(visitor.getByText('Платний урок')).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Платний урок' })).toHaveCount(0)
  await visitor.getByRole('link', { name: 'Відкритий урок' }).click()
  await expect(visitor.getByRole('heading', { level: 1, name: 'Відкритий урок' })).toBeVisible()
  await expect(visitor.getByText(course.text)).toBeVisible()
  await expectAccessible(visitor)
  await visitor.getByRole('link', { name: 'Про курс і ціни' }).click()
  await expect(visitor.getByRole('heading', { level: 2, name: 'Ціни' })).toBeVisible()
  const closed = await visitor.goto(addressOf('demo', `/course/${courseId}/lesson/${course.paidLessonId}`))
  expect(closed?.status()).toBe(404)
})

test('a trial needs no card, is given once, and its buyer pays, pauses, resumes and cancels the subscription', async ({
  page,
  browser,
}) => {
  const owner = await openOwner(page)
  const offerId = await sellOffer(owner, courseId, { name: 'Клуб', kind: 'subscription', price: 19_900, trialDays: 7 })
  const email = `trial-${Date.now()}@kafedra.test`
  const buyer = await openVisitor(browser)
  let orderPage = ''

  await test.step('the trial begins at once', async () => {
    await buyer.goto(addressOf('demo', `/checkout/${offerId}`))
    await expect(buyer.getByText(/Перші 7 днів безкоштовно, до/).first()).toBeVisible()
    await expectAccessible(buyer)
    await fillBuyer(buyer, email)
    await buyer.getByRole('button', { name: 'Почати безкоштовно' }).click()
    await expect(buyer.getByText('Пробний період почався')).toBeVisible()
    orderPage = buyer.url()
    await expectAccessible(buyer)
  })

  await test.step('the same address is refused a second trial and sees the price', async () => {
    const again = await openVisitor(browser)
    await again.goto(addressOf('demo', `/checkout/${offerId}`))
    await fillBuyer(again, email, 'Інша Людина')
    await again.getByRole('button', { name: 'Почати безкоштовно' }).click()
    await expect(again.getByText(/Пробний період для цієї адреси вже використано/)).toBeVisible()
    await expect(again.getByLabel('Електронна пошта').first()).toHaveValue(email)
  })

  await test.step('the first payment begins the subscription', async () => {
    await buyer.goto(orderPage)
    await buyer.getByRole('button', { name: /^Оплатити 199/ }).click()
    await payBySandbox(buyer)
    await expect(buyer.getByText(/Наступне списання .* — 199/)).toBeVisible()
  })

  await test.step('a pause charges nothing, and the subscription is resumed', async () => {
    await buyer.locator('summary', { hasText: 'Призупинити підписку' }).click()
    await buyer.getByRole('button', { name: 'Призупинити' }).click()
    await expect(buyer.getByText('Підписку призупинено').first()).toBeVisible()
    await expect(buyer.getByText(/нічого не списується/).first()).toBeVisible()
    await expectAccessible(buyer)
    expect((await waitForEmail(page, email, { about: 'Підписку призупинено' })).subject).toContain('призупинено')
    await openOrderOf(owner, email)
    await expect(owner.getByText('Підписку призупинено').first()).toBeVisible()
    await expectAccessible(owner)
    await buyer.goto(orderPage)
    await buyer.getByRole('button', { name: 'Поновити підписку' }).click()
    await expect(buyer.getByText(/Наступне списання .* — 199/)).toBeVisible()
  })

  await test.step('the buyer cancels it and keeps the paid period', async () => {
    await buyer.locator('summary', { hasText: 'Скасувати підписку' }).click()
    await buyer.getByRole('button', { name: 'Так, скасувати' }).click()
    await expect(buyer.getByText(/Підписку скасовано. Доступ відкрито до/)).toBeVisible()
  })
})

test('a buyer pays the difference to a larger offer, and the former order shows it', async ({ page, browser }) => {
  const owner = await openOwner(page)
  const smaller = await sellOffer(owner, courseId, { name: 'Самостійно', kind: 'once', price: 100_000 })
  await sellOffer(owner, courseId, { name: 'З куратором', kind: 'once', price: 250_000, upgradesOfferId: smaller })
  const email = `upgrade-${Date.now()}@kafedra.test`
  const buyer = await openVisitor(browser)
  await buyer.goto(addressOf('demo', `/checkout/${smaller}`))
  await fillBuyer(buyer, email)
  await buyer.getByRole('button', { name: /^Оплатити 1\s000/ }).click()
  await payBySandbox(buyer)
  await expect(buyer.getByText('Оплачено, дякуємо!')).toBeVisible()
  await expect(buyer.getByText(/Доплата — 1\s500.*сплачені раніше 1\s000/)).toBeVisible()
  await buyer.getByRole('link', { name: 'Перейти на «З куратором»' }).click()
  await expect(buyer.getByText('Сплачено раніше')).toBeVisible()
  await expectAccessible(buyer)
  await fillBuyer(buyer, email)
  await buyer.getByRole('button', { name: /^Оплатити 1\s500/ }).click()
  await payBySandbox(buyer)
  await expect(buyer.getByText('Оплачено, дякуємо!')).toBeVisible()
  await owner.goto(addressOf('demo', `/orders?q=${encodeURIComponent(email)}`))
  await owner.locator('main tbody tr', { hasText: 'Самостійно' }).locator('a[href^="/orders/"]').first().click()
  await expect(owner.getByText(/Оплачено оновлення до іншої пропозиції/)).toBeVisible()
  await expect(owner.getByText('Тестова оплата: оплату прийнято')).toBeVisible()
})

test('the editor shows the price as buyers will see it while it is typed, and keeps what was not saved', async ({
  page,
}) => {
  const owner = await openOwner(page)
  const offerId = await sellOffer(owner, courseId, { name: 'У редакторі', kind: 'once', price: 100_000 })
  const editor = addressOf('demo', `/course/${courseId}/offer/${offerId}`)
  await owner.goto(editor)
  const preview = owner.locator('[data-offer-preview]')
  await expect(preview).toContainText(/1\s000/)
  await owner.getByLabel('Назва').first().fill('Зимовий набір')
  await owner.getByRole('textbox', { name: 'Ціна', exact: true }).fill('1234')
  await expect(preview).toContainText(/1\s234/)
  await expect(preview).toContainText('Зимовий набір')
  await owner.goto(editor)
  await expect(owner.getByLabel('Назва').first()).toHaveValue('Зимовий набір')
  await owner.getByRole('button', { name: 'Зберегти' }).click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Зимовий набір' })).toBeVisible()
  await expectAccessible(owner)
})

test('the owner saves a view of the orders, takes a file of them, and reads the report', async ({ page }) => {
  const owner = await openOwner(page)
  await owner.goto(addressOf('demo', '/orders?state=paid'))
  await owner.locator('summary', { hasText: 'Зберегти вигляд' }).click()
  await owner.getByLabel('Назва вигляду').fill('Оплачені')
  await owner.getByRole('button', { name: 'Зберегти', exact: true }).click()
  const view = owner.getByRole('navigation', { name: 'Збережені вигляди' }).getByRole('link', { name: 'Оплачені' })
  await expect(view).toHaveAttribute('aria-current', 'true')
  await expectAccessible(owner)
  await owner.goto(addressOf('demo', '/orders'))
  await view.click()
  await expect(owner).toHaveURL(/state=paid/)
  const orders = await downloadText(owner, 'Завантажити CSV')
  expect(orders).toMatch(/Номер.*Покупець.*Сплачено/)
  expect(orders).toContain('Самостійно')
  await owner.getByRole('button', { name: 'Видалити вигляд' }).click()
  await expect(view).toHaveCount(0)

  await owner.goto(addressOf('demo', '/orders'))
  await owner.getByRole('link', { name: 'Звіт про продажі' }).click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Звіт про продажі' })).toBeVisible()
  await expect(owner.locator('[data-chart]').first()).toBeVisible()
  await expect(owner.getByRole('row', { name: /Самостійно/ })).toBeVisible()
  // The purchases by the sandbox are no revenue of a school that has received money.
  await expect(owner.getByRole('row', { name: /З куратором/ })).toHaveCount(0)
  await expectAccessible(owner)
  const report = await downloadText(owner, 'Завантажити CSV')
  expect(report).toMatch(/Самостійно/)
  expect(report).not.toMatch(/З куратором/)
})

test('a company pays by bank transfer, and the owner confirms it by a statement', async ({ page, browser }) => {
  const owner = await openOwner(page)
  const offerId = await sellOffer(owner, courseId, { name: 'Для компаній', kind: 'once', price: 150_000 })
  const email = `company-${Date.now()}@kafedra.test`
  const buyer = await openVisitor(browser)
  let number = ''

  await test.step('a wrong account is refused next to its field, and a right one is offered to buyers', async () => {
    await owner.goto(addressOf('demo', '/team?tab=payments'))
    const bank = owner.locator('[data-provider=bank]')
    await bank.getByLabel('Отримувач').fill('ТОВ «Школа»')
    await bank.getByLabel('IBAN').fill('UA00 3223 1300 0002 6007 2335 6600 1')
    await bank.getByLabel('ЄДРПОУ або РНОКПП').fill('12345678')
    await bank.getByRole('button', { name: 'Зберегти реквізити' }).click()
    await expect(bank.getByText(/Це не IBAN українського рахунку/)).toBeVisible()
    await expect(bank.getByLabel('Отримувач')).toHaveValue('ТОВ «Школа»')
    await bank.getByLabel('IBAN').fill('UA21 3223 1300 0002 6007 2335 6600 1')
    await bank.getByRole('button', { name: 'Зберегти реквізити' }).click()
    await expect(bank.getByText('приймає платежі')).toBeVisible()
    await expectAccessible(owner)
  })

  await test.step('the buyer gets the account and an invoice', async () => {
    await buyer.goto(addressOf('demo', `/checkout/${offerId}`))
    await fillBuyer(buyer, email, 'ТОВ «Обрій»')
    await buyer.getByLabel('Банківський переказ').check()
    await buyer.getByRole('button', { name: /^Оплатити 1\s500/ }).click()
    await expect(buyer.getByRole('heading', { name: 'Оплата банківським переказом' })).toBeVisible()
    await expect(buyer.getByText('UA21 3223 1300 0002 6007 2335 6600 1')).toBeVisible()
    await expectAccessible(buyer)
    number = /№\s*(\d+)/.exec(await buyer.getByText(/Оплата за замовленням/).innerText())?.[1] ?? ''
    const href = await buyer.getByRole('link', { name: 'Завантажити рахунок' }).getAttribute('href')
    const invoice = await buyer.evaluate(async (address) => {
      const response = await fetch(address)
      const start = String.fromCharCode(...new Uint8Array(await response.arrayBuffer()).subarray(0, 5))
      return { type: response.headers.get('content-type'), start }
    }, href ?? '')
    expect(invoice).toEqual({ type: 'application/pdf', start: '%PDF-' })
  })

  const upload = async () => {
    await owner.goto(addressOf('demo', '/orders/statement'))
    const lines = [
      'Дата;Сума;Платник;Призначення',
      `25.11.2026;900,00;Хтось;Оплата за замовленням № ${number}`,
      `25.11.2026;1500,00;ТОВ «Обрій»;Оплата за замовленням № ${number}`,
    ]
    const buffer = Buffer.from(lines.join('\n'))
    await owner.locator('input[type=file]').setInputFiles({ name: 'виписка.csv', mimeType: 'text/csv', buffer })
    await owner.getByRole('button', { name: 'Зіставити' }).click()
  }

  await test.step('the statement proposes the line with its number and amount, and shows the other one', async () => {
    await upload()
    await expect(owner.getByText('Знайдено 1 збіг.')).toBeVisible()
    await expect(owner.getByText(/Очікувана сума — 1\s500/)).toBeVisible()
    await expectAccessible(owner)
    await owner.getByRole('button', { name: 'Підтвердити вибрані' }).click()
    await expect(owner.getByText('Підтверджено 1 переказ.')).toBeVisible()
  })

  await test.step('the buyer has the access, and the same line confirms nothing again', async () => {
    await buyer.reload()
    await expect(buyer.getByText('Оплачено, дякуємо!')).toBeVisible()
    await waitForEmail(page, email, { about: 'оплачено' })
    await upload()
    await expect(owner.getByText(/1 рядок уже підтверджував оплату/)).toBeVisible()
    await expect(owner.getByRole('button', { name: 'Підтвердити вибрані' })).toHaveCount(0)
    await openOrderOf(owner, email)
    await expect(owner.getByText('Надходження переказу підтверджено')).toBeVisible()
  })
})
