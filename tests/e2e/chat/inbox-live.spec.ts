import { callApi, openPageAs } from '../support/homework.ts'
import { addressOf, expect, STUDENT, staffEmail, test } from '../support/test.ts'

test('a new question appears in the open inbox without a reload, a selection stays, and the answer is a draft until it is sent', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const mark = Date.now()
  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', '/courses'))
  const course = await student.locator('a[href^="/course/view/"]').first().getAttribute('href')
  await student.goto(addressOf('go', course ?? ''))
  // Another lesson than inbox.spec.ts, which may run at the same time: a lesson has one conversation with a student.
  const lesson = await student.locator('a[href^="/course/lesson/"]').nth(1).getAttribute('href')
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
