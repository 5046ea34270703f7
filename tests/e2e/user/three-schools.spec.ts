import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { callApi, openPageAs } from '../support/homework.ts'
import { firstLinkIn, waitForEmail } from '../support/outbox.ts'
import { addressOf, DEMO_PASSWORD, expect, expectAccessible, staffEmail, test } from '../support/test.ts'

/** Signs up with a new school and confirms the mailbox. */
async function foundSchool(page: Page, { email, subdomain, organisation }: Record<string, string>): Promise<void> {
  await page.goto(addressOf(null, '/register'))
  await page.getByLabel('Назва організації').fill(organisation ?? '')
  await page.getByLabel('Ім’я').fill('Марта')
  await page.getByLabel('Адреса школи').fill(subdomain ?? '')
  await page.getByLabel('Електронна пошта').fill(email ?? '')
  await page.getByLabel('Пароль', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Створити школу' }).click()
  await expect(page.getByRole('heading', { name: 'Підтвердьте пошту' })).toBeVisible()
  const { subject } = await waitForEmail(page, email ?? '')
  await page.getByLabel('Код із листа').fill(/\d{6}/.exec(subject)?.[0] ?? '')
  await page.waitForURL(addressOf(subdomain ?? null, '/'))
}

const switchTo = async (page: Page, name: string) => {
  await page.locator('summary', { hasText: 'Змінити школу' }).first().click()
  await page.locator('.switcher').filter({ visible: true }).getByText(name).click()
}

test('a person is the owner of one school, a curator of another and a student of a third, and switches between them', async ({
  page,
}) => {
  const mark = randomBytes(4).toString('hex')
  const email = `three-${mark}@kafedra.test`
  const own = { email, subdomain: `own-${mark}`, organisation: `Школа ${mark}` }
  await foundSchool(page, own)
  await expect(page.getByText('Змінити школу')).toHaveCount(0)

  const owner = await openPageAs(page, staffEmail('owner'))
  await owner.goto(addressOf('demo', '/team'))
  const last = (await waitForEmail(page, email)).id
  const { memberId = '' } = await callApi(owner, 'team/invite', { email, name: 'Марта Трояк', roles: ['CURATOR'] })
  const toTeam = await waitForEmail(page, email, { after: last })
  await page.goto(firstLinkIn(toTeam.text))
  await page.getByRole('button', { name: 'Приєднатися до команди' }).click()
  await page.waitForURL(addressOf('demo', '/'))

  const sonata = await openPageAs(page, 'owner@sonata.test')
  await sonata.goto(addressOf('sonata', '/students'))
  await callApi(sonata, 'student/invite', { email, name: 'Марта' })
  const toStudy = await waitForEmail(page, email, { after: toTeam.id })
  await page.goto(firstLinkIn(toStudy.text))
  // Another test may have configured a registration form for this school.
  const accept = page.getByRole('button', { name: 'Прийняти запрошення' })
  if (await accept.isVisible()) {
    await page.getByRole('textbox').fill('Львів')
    await page.getByRole('checkbox').check()
    await accept.click()
  }
  await page.waitForURL(addressOf('go', '/profile'))
  await expect(page.locator('summary', { hasText: 'Змінити школу' }).first()).toContainText('Соната')
  await expectAccessible(page)

  // Each school shows the role of the person in it, and nothing of other schools.
  await switchTo(page, 'Школа «Лекторій»')
  await page.waitForURL(addressOf('demo', '/'))
  await page.goto(addressOf('demo', '/homework'))
  await expect(page.getByRole('heading', { name: 'Домашні завдання' })).toBeVisible()
  await page.goto(addressOf('demo', '/team'))
  await page.waitForURL(addressOf('demo', '/'))
  await switchTo(page, own.organisation)
  await page.waitForURL(addressOf(own.subdomain, '/'))
  await page.goto(addressOf(own.subdomain, '/team'))
  await expect(page.getByRole('heading', { name: 'Команда' })).toBeVisible()
  await expect(page.getByText(email).first()).toBeVisible()
  await page.goto(addressOf(own.subdomain, '/students'))
  await expect(page.getByText('Студентів ще немає')).toBeVisible()
  await expectAccessible(page)
  await switchTo(page, 'Музична школа «Соната»')
  await page.waitForURL(addressOf('go', '/profile'))

  // A person of another school is redirected from a host: sonata's cabinet is for its team.
  expect((await page.goto(addressOf('sonata', '/students')))?.url()).not.toBe(addressOf('sonata', '/students'))
  // Memberships are independent: the demo school blocks its curator, the others are unchanged.
  await callApi(owner, 'team/block', { memberId })
  expect((await page.goto(addressOf('demo', '/homework')))?.url()).not.toBe(addressOf('demo', '/homework'))
  expect((await page.goto(addressOf(own.subdomain, '/team')))?.status()).toBe(200)
  for (const other of [owner, sonata]) await other.context().close()
})
