import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { socketDirOf } from '#lib/core/db/embedded-place.ts'
import { PushBrowser } from '../../setup/push-browser.ts'
import { addressOf } from '../support/address.ts'

export interface PushService {
  /** The text of the next message that the product sends to the browser. */
  nextMessage(): Promise<string>
  /** Gives a message to the service worker of the page, as the browser does when its push service delivers one. */
  deliver(message: string): Promise<void>
  /** Titles of the notifications that the service worker has displayed. */
  shownTitles(): Promise<string[]>
  close(): void
}

/**
 * Turns push messages on in the page of a student, with a push service that the test runs: a browser without the service of
 * its vendor cannot subscribe, so `subscribe` returns keys of the test, and the stored address is replaced. A headless
 * browser displays no notifications and denies them, so the permission and their display are replaced as well.
 */
export async function turnOnPush(page: Page): Promise<PushService> {
  const browser = new PushBrowser()
  const origin = addressOf('go', '')
  const endpoint = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`
  await page.addInitScript(
    (subscription) => {
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      Notification.requestPermission = async () => 'granted'
      PushManager.prototype.subscribe = async () =>
        Object.assign(Object.create(PushSubscription.prototype), {
          toJSON: () => subscription,
          unsubscribe: async () => true,
        })
    },
    { endpoint, keys: browser.keys },
  )
  const devtools = await page.context().newCDPSession(page)
  let registrationId = ''
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId: id, scopeURL } of registrations)
      if (scopeURL.endsWith('/notifications/')) registrationId = id
  })
  await devtools.send('ServiceWorker.enable')

  const messages: string[] = []
  const waiting: ((message: string) => void)[] = []
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const message = browser.decrypt(Buffer.concat(chunks))
    const receive = waiting.shift()
    if (receive) receive(message)
    else messages.push(message)
    response.writeHead(201).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  await page.goto(addressOf('go', '/notifications/settings'))
  // The page is loaded again when the subscription is stored.
  const reloaded = page.waitForEvent('load')
  await page.locator('button[data-push="on"]').click()
  await reloaded
  await replaceEndpoint(endpoint, `http://127.0.0.1:${port}/`)
  const [worker] = page
    .context()
    .serviceWorkers()
    .filter((each) => each.url().endsWith('/push-worker.js'))
  if (!worker) throw new Error('the service worker for push messages does not run')
  await worker.evaluate(() => {
    const titles: string[] = []
    Reflect.set(globalThis, 'shownTitles', titles)
    ServiceWorkerRegistration.prototype.showNotification = async (title) => void titles.push(title)
  })
  return {
    nextMessage: () =>
      new Promise((resolve) => {
        const message = messages.shift()
        if (message === undefined) waiting.push(resolve)
        else resolve(message)
      }),
    deliver: async (data) => {
      await devtools.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data,
      })
    },
    shownTitles: () => worker.evaluate(() => Reflect.get(globalThis, 'shownTitles')),
    close: () => server.close(),
  }
}

async function replaceEndpoint(from: string, to: string): Promise<void> {
  const client = new pg.Client({
    host: socketDirOf(process.env.E2E_DATA_DIR ?? ''),
    user: 'kafedra',
    database: 'kafedra',
  })
  await client.connect()
  try {
    await client.query(`select set_config('app.tenant_id', id::text, false) from tenant where subdomain = 'demo'`)
    const { rowCount } = await client.query('update push_subscription set endpoint = $2 where endpoint = $1', [
      from,
      to,
    ])
    if (rowCount !== 1) throw new Error('the subscription was not stored')
  } finally {
    await client.end()
  }
}
