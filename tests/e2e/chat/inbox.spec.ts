import { callApi, openPageAs } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'
import { turnOnPush } from './push-service.ts'

// One after the other: both write in the conversation of one student, who is notified of the answers.
test.describe.configure({ mode: 'default' })

test('a student asks without network, a curator answers from the inbox by keyboard, and the student receives a push', async ({
  page,
}) => {
  test.setTimeout(150_000)
  const question = `Де знайти план? ${Date.now()}`
  const answer = `У файлах уроку ${Date.now()}`
  const [phone, desktop] = [await openPageAs(page, STUDENT), await openPageAs(page, STUDENT)]
  await phone.setViewportSize({ width: 390, height: 844 })
  const pushService = await turnOnPush(phone)
  await phone.goto(addressOf('go', '/courses'))
  await phone.locator('a[href^="/course/view/"]').first().click()
  await phone.waitForURL(/\/course\/view\//)
  await phone.locator('a[href^="/course/lesson/"]').first().click()
  await phone.waitForURL(/\/course\/lesson\//)
  await phone.getByRole('button', { name: 'Запитати про цей урок' }).click()
  await phone.waitForURL(/\/chat\?conversation=/)
  const conversationId = new URL(phone.url()).searchParams.get('conversation') ?? ''
  await expect(phone.locator('astro-island[ssr]')).toHaveCount(0)
  await phone.context().setOffline(true)
  await phone.getByRole('textbox', { name: 'Ваше повідомлення' }).fill(question)
  await phone.getByRole('button', { name: 'Надіслати', exact: true }).click()
  const messages = phone.getByRole('region', { name: 'Повідомлення розмови' })
  await expect(messages.getByText('немає мережі')).toBeVisible()
  await phone.context().setOffline(false)
  await expect(messages.getByText('немає мережі')).toHaveCount(0)
  await callApi(phone, 'notification/markRead', {})
  await phone.goto(addressOf('go', '/courses'))

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
  const push = await pushService.nextMessage()
  const { title } = JSON.parse(push)
  expect(title).toContain('повідомлення')
  await pushService.deliver(push)
  await expect.poll(() => pushService.shownTitles()).toEqual([title])
  await phone.goto(addressOf('go', `/chat?conversation=${conversationId}`))
  await expect(phone.getByRole('region', { name: 'Повідомлення розмови' }).getByText(answer)).toBeVisible()
  for (const device of [phone, desktop]) await expect(countOf(device)).toBeHidden()
  pushService.close()
  for (const each of [phone, desktop, curator]) await each.context().close()
})

test('a new question appears in the open inbox without a reload, a selection stays, and the answer is a draft until it is sent', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const mark = Date.now()
  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', '/courses'))
  const course = await student.locator('a[href^="/course/view/"]').first().getAttribute('href')
  await student.goto(addressOf('go', course ?? ''))
  const lesson = await student.locator('a[href^="/course/lesson/"]').first().getAttribute('href')
  const lessonId = lesson?.split('/').at(-1)?.split('?')[0] ?? ''
  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', '/inbox'))
  await expect(curator.locator('[data-inbox-list]')).toBeVisible()

  const { conversationId = '' } = await callApi(student, 'chat/startConversation', { kind: 'lesson', lessonId })
  const body = `Не відкривається відео ${mark}`
  await callApi(student, 'chat/sendMessage', { conversationId, messageId: crypto.randomUUID(), body })
  const row = curator.getByRole('listitem').filter({ hasText: String(mark) })
  await expect(row).toBeVisible({ timeout: 45_000 })

  // A selection is not replaced.
  await row.getByRole('checkbox').check()
  const other = `Ще одне запитання ${mark}`
  await callApi(student, 'chat/sendMessage', { conversationId, messageId: crypto.randomUUID(), body: other })
  await expect(row.getByText(other)).toHaveCount(0)
  await expect(row.getByRole('checkbox')).toBeChecked()
  await row.getByRole('checkbox').uncheck()
  await expect(row.getByText(other)).toBeVisible({ timeout: 45_000 })

  await row.getByRole('link').click()
  await curator.waitForURL(/item=lesson/)
  const field = curator.getByRole('textbox', { name: 'Відповідь' })
  await field.fill('Спробуйте інший браузер')
  await curator.reload()
  await expect(field).toHaveValue('Спробуйте інший браузер')
  await field.press('Control+Enter')
  await expect(curator.getByText('Відповідь надіслано.')).toBeVisible()

  // The draft is gone with the answer: the next question of the conversation has an empty field.
  const next = `А як змінити браузер? ${mark}`
  await callApi(student, 'chat/sendMessage', { conversationId, messageId: crypto.randomUUID(), body: next })
  await curator.goto(addressOf('demo', `/inbox?item=lesson.${conversationId}`))
  await expect(curator.getByText(next)).toBeVisible()
  await expect(field).toHaveValue('')
  for (const person of [student, curator]) await person.context().close()
})
