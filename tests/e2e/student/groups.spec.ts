import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { callApi } from '../support/homework.ts'
import { createEvent } from '../support/meeting.ts'
import { addressOf, expect, expectAccessible, test } from '../support/test.ts'

const paragraph = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }
const DAY_MS = 86_400_000

/** A published course of two lessons, the second open ten days after the start of a group, and three students. */
async function prepareCohort(page: Page, mark: string) {
  const { courseId = '' } = await callApi(page, 'course/create', { title: `Курс ${mark}` })
  const { moduleId = '' } = await callApi(page, 'course/addModule', { courseId, title: 'Модуль' })
  for (const title of ['Перший', 'Другий']) {
    await callApi(page, 'course/addLesson', { moduleId, title, blocks: paragraph })
  }
  await callApi(page, 'course/publish', { courseId })
  const emails = ['Анна', 'Богдан', 'Віра'].map((name, index) => ({ name, email: `${index}-${mark}@group.test` }))
  for (const { name, email } of emails) await callApi(page, 'student/invite', { email, name: `${name} ${mark}` })
  return { courseId, emails: emails.map(({ email }) => email) }
}

test('a cohort from its creation to the copy for the next one', async ({ page }) => {
  test.setTimeout(120_000)
  const mark = randomBytes(4).toString('hex')
  const { title: event } = await createEvent(page)
  await page.goto(addressOf('demo', '/students'))
  const { courseId, emails } = await prepareCohort(page, mark)
  const second = await callApi(page, 'course/createGroup', {
    courseId,
    name: `Вечірня ${mark}`,
    timeZone: 'Europe/Kyiv',
    startAt: new Date(Date.now() - DAY_MS).toISOString(),
    endAt: null,
  })

  await page.goto(addressOf('demo', `/students?tab=groups&course=${courseId}`))
  await page.locator('summary', { hasText: 'Створити групу' }).click()
  await expect(page.locator('#group-course')).toHaveValue(courseId)
  await page.getByLabel('Назва', { exact: true }).fill(`Ранкова ${mark}`)
  await page.getByRole('button', { name: 'Створити групу' }).click()
  await expect(page.locator('#start-new-error')).toBeVisible()
  await expect(page.getByLabel('Назва', { exact: true })).toHaveValue(`Ранкова ${mark}`)
  await expectAccessible(page)
  await page.locator('#start-new').fill('01.09.2026 09:00')
  await page.locator('#seats-new').fill('2')
  await page.getByRole('button', { name: 'Створити групу' }).click()
  await expect(page.getByText('Групу створено.')).toBeVisible()
  await page.goto(addressOf('demo', `/students?tab=groups&q=${mark}`))
  await expect(page.getByRole('row').filter({ hasText: `Ранкова ${mark}` })).toContainText('0 з 2 місць')
  await expectAccessible(page)
  await page.getByRole('link', { name: `Ранкова ${mark}` }).click()
  await expect(page).toHaveURL(/\/group\/[0-9a-f-]{36}$/)
  const group = page.url()

  // Three students for two seats are refused before anything changes; two are added after a preview.
  await page.getByRole('link', { name: 'Додати студентів' }).click()
  // The page of the group has a search field of the same name.
  await expect(page.getByRole('heading', { name: 'Кого додати до групи' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Ім’я, пошта або телефон' }).fill(mark)
  await page.getByRole('button', { name: 'Знайти' }).click()
  // A choice that is made before the page with the result is shown would be lost.
  await expect(page).toHaveURL(new RegExp(`q=${mark}`))
  for (const email of emails) await page.getByRole('checkbox', { name: email }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Переглянути зміни' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.goBack()
  for (const email of emails.slice(0, 2)) await page.getByRole('checkbox', { name: email }).check()
  await page.getByRole('button', { name: 'Переглянути зміни' }).click()
  await expect(page.getByText('Зміна стосується 2 студентів.')).toBeVisible()
  await expect(page.getByText('Відкриються 2 уроки: Перший, Другий').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Додати', exact: true }).click()
  await expect(page.getByText('Студентів додано.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: `Вибрати: Анна ${mark}` })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Прогрес', exact: true }).click()
  await expect(page.locator('[data-student]')).toHaveCount(2)
  await page.getByRole('link', { name: 'Модулі' }).click()
  const ofBohdan = page.getByRole('row').filter({ hasText: `Богдан ${mark}` })
  await expect(ofBohdan).toContainText('0 з 2')
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(ofBohdan).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 720 })

  await page.getByRole('link', { name: 'Зустрічі' }).click()
  const events = page.getByLabel('Подія', { exact: true })
  await events.selectOption({ label: (await events.locator('option', { hasText: event }).first().innerText()).trim() })
  await page.getByRole('button', { name: 'Додати зустріч' }).click()
  await expect(page.getByText('Зустріч додано.')).toBeVisible()
  await page.getByRole('button', { name: new RegExp(`Анна ${mark}: ще не відомо`) }).click()
  await expect(page.getByRole('button', { name: new RegExp(`Анна ${mark}: присутність`) })).toBeVisible()
  await expect(page.getByText('присутній 1 студент')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: new RegExp(`Анна ${mark}: присутність`) })).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 720 })

  await page.getByRole('link', { name: 'Оголошення' }).click()
  await page.getByLabel('Тема').fill(`Старт ${mark}`)
  await page.getByLabel('Текст', { exact: true }).fill('Починаємо в понеділок.')
  await page.getByRole('button', { name: 'Переглянути лист' }).click()
  await expect(page.getByText('Лист отримають 2 студенти')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Надіслати', exact: true }).click()
  await expect(page.getByText('Лист буде надіслано за хвилину.')).toBeVisible()
  await page.getByRole('button', { name: 'Відкликати' }).click()
  await expect(page.getByText('Лист відкликано.')).toBeVisible()
  await expectAccessible(page)

  // Moved to the other group of the course, and removed from it.
  await page.goto(group)
  await page.getByRole('checkbox', { name: `Вибрати: Богдан ${mark}` }).check()
  await page.getByLabel('До якої групи перевести').selectOption(second.groupId ?? '')
  await page.getByRole('button', { name: 'Перевести' }).click()
  await expect(page.getByRole('heading', { name: `Перевести до групи «Вечірня ${mark}»` })).toBeVisible()
  await page.getByRole('button', { name: 'Перевести' }).click()
  await expect(page.getByText('Студентів переведено.')).toBeVisible()
  await expect(page.getByText(`Богдан ${mark}`)).toHaveCount(0)
  await page.goto(addressOf('demo', `/group/${second.groupId}`))
  await page.getByRole('checkbox', { name: `Вибрати: Богдан ${mark}` }).check()
  await page.getByRole('button', { name: 'Прибрати з групи' }).click()
  await expect(page.getByText('Закриються 2 уроки: Перший, Другий')).toBeVisible()
  await page.getByRole('button', { name: 'Прибрати', exact: true }).click()
  await expect(page.getByText('Студентів прибрано з групи.')).toBeVisible()
  await page.getByRole('button', { name: 'Повернути' }).click()
  await expect(page.getByText('Зміну скасовано.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: `Вибрати: Богдан ${mark}` })).toBeVisible()

  // The next cohort, four weeks later; the old one ends.
  await page.goto(`${group}?view=settings`)
  await page.getByLabel('Назва нової групи').fill(`Осіння ${mark}`)
  await page.getByRole('button', { name: 'Створити копію' }).click()
  await expect(page.getByText('Копію створено.')).toBeVisible()
  await expect(page.getByRole('heading', { name: `Осіння ${mark}` })).toBeVisible()
  await expect(page.locator('input[name="startAt"]')).toHaveValue(/29[./]09[./]2026|29 вересня 2026/)
  await page.goto(`${group}?view=settings`)
  await page.getByRole('button', { name: 'Завершити групу' }).click()
  await expect(page.getByText('Групу завершено.')).toBeVisible()
  await page.getByRole('button', { name: 'Перенести в архів' }).click()
  await expect(page.getByText('Групу перенесено в архів.')).toBeVisible()
  await expectAccessible(page)
  await page.goto(addressOf('demo', `/students?tab=groups&q=${mark}`))
  await expect(page.getByRole('link', { name: `Осіння ${mark}` })).toBeVisible()
  await expect(page.getByRole('link', { name: `Ранкова ${mark}` })).toHaveCount(0)
})
