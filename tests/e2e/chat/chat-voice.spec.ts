import { typedInTwoDays } from '../../setup/chat/typed-date.ts'
import { openPageAs } from '../support/homework.ts'
import { WITH_DEVICES } from '../support/meeting.ts'
import { addressOf, expect, expectAccessible, STUDENT, test } from '../support/test.ts'

test.use(WITH_DEVICES)

test('a voice message is recorded by keyboard without network, and sent after it returns', async ({ page }) => {
  test.setTimeout(120_000)
  const student = await openPageAs(page, STUDENT)
  await student.context().grantPermissions(['microphone'])
  await student.goto(addressOf('go', '/chat'))
  await student.getByRole('link', { name: 'Підтримка школи' }).first().click()
  await student.waitForURL(/conversation=/)
  await expect(student.locator('astro-island[ssr]')).toHaveCount(0)
  const messages = student.getByRole('region', { name: 'Повідомлення розмови' })
  const recordings = messages.locator('audio')
  const before = await recordings.count()

  const record = student.getByRole('button', { name: 'Записати голосове повідомлення' })
  await record.press('Enter')
  const recorder = student.getByRole('group', { name: 'Запис голосового повідомлення' })
  await expect(recorder.getByRole('button', { name: 'Надіслати', exact: true })).toBeFocused()
  await student.keyboard.press('Escape')
  await expect(recorder).toHaveCount(0)

  await student.context().setOffline(true)
  await record.press('Enter')
  await expect(recorder.getByRole('timer')).toContainText('0:01')
  await expectAccessible(student)
  await recorder.getByRole('button', { name: 'Надіслати', exact: true }).press('Enter')
  await expect(messages.getByText('немає мережі')).toBeVisible()
  await student.context().setOffline(false)
  await expect(recordings).toHaveCount(before + 1, { timeout: 30_000 })
  await expect(messages.getByText('немає мережі')).toHaveCount(0)

  await record.press('Enter')
  await expect(recorder.getByRole('timer')).toContainText('0:01')
  await recorder.getByRole('button', { name: 'Надіслати пізніше' }).press('Enter')
  const dialog = student.getByRole('dialog', { name: 'Надіслати пізніше' })
  await expect(dialog.getByText('Готово')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Коли надіслати' }).fill(typedInTwoDays())
  await expectAccessible(student)
  await dialog.getByRole('button', { name: 'Запланувати' }).click()
  await expect(dialog).toHaveCount(0)
  await student.getByText('1 заплановане повідомлення').click()
  const planned = student.getByRole('listitem').filter({ hasText: 'Буде надіслано:' })
  await expect(planned).toContainText('Голосове повідомлення')
  await planned.getByRole('button', { name: 'Скасувати' }).click()
  await expect(planned).toHaveCount(0)
  await student.context().close()
})
