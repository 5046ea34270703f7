import { callApi, openPageAs } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

test('a curator answers from the inbox by keyboard, and both devices of the student count it exactly', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const question = `Де знайти план? ${Date.now()}`
  const answer = `У файлах уроку ${Date.now()}`
  const [phone, desktop] = [await openPageAs(page, STUDENT), await openPageAs(page, STUDENT)]
  await phone.goto(addressOf('go', '/courses'))
  await phone.locator('a[href^="/course/view/"]').first().click()
  await phone.waitForURL(/\/course\/view\//)
  await phone.locator('a[href^="/course/lesson/"]').first().click()
  await phone.waitForURL(/\/course\/lesson\//)
  const lessonId = new URL(phone.url()).pathname.split('/').at(-1) ?? ''
  const { conversationId = '' } = await callApi(phone, 'chat/startConversation', { kind: 'lesson', lessonId })
  const messageId = crypto.randomUUID()
  await callApi(phone, 'chat/sendMessage', { conversationId, messageId, body: question })
  await callApi(phone, 'notification/markRead', {})

  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', '/inbox'))
  const row = curator.getByRole('listitem').filter({ hasText: question })
  await expect(row).toBeVisible()
  await expectAccessible(curator)
  await curator.keyboard.press('j')
  await expect(curator.locator('[data-item]').first()).toBeFocused()
  await row.getByRole('link').focus()
  await curator.keyboard.press('x')
  await expect(row.getByRole('checkbox')).toBeChecked()
  await curator.keyboard.press('Enter')
  await curator.waitForURL(/item=lesson/)
  await expectAccessible(curator)
  await curator.keyboard.press('r')
  const field = curator.getByRole('textbox', { name: 'Відповідь' })
  await expect(field).toBeFocused()
  await field.fill(answer)
  await curator.reload()
  await expect(field).toHaveValue(answer)
  await field.press('Control+Enter')
  await expect(curator.getByText('Відповідь надіслано.')).toBeVisible()
  await curator.goto(addressOf('demo', '/inbox'))
  await expect(row).toHaveCount(0)

  // The job notifies after ten seconds; both pages stay open.
  await desktop.goto(addressOf('go', '/courses'))
  const countOf = (device: typeof phone) => device.locator('[data-bell-count]')
  for (const device of [phone, desktop]) await expect(countOf(device)).toHaveText('1', { timeout: 30_000 })
  await phone.goto(addressOf('go', `/chat?conversation=${conversationId}`))
  await expect(phone.getByRole('region', { name: 'Повідомлення розмови' }).getByText(answer)).toBeVisible()
  for (const device of [phone, desktop]) await expect(countOf(device)).toBeHidden()
  for (const each of [phone, desktop, curator]) await each.context().close()
})
