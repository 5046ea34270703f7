import { openPageAs } from '../support/homework.ts'
import { addressOf, expect, expectAccessible, staffEmail, test } from '../support/test.ts'

test('an owner creates an automation, sees whom it would have reached, switches it on and deletes it', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const owner = await openPageAs(page, staffEmail('owner'))
  await owner.setViewportSize({ width: 390, height: 844 })
  await owner.goto(addressOf('demo', '/automations'))
  await expect(owner.getByRole('heading', { name: 'Автоматизації' })).toBeVisible()
  await expectAccessible(owner)
  await owner.getByRole('link', { name: 'Створити автоматизацію' }).click()
  await owner.waitForURL(/\/automations\/create$/)
  const title = `Вітання ${Date.now()}`
  const field = (name: string) => owner.getByLabel(name, { exact: true })
  await field('Подія').selectOption('courseJoined')
  await expect(field('Скільки днів без уроків')).toBeHidden()
  await field('Назва').fill(title)
  await field('Текст').fill('{name}, вітаємо на курсі «{subject}»!')
  await owner.getByRole('button', { name: 'Зберегти' }).click()
  // The heading is missing: the typed texts stay.
  await expect(field('Заголовок')).toHaveAttribute('aria-invalid', 'true')
  await expect(field('Назва')).toHaveValue(title)
  await expect(field('Подія')).toHaveValue('courseJoined')
  await expectAccessible(owner)
  await field('Заголовок').fill('Ласкаво просимо')
  await owner.getByRole('button', { name: 'Зберегти' }).click()
  await owner.waitForURL(/tab=preview/)
  await expect(owner.getByText('Автоматизацію створено.')).toBeVisible()
  await expect(owner.getByRole('table', { name: 'Кого охопила б автоматизація' }).getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(owner)
  await owner.getByRole('button', { name: 'Увімкнути' }).click()
  await expect(owner.getByText('Автоматизацію ввімкнено.')).toBeVisible()
  await owner.goto(addressOf('demo', '/automations'))
  const row = owner.getByRole('row').filter({ hasText: title })
  await expect(row.getByText('Увімкнено')).toBeVisible()
  await row.getByRole('link', { name: title }).click()
  await owner.getByLabel('Інші дії').click()
  await owner.getByRole('button', { name: 'Видалити' }).first().click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Видалити' }).click()
  await expect(owner.getByText('Автоматизацію видалено.')).toBeVisible()
  await expect(owner.getByRole('row').filter({ hasText: title })).toHaveCount(0)
  await owner.context().close()
})

test('a curator has no automations', async ({ page }) => {
  const curator = await openPageAs(page, staffEmail('curator'))
  await curator.goto(addressOf('demo', '/automations'))
  expect(new URL(curator.url()).pathname).toBe('/')
  await expect(curator.getByRole('link', { name: 'Автоматизації' })).toHaveCount(0)
  await curator.context().close()
})
