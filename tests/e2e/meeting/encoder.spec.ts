import { createEvent, WITH_DEVICES, waitForRoom } from '../support/meeting.ts'
import { expect, expectAccessible, test } from '../support/test.ts'

test.use(WITH_DEVICES)
test.setTimeout(120_000)

test('a new encoder key and the revocation of a key are confirmed first, since they end the stream', async ({
  page,
}) => {
  const { roomUrl } = await createEvent(page)
  await page.goto(roomUrl)
  await waitForRoom(page)
  await page.getByRole('button', { name: 'Пропустити' }).click()
  await page.keyboard.press('d')
  await page.getByRole('button', { name: 'Створити адресу й ключ' }).click()
  const token = page.getByLabel('Ключ (Bearer token)')
  await expect(token).not.toHaveValue('')
  const first = await token.inputValue()

  await page.getByRole('button', { name: 'Новий ключ' }).click()
  const question = page.getByRole('dialog', { name: 'Створити новий ключ?' })
  await expect(question).toContainText('трансляція з неї обірветься')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await page.reload()
  await waitForRoom(page)
  await page.keyboard.press('d')
  await expect(token).toHaveValue(first)

  await page.getByRole('button', { name: 'Новий ключ' }).click()
  await question.getByRole('button', { name: 'Новий ключ' }).click()
  await expect(token).not.toHaveValue(first)

  await page.getByRole('button', { name: 'Відкликати ключ' }).click()
  const revocation = page.getByRole('dialog', { name: 'Відкликати ключ?' })
  await revocation.getByRole('button', { name: 'Скасувати' }).click()
  await expect(token).not.toHaveValue('')
  await page.getByRole('button', { name: 'Відкликати ключ' }).click()
  await revocation.getByRole('button', { name: 'Відкликати ключ' }).click()
  await expect(page.getByRole('button', { name: 'Створити адресу й ключ' })).toBeVisible()
})
