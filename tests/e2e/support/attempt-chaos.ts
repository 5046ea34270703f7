import type { BrowserContext, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { seededRandom } from '#lib/quiz/attempt/shuffle.ts'
import { addressOf } from './address.ts'
import { callApi, openPageAs } from './homework.ts'
import type { InterruptedProduct } from './interrupted-product.ts'
import { startAttempt } from './quiz.ts'
import { STUDENT } from './sign-in.ts'

const STEPS = 12
const HOUR_MS = 3_600_000

interface Device {
  context: BrowserContext
  cookies: Awaited<ReturnType<BrowserContext['cookies']>>
  tabs: Page[]
}

interface Scene {
  product: InterruptedProduct
  url: string
  seed: number
  pick(below: number): number
  words: string[]
  /** What has happened, for the message of a failure. */
  history: string[]
}

/** The outcome of an attempt: the words that were typed, and its answers on the server. */
export interface ChaosOutcome {
  attemptId: string
  words: string[]
  history: string[]
  state: string
  answers: { questionId: string; value: unknown }[]
}

/**
 * An attempt at a test of an essay, a short text and a single choice on two devices of the demo student, with what the
 * seed decides: killed tabs and servers, cut networks, lost cookies, changed clocks, conflicts. It ends by the deadline
 * while the last words are being saved, or by the button.
 */
export async function runAttemptChaos(
  page: Page,
  { product, quizId, seed }: { product: InterruptedProduct; quizId: string; seed: number },
): Promise<ChaosOutcome> {
  const random = seededRandom(seed)
  const url = addressOf('go', `/test/${quizId}/questions`)
  const scene: Scene = { product, url, seed, words: [], history: [], pick: (below) => Math.floor(random() * below) }
  const devices: Device[] = []
  for (let count = 0; count < 2; count += 1) {
    const tab = await openPageAs(page, STUDENT)
    const context = tab.context()
    const device = { context, cookies: await context.cookies(), tabs: [tab] }
    devices.push(device)
    // Tabs of one context may share a process: one that crashes takes the other with it.
    context.on('page', (opened) => opened.on('crash', () => forgetTab(device, opened)))
    tab.on('crash', () => forgetTab(device, tab))
    await tab.goto(addressOf('go', '/courses'))
  }
  const [first, second] = devices
  const [tab] = first?.tabs ?? []
  if (!first || !second || !tab) throw new Error('there are no devices')
  const attemptId = await startAttempt(tab, quizId)
  for (const device of devices) for (const open of device.tabs) await arrive(open, url)
  await writeWord(tab, scene)
  for (let step = 0; step < STEPS; step += 1) {
    const device = scene.pick(2) === 0 ? first : second
    scene.history.push(`device ${devices.indexOf(device) + 1} of ${device.tabs.length} tabs`)
    await happen(device, scene)
  }
  for (const device of devices) await comeBack(device, scene)
  for (const device of devices) for (const open of device.tabs) await settle(open)
  await finish(first, scene, attemptId)
  const [last] = first.tabs
  if (!last) throw new Error('the first device has no tab')
  const saved = await callApi<Pick<ChaosOutcome, 'state' | 'answers'>>(last, 'quiz/getAttempt', { attemptId })
  for (const { context } of devices) await context.close()
  return { attemptId, words: scene.words, history: scene.history, ...saved }
}

/** Repeated names happen more often. */
const ACTIONS = [
  ...(['write', 'write', 'write', 'write', 'write', 'go offline', 'go online', 'sign out', 'sign in'] as const),
  ...(['shift the clock', 'kill the tab', 'kill the tab', 'open a tab', 'open a tab', 'decide', 'restart'] as const),
]

async function happen(device: Device, scene: Scene): Promise<void> {
  const { pick, history } = scene
  const at = pick(device.tabs.length)
  const tab = device.tabs[at]
  const action = tab ? ACTIONS[pick(ACTIONS.length)] : 'open a tab'
  history.push(`tab ${at + 1}: ${action}`)
  if (!tab) return openTab(device, scene)
  switch (action) {
    case 'write':
      return write(tab, scene)
    case 'go offline':
      return device.context.setOffline(true)
    case 'go online':
      return device.context.setOffline(false)
    case 'sign out':
      return device.context.clearCookies({ name: 'token' })
    case 'sign in':
      return device.context.addCookies(device.cookies)
    case 'shift the clock':
      return shiftClock(tab, (pick(48) - 24) * HOUR_MS)
    case 'kill the tab':
      await write(tab, scene)
      forgetTab(device, tab)
      return kill(tab, scene)
    case 'open a tab':
      return device.tabs.length < 2 ? openTab(device, scene) : undefined
    case 'decide':
      return decide(tab)
    default:
      await scene.product.kill()
      await write(tab, scene)
      await scene.product.restart()
  }
}

async function write(tab: Page, scene: Scene): Promise<void> {
  const { pick } = scene
  const field = pick(5)
  if (field === 3) await tab.locator('[data-question] input.input').fill(`Шевченко ${pick(100)}`)
  else if (field === 4) await tab.locator('[data-question] input[type=radio]').nth(pick(3)).check()
  else await writeWord(tab, scene)
}

async function writeWord(tab: Page, { words, seed, history }: Scene): Promise<void> {
  const word = `s${seed}w${words.length}z`
  history.push(`typed ${word}`)
  await tab.locator('textarea').focus()
  await tab.keyboard.press('Control+End')
  await tab.keyboard.type(` ${word}`)
  words.push(word)
}

function forgetTab(device: Device, tab: Page): void {
  device.tabs = device.tabs.filter((open) => open !== tab)
}

/** The device's clock is set to another time. */
async function shiftClock(tab: Page, byMs: number): Promise<void> {
  await tab.evaluate((offsetMs) => {
    const { now } = Date
    Date.now = () => now.call(Date) + offsetMs
  }, byMs)
}

// A renderer that crashes says no farewell; a tab that is closed may.
async function kill(tab: Page, { pick, history }: Scene): Promise<void> {
  if (pick(2) === 0) {
    history.push('it crashes')
    const session = await tab.context().newCDPSession(tab)
    const crashed = tab.waitForEvent('crash')
    void session.send('Page.crash').catch(() => undefined)
    await crashed
  }
  await tab.close({ runBeforeUnload: false })
}

async function openTab(device: Device, { url }: Scene): Promise<void> {
  await device.context.setOffline(false)
  await device.context.addCookies(device.cookies)
  const tab = await device.context.newPage()
  device.tabs.push(tab)
  await arrive(tab, url)
}

async function arrive(tab: Page, url: string): Promise<void> {
  await tab.goto(url)
  // The script of the page shows the time that is left.
  await expect(tab.locator('[data-left]')).toBeVisible()
}

/** The network and the session are back; what a dead tab left is found by the next page. */
async function comeBack(device: Device, scene: Scene): Promise<void> {
  await device.context.setOffline(false)
  await device.context.addCookies(device.cookies)
  const [tab] = device.tabs
  if (tab) await arrive(tab, scene.url)
  else await openTab(device, scene)
}

async function decide(tab: Page): Promise<void> {
  for (const name of ['Залишити обидві', 'Залишити мою']) {
    const [choice] = await tab.getByRole('button', { name }).all()
    if (choice) await choice.click()
  }
}

/** Waits until the server has everything that a tab shows. */
async function settle(tab: Page): Promise<void> {
  await expect(async () => {
    await tab.evaluate(() => window.dispatchEvent(new Event('focus')))
    await decide(tab)
    const waiting = await tab.evaluate(() => {
      const isShown = (selector: string) => document.querySelector<HTMLElement>(selector)?.hidden === false
      const text = document.querySelector('[data-save-summary]')?.textContent ?? ''
      return text !== '' || isShown('[data-notice]') || document.querySelector('.attempt-conflict') !== null
    })
    expect(waiting, 'answers that wait although everything works').toBe(false)
  }).toPass({ timeout: 40_000 })
}

/** The last words are typed; then the deadline comes while they are being saved, or the attempt is submitted. */
async function finish(device: Device, scene: Scene, attemptId: string): Promise<void> {
  const [tab] = device.tabs
  if (!tab) throw new Error('the first device has no tab')
  await write(tab, scene)
  if (scene.seed % 2 === 1) {
    await scene.product.setDeadline(attemptId, 0.5)
    await tab.evaluate(() => window.dispatchEvent(new Event('focus')))
  } else {
    await tab.getByRole('button', { name: 'Завершити…' }).click()
    await tab.getByRole('button', { name: 'Завершити спробу' }).click()
  }
  await tab.waitForURL(/\/result/)
}
