import { callApi, openPageAs } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, STUDENT, test } from '../support/test.ts'

interface ConversationPage {
  items: { id: string; kind: string }[]
}

test('an owner bans an author from a course, ends that, archives the conversation and downloads it', async ({
  page,
}) => {
  test.setTimeout(150_000)
  const text = `Реклама ${Date.now()}`
  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', '/chat'))
  const { items } = await callApi<ConversationPage>(student, 'chat/listConversations')
  const conversationId = items.find(({ kind }) => kind === 'course')?.id ?? ''
  const path = `/chat?conversation=${conversationId}`
  await callApi(student, 'chat/sendMessage', { conversationId, messageId: crypto.randomUUID(), body: text })

  const owner = await openPageAs(page, 'owner@kafedra.test')
  await owner.goto(addressOf('demo', path))
  await expect(owner.locator('astro-island[ssr]')).toHaveCount(0)
  const message = owner
    .getByRole('region', { name: 'Повідомлення розмови' })
    .getByRole('listitem')
    .filter({ hasText: text })
  await message.getByRole('button', { name: /^Дії з повідомленням/ }).press('Enter')
  await owner.getByRole('menuitem', { name: 'Заблокувати автора' }).click()
  const question = owner.getByRole('dialog', { name: /^Заблокувати в розмові/ })
  await expectAccessible(owner)
  await question.getByRole('button', { name: 'Заблокувати' }).click()
  await expect(owner.getByText('Заблоковано в розмові')).toBeVisible()
  expect((await student.goto(addressOf('go', path)))?.status()).toBe(404)

  await owner.goto(addressOf('demo', '/chat?view=reports'))
  await expectAccessible(owner)
  await owner.getByRole('button', { name: /^Розблокувати: Олена/ }).click()
  await expect(owner.getByRole('button', { name: /^Розблокувати: Олена/ })).toHaveCount(0)
  await student.goto(addressOf('go', path))
  await expect(student.getByText(text).first()).toBeVisible()

  const chooseAction = async (name: string) => {
    await owner.goto(addressOf('demo', path))
    await owner.getByLabel('Дії з розмовою').click()
    await owner.getByRole('button', { name, exact: true }).click()
  }
  const row = owner.locator(`a.chat-row[href$="${conversationId}"]`)
  await chooseAction('Перенести в архів')
  await expect(owner).toHaveURL(/\/chat$/)
  await expect(row).toHaveCount(0)
  await owner.getByRole('link', { name: 'Показати архів' }).click()
  await expect(row).toBeVisible()
  await expectAccessible(owner)
  await chooseAction('Повернути з архіву')
  await expect(row).toBeVisible()

  await chooseAction('Підготувати архів розмови')
  await owner.waitForURL(/view=settings/)
  const exports = owner.locator('#exports')
  const ready = exports
    .getByRole('listitem')
    .first()
    .getByRole('link', { name: /^Завантажити/ })
  await expect(async () => {
    await owner.reload()
    await expect(ready).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expectAccessible(owner)
  const download = owner.waitForEvent('download')
  await ready.click()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
  for (const each of [student, owner]) await each.context().close()
})
