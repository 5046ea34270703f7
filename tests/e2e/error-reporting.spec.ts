import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Product, startProduct } from '../setup/product.ts'
import { addressOf, expect, test } from './support/test.ts'

/** A simulated error-reporting service that records the envelopes it receives. */
async function listen(): Promise<{ dsn: string; envelopes: string[]; close(): void }> {
  const envelopes: string[] = []
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      envelopes.push(Buffer.concat(chunks).toString('utf8'))
      response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { dsn: `http://key@127.0.0.1:${port}/1`, envelopes, close: () => server.close() }
}

test('without a DSN the page contains no error reporting', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(addressOf(null, '/login'))
  await page.waitForLoadState('networkidle')
  expect(await page.locator('meta[name="sentry-dsn"]').count()).toBe(0)
  expect(requests.filter((url) => new URL(url).hostname !== new URL(addressOf(null)).hostname)).toEqual([])
})

test('with a DSN an error of a page is reported without typed text being lost', async ({ browser }) => {
  const far = await listen()
  let product: Product | undefined
  try {
    product = await startProduct({ args: ['--empty'], env: { SENTRY_DSN: far.dsn } })
    const page = await browser.newPage()
    await page.goto(product.addressOf(null, '/login'))
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Електронна пошта').fill('secret-person@kafedra.test')
    await page.evaluate(() => setTimeout(() => Reflect.apply(Reflect.get(globalThis, 'nothingOfTheKind'), null, [])))
    await expect.poll(() => far.envelopes.some((envelope) => envelope.includes('"type":"event"'))).toBe(true)
    expect(far.envelopes.join('\n')).not.toContain('secret-person')
    await page.close()
  } finally {
    await product?.stop()
    far.close()
  }
})
