import { openPageAs } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

const PHONE = { width: 390, height: 844 }

test('a student asks about a lesson without network, a curator answers, the student sees the answer', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const question = `Чи є запис лекції? ${Date.now()}`
  const answer = `Так, він **під уроком** ${Date.now()}`
  const student = await openPageAs(page, STUDENT)
  await student.setViewportSize(PHONE)
  await student.goto(addressOf('go', '/courses'))
  await student.locator('a[href^="/course/view/"]').first().click()
  await student.waitForURL(/\/course\/view\//)
  await student.locator('a[href^="/course/lesson/"]').first().click()
  await student.waitForURL(/\/course\/lesson\//)
  await student.getByRole('button', { name: 'Запитати про цей урок' }).click()
  await student.waitForURL(/\/chat\?conversation=/)
  const conversation = new URL(student.url()).search
  const field = student.getByRole('textbox', { name: 'Ваше повідомлення' })
  const send = student.getByRole('button', { name: 'Надіслати', exact: true })
  await expect(student.locator('astro-island[ssr]')).toHaveCount(0)

  await student.context().setOffline(true)
  await field.fill(question)
  await send.click()
  const messages = student.getByRole('region', { name: 'Повідомлення розмови' })
  await expect(messages.getByText('немає мережі')).toBeVisible()
  await expect(field).toHaveValue('')
  await student.context().setOffline(false)
  await expect(messages.getByText('немає мережі')).toHaveCount(0)
  await expect(messages.getByText(question)).toHaveCount(1)
  expect(await student.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await expectAccessible(student)

  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', '/chat'))
  const row = curator.getByRole('link', { name: question })
  await expect(row.getByText('непрочитан')).toHaveCount(1)
  await row.click()
  await curator.waitForURL((url) => url.search === conversation)
  await expect(curator.locator('astro-island[ssr]')).toHaveCount(0)
  const reply = curator.getByRole('textbox', { name: 'Ваше повідомлення' })
  await reply.fill('Чернетка')
  await curator.reload()
  await expect(reply).toHaveValue('Чернетка')
  await reply.fill(answer)
  await reply.press('Enter')

  await expect(messages.getByText('під уроком')).toBeVisible()
  await expect(messages.locator('strong', { hasText: 'під уроком' })).toBeVisible()
  // Read on both sides: no number is left after a reload.
  await expect(row.getByText('непрочитан')).toHaveCount(0)
  await expectAccessible(curator)
  await expect(async () => {
    await student.goto(addressOf('go', '/chat'))
    await expect(student.getByRole('link', { name: 'під уроком' })).toBeVisible()
    await expect(student.getByRole('link', { name: 'під уроком' }).getByText('непрочитан')).toHaveCount(0)
  }).toPass()
  for (const each of [student, curator]) await each.context().close()
})
