import http from 'node:http'
import type { Browser, Page } from '@playwright/test'
import pg from 'pg'
import { socketDirOf } from '#lib/core/db/embedded-place.ts'
import { type Product, startProduct } from '../../setup/product.ts'
import { createEvent, WITH_DEVICES, waitForRoom } from '../support/meeting.ts'
import { type Appearance, applyAppearance, expect, expectAccessible, test } from '../support/test.ts'

/*
 * A separate installation whose tenant has a plan with few seats: 50 viewers and a tenth more.
 */
test.use(WITH_DEVICES)
test.setTimeout(180_000)

const SEATS = 55

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

test('a viewer without a seat waits in the queue and is admitted when another viewer leaves', async ({
  page: host,
  browser,
}) => {
  const { roomUrl } = await createEvent(host)
  await host.goto(roomUrl)
  await waitForRoom(host)
  await host.keyboard.press('Escape')
  await host.keyboard.press('g')
  await expect(host.locator('[data-room]')).toHaveAttribute('data-phase', 'live')

  const first = await browser.newContext({ locale: 'uk-UA' })
  const seated = await first.newPage()
  await seated.goto(roomUrl)
  await seated.getByLabel('Ваше ім’я').fill('Перша')
  await seated.getByRole('button', { name: 'Увійти' }).click()
  await waitForRoom(seated)
  await takePlan('start')
  for (let guest = 1; guest < SEATS; guest++) await sitDown(new URL(roomUrl).pathname, `Guest ${guest}`)

  const next = await queueUp(browser, roomUrl, { locale: 'uk', theme: 'day', width: 1440 })
  await expect(next.locator('[data-place]')).toHaveText('1')
  await expectAccessible(next)
  const last = await queueUp(browser, roomUrl, { locale: 'en', theme: 'night', width: 390 })
  await expect(last.locator('[data-place]')).toHaveText('2')
  await expectAccessible(last)
  await expect(host.getByText(/^2 людини чекають/)).toBeVisible()

  // A viewer who leaves frees the seat for the first of the waiting queue, whose page opens the room by itself.
  await seated.keyboard.press('q')
  await seated.getByRole('dialog').getByRole('button', { name: 'Вийти' }).click()
  await next.waitForURL(/\/meeting\/join\//, { timeout: 30_000 })
  await expect(last.locator('[data-place]')).toHaveText('1')
  for (const page of [next, last, seated]) await page.context().close()
})

async function queueUp(browser: Browser, roomUrl: string, look: Appearance): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await applyAppearance(page, look)
  await page.goto(roomUrl)
  await page.locator('input[name="name"]').fill('Пізня')
  await page.locator('main form button[type="submit"]').click()
  await page.waitForURL(/\/meeting\/limit/)
  return page
}

/** Sets the plan of the tenant in the database. */
async function takePlan(plan: string): Promise<void> {
  const client = new pg.Client({
    host: socketDirOf(product.dataDir),
    user: 'kafedra',
    database: 'kafedra',
  })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.tenant_id', id::text, true) from tenant where subdomain = 'demo'`)
    await client.query(`update subscription set plan = $1 where "group" = 'workshop'`, [plan])
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Joins as a guest by HTTP only, which reserves a seat for a minute. */
async function sitDown(roomUrl: string, name: string): Promise<void> {
  const { headers } = await requestPath('POST', roomUrl, { body: String(new URLSearchParams({ name })) })
  const cookie = (headers['set-cookie'] ?? []).map((setCookie) => setCookie.split(';')[0]).join('; ')
  await requestPath('GET', headers.location ?? roomUrl, { cookie })
}

function requestPath(method: string, to: string, { body = '', cookie = '' }): Promise<http.IncomingMessage> {
  const host = new URL(product.addressOf('demo')).host
  const headers = {
    host,
    origin: `http://${host}`,
    cookie,
    ...(body ? { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) } : {}),
  }
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port: product.port, method, path: to, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer))
    })
    sent.once('error', reject).end(body)
  })
}
