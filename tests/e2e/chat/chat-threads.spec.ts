import { openPageAs } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

/** A time that can be planned, as it is typed. */
function inTwoDays(): string {
  const [year, month, day] = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${day}.${month}.${year} 09:00`
}

test('a student and a curator see each other type and read, answer in a thread, and plan a message', async ({
  page,
}) => {
  test.setTimeout(150_000)
  const stamp = Date.now()
  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', '/chat'))
  await curator.getByRole('link', { name: 'Особиста розмова' }).filter({ hasText: 'Олена' }).first().click()
  await curator.waitForURL(/conversation=/)
  const conversation = new URL(curator.url()).searchParams.get('conversation')
  await expect(curator.locator('astro-island[ssr]')).toHaveCount(0)
  const field = curator.getByRole('textbox', { name: 'Ваше повідомлення' })
  await field.fill(`Запитання ${stamp}`)
  await field.press('Enter')

  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', `/chat?conversation=${conversation}`))
  await expect(student.locator('astro-island[ssr]')).toHaveCount(0)
  const messages = student.getByRole('region', { name: 'Повідомлення розмови' })
  // A reply quotes the question.
  const question = messages
    .getByRole('listitem')
    .filter({ hasText: `Запитання ${stamp}` })
    .first()
  await expect(question).toBeVisible()
  await expect(curator.getByText('у мережі')).toBeVisible()
  await expect(
    curator
      .getByRole('listitem')
      .filter({ hasText: `Запитання ${stamp}` })
      .getByText('прочитано'),
  ).toBeVisible()
  await student.getByRole('textbox', { name: 'Ваше повідомлення' }).pressSequentially('Думаю')
  await expect(curator.getByText('друкує…')).toBeVisible()
  await student.getByRole('textbox', { name: 'Ваше повідомлення' }).fill('')

  await question.getByRole('button', { name: /^Дії з повідомленням/ }).press('Enter')
  await student.getByRole('menuitem', { name: 'Відкрити гілку' }).click()
  const thread = student.getByRole('complementary', { name: 'Гілка' })
  await expect(thread.getByRole('heading', { name: 'Гілка' })).toBeFocused()
  await thread.getByRole('textbox', { name: 'Відповідь у гілці' }).fill(`Перша ${stamp}`)
  await thread.getByRole('button', { name: 'Надіслати', exact: true }).click()
  await expect(thread.getByText(`Перша ${stamp}`)).toBeVisible()
  await expectAccessible(student)
  await thread.getByRole('button', { name: 'Закрити гілку' }).click()
  await expect(thread).toHaveCount(0)
  await expect(question.getByRole('link', { name: '1 відповідь' })).toBeVisible()
  await curator.getByRole('link', { name: '1 відповідь' }).last().click()
  const theirs = curator.getByRole('complementary', { name: 'Гілка' })
  await expect(theirs.getByText(`Перша ${stamp}`)).toBeVisible()
  await theirs.getByRole('button', { name: 'Закрити гілку' }).click()

  await field.fill(`Нагадування ${stamp}`)
  await curator.getByRole('button', { name: 'Надіслати пізніше' }).click()
  const dialog = curator.getByRole('dialog', { name: 'Надіслати пізніше' })
  await dialog.getByRole('textbox', { name: 'Коли надіслати' }).fill(inTwoDays())
  await expectAccessible(curator)
  await dialog.getByRole('button', { name: 'Запланувати' }).click()
  await expect(dialog).toHaveCount(0)
  const planned = curator.getByText('1 заплановане повідомлення')
  await planned.click()
  await expect(curator.getByText('Буде надіслано:')).toBeVisible()
  await curator.reload()
  await planned.click()
  await curator.getByRole('button', { name: 'Скасувати' }).click()
  await expect(planned).toHaveCount(0)

  await student.goto(addressOf('go', `/chat?conversation=${conversation}`))
  await expect(student.locator('astro-island[ssr]')).toHaveCount(0)
  await question.getByRole('button', { name: /^Дії з повідомленням/ }).press('Enter')
  await student.getByRole('menuitem', { name: 'Поскаржитися' }).click()
  const report = student.getByRole('dialog', { name: 'Поскаржитися на повідомлення' })
  await report.getByRole('radio', { name: 'інше' }).check()
  await expectAccessible(student)
  await report.getByRole('button', { name: 'Надіслати скаргу' }).click()
  await expect(student.getByText('Скаргу надіслано.')).toBeVisible()
  const owner = await openPageAs(page, 'owner@kafedra.test')
  await owner.goto(addressOf('demo', '/chat?view=reports'))
  const reported = owner.getByRole('listitem').filter({ hasText: `Запитання ${stamp}` })
  await expectAccessible(owner)
  await reported.getByRole('button', { name: 'Залишити повідомлення' }).click()
  await expect(reported).toHaveCount(0)
  for (const each of [student, curator, owner]) await each.context().close()
})
