import type { Locator } from '@playwright/test'
import pg from 'pg'
import { socketDirOf } from '#lib/core/db/embedded-place.ts'
import { makeConversations } from '../../../scripts/bench/chat/many-conversations.ts'
import { type Product, startProduct } from '../../setup/product.ts'
import { openPageAs } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, staffEmail, test } from '../support/test.ts'

/* A separate installation, whose curator has 2,000 conversations. */
test.setTimeout(180_000)

const MANY = 2000
/** The visible rows of a window of 720 pixels, and those around them. */
const MOST_ROWS = 60
/** Later pages have 100 conversations each; a connection of the live stream reads the first one again. */
const MOST_REQUESTS = MANY / 100 + 4

let product: Product
let usual: string | undefined
test.beforeAll(async () => {
  test.setTimeout(120_000)
  product = await startProduct()
  usual = process.env.E2E_ORIGIN
  process.env.E2E_ORIGIN = product.addressOf(null, '')
  await addConversations()
})
test.afterAll(async () => {
  process.env.E2E_ORIGIN = usual
  await product?.stop()
})

test('2,000 conversations are scrolled to the last one with few rows in the document and few requests', async ({
  page,
}) => {
  const curator = await openPageAs(page, staffEmail('curator'))
  let requests = 0
  curator.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/chat/listConversations')) requests += 1
  })
  await curator.goto(addressOf('demo', '/chat'))
  await expect(curator.locator('astro-island[ssr]')).toHaveCount(0)
  const rows = curator.getByRole('list', { name: 'Розмови' }).getByRole('listitem')
  const first = rows.first().getByRole('link')
  await first.focus()
  const mostRows = await countWhileScrolling(curator.locator('.chat-side'))
  const last = rows.last()
  await expect(last).toContainText('Розмова 1')
  await expect(last).toBeInViewport()
  const count = Number(await last.getAttribute('aria-setsize'))
  expect(count).toBeGreaterThan(MANY)
  await expect(last).toHaveAttribute('aria-posinset', String(count))
  // The row with the focus stays in the document.
  await expect(first).toBeFocused()
  expect(mostRows).toBeLessThan(MOST_ROWS)
  expect(requests).toBeGreaterThan(0)
  expect(requests).toBeLessThanOrEqual(MOST_REQUESTS)
  await expectAccessible(curator)

  // A message is forwarded to a conversation of a page that has not been loaded.
  await last.getByRole('link').click()
  await curator.waitForURL(/conversation=/)
  await expect(curator.locator('astro-island[ssr]')).toHaveCount(0)
  await curator
    .getByRole('button', { name: /^Дії з повідомленням/ })
    .first()
    .press('Enter')
  await curator.getByRole('menuitem', { name: 'Переслати' }).click()
  const forward = curator.getByRole('dialog', { name: 'Переслати повідомлення' })
  await forward.getByRole('searchbox').fill('Розмова 777')
  await forward.getByRole('radio', { name: 'Розмова 777' }).check()
  await forward.getByRole('button', { name: 'Переслати' }).click()
  await expect(curator.getByText('Повідомлення переслано.')).toBeVisible()
  await curator.context().close()
})

/** Scrolls to the end until no page follows, for a minute and a half at most. Returns the largest number of rows that the document had. */
const countWhileScrolling = (column: Locator): Promise<number> =>
  column.evaluate(async (element) => {
    let most = 0
    const started = performance.now()
    do {
      if (performance.now() - started > 90_000) throw new Error('the end of the list was not reached')
      element.scrollTop = element.scrollHeight
      await new Promise((resolve) => setTimeout(resolve, 20))
      most = Math.max(most, element.querySelectorAll('.chat-list > li').length)
    } while (
      element.querySelector('.chat-list + p') ||
      element.scrollTop + element.clientHeight < element.scrollHeight - 1
    )
    return most
  })

async function addConversations(): Promise<void> {
  const client = new pg.Client({ host: socketDirOf(product.dataDir), user: 'kafedra', database: 'kafedra' })
  await client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query(`select id as "tenantId", set_config('app.tenant_id', id::text, true)
      from tenant where subdomain = 'demo'`)
    const { rows: members } = await client.query(
      `select m.id from membership m join "user" u on u.id = m.user_id where u.email = $1`,
      [staffEmail('curator')],
    )
    await client.query("select set_config('app.restoring', 'on', true)")
    await makeConversations(client, { tenantId: rows[0].tenantId, memberId: members[0].id, count: MANY })
    await client.query('commit')
  } finally {
    await client.end()
  }
}
