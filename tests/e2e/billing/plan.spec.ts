import pg from 'pg'
import { socketDirOf } from '#lib/core/db/embedded-place.ts'
import { type Product, startProduct } from '../../setup/product.ts'
import { openPageAs } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, staffEmail, test } from '../support/test.ts'

/* A separate installation: the trial of its school ends. */
test.setTimeout(180_000)

let product: Product
let usual: string | undefined
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

test('a trial ends, writing is refused, and an upgrade restores it', async ({ page }) => {
  const owner = await openPageAs(page, staffEmail('owner'))
  const createCourse = async (title: string) => {
    await owner.goto(addressOf('demo', '/course/create'))
    await owner.getByLabel('Назва').first().fill(title)
    await owner.locator('main form button[type=submit]').last().click()
  }

  await test.step('the page announces the end of the trial', async () => {
    await endTrial('2 days')
    await owner.goto(addressOf('demo', '/billing'))
    await expect(owner.getByText(/Пробний період триває до/).first()).toBeVisible()
    await expectAccessible(owner)
  })

  await test.step('after its end the school is read-only, and what was typed is kept', async () => {
    await endTrial('-1 days')
    await createCourse('Курс після пробного')
    await expect(owner.getByText(/Тариф школи для цього розділу зараз не діє/).first()).toBeVisible()
    await expect(owner.getByLabel('Назва').first()).toHaveValue('Курс після пробного')
    await owner.goto(addressOf('demo', '/students'))
    await owner.getByRole('link', { name: 'Відкрити тариф' }).click()
    await expect(owner).toHaveURL(/\/billing$/)
  })

  await test.step('the owner chooses a plan, saves the card and pays', async () => {
    await owner.locator('a[href*="group=lms&plan=pro"]').click()
    await expect(owner.getByLabel('Тариф', { exact: true })).toHaveValue('pro')
    await owner.getByRole('button', { name: 'Порахувати' }).click()
    // The price was already shown: a check before the new page would be lost.
    await expect(owner).toHaveURL(/[?&]promo=/)
    await expect(owner.getByText(/До оплати зараз: 1\s490/)).toBeVisible()
    const pay = owner.locator('#change form[method=post]')
    await pay.getByLabel(/Зберегти картку/).check()
    await pay.getByRole('button', { name: 'Перейти до оплати' }).click()
    await owner.getByRole('button', { name: 'Оплату прийнято' }).click()
    await expect(owner).toHaveURL(/\/billing\?purchase=/)
    await expect(owner.getByText(/Оплату отримано/).first()).toBeVisible()
    await expect(owner.getByText('•••• 0000')).toBeVisible()
    await expectAccessible(owner)
  })

  await test.step('the invoice and the act are PDF files', async () => {
    for (const name of ['Рахунок № 2', 'Акт № 2']) {
      const href = await owner.getByRole('link', { name }).getAttribute('href')
      const file = await owner.evaluate(async (address) => {
        const response = await fetch(address)
        const start = String.fromCharCode(...new Uint8Array(await response.arrayBuffer()).subarray(0, 5))
        return { type: response.headers.get('content-type'), start }
      }, href ?? '')
      expect(file).toEqual({ type: 'application/pdf', start: '%PDF-' })
    }
  })

  await test.step('writing works again', async () => {
    await createCourse('Курс після оплати')
    await expect(owner).toHaveURL(/\/course\/edit\//)
  })

  await test.step('a suspended school shows a page that states it', async () => {
    await changeSchool(`update tenant set status = 'suspended' where subdomain = 'demo'`)
    const response = await owner.goto(addressOf('demo', '/courses'))
    expect(response?.status()).toBe(403)
    await expect(owner.getByRole('heading', { level: 1 })).toContainText('Роботу цієї школи призупинено')
    await expectAccessible(owner)
  })
})

const endTrial = (after: string) =>
  changeSchool(
    `update subscription set next_payment = now() + interval '${after}', trial_ends_at = now() + interval '${after}'`,
  )

async function changeSchool(text: string): Promise<void> {
  const client = new pg.Client({ host: socketDirOf(product.dataDir), user: 'kafedra', database: 'kafedra' })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.tenant_id', id::text, true) from tenant where subdomain = 'demo'`)
    await client.query(text)
    await client.query('commit')
  } finally {
    await client.end()
  }
}
