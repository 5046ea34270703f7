import { expectAccessible } from '../support/accessible.ts'
import { callApi, openPageAs } from '../support/homework.ts'
import { STUDENT, staffEmail } from '../support/sign-in.ts'
import { addressOf, expect, test } from '../support/test.ts'

const NAME = 'Ґанна Їжакевич-Щукіна'

test('an expert sets the rule, a student earns the certificate, and a visitor verifies it', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const expert = await openPageAs(page, staffEmail('expert'))
  await expert.goto(addressOf('demo', '/courses'))
  const run = Date.now().toString(36)
  const { courseId = '' } = await callApi(expert, 'course/create', { title: `Сертифікований курс ${run}` })
  const { moduleId = '' } = await callApi(expert, 'course/addModule', { courseId, title: 'Модуль' })
  const text = [{ type: 'text', text: 'Зміст' }]
  const blocks = { type: 'doc', content: [{ type: 'paragraph', content: text }] }
  const { lessonId = '' } = await callApi(expert, 'course/addLesson', { moduleId, title: 'Урок', blocks })
  await callApi(expert, 'course/publish', { courseId })

  await test.step('the expert creates a template and sets the rule', async () => {
    await expert.goto(addressOf('demo', `/course/edit/${courseId}?tab=certificate&view=templates`))
    await expert.getByRole('button', { name: 'Створити', exact: true }).click()
    await expect(expert.getByRole('group', { name: 'Редактор шаблону' })).toBeVisible()
    await expectAccessible(expert)
    await expert.goto(addressOf('demo', `/course/edit/${courseId}?tab=certificate`))
    await expert.getByLabel('Шаблон').selectOption({ index: 1 })
    await expert.getByRole('button', { name: 'Зберегти' }).click()
    await expect(expert.getByRole('status').filter({ hasText: 'Правило збережено' })).toBeVisible()
    await expectAccessible(expert)
  })

  const student = await openPageAs(page, STUDENT)
  await student.goto(addressOf('go', '/profile'))
  const { items } = await callApi<{ items: { id: string }[] }>(expert, 'course/list', {
    q: 'Перший вебінар',
    status: 'published',
  })
  const inCourse = { courseId: items[0]?.id ?? '', q: STUDENT }
  const known = await callApi<{ items: { studentId: string }[] }>(expert, 'course/listStudents', inCourse)
  const studentId = known.items[0]?.studentId
  await callApi(expert, 'course/grantAccess', { courseId, studentId })

  await test.step('the student completes the course and confirms the name', async () => {
    await callApi(student, 'course/completeLesson', { lessonId })
    await student.goto(addressOf('go', `/course/view/${courseId}`))
    await student.getByLabel('Ім’я на сертифікаті').fill(NAME)
    await student.getByRole('button', { name: 'Підтвердити ім’я' }).click()
    await expect(async () => {
      await student.reload()
      await expect(student.getByRole('link', { name: 'Відкрити сертифікат' })).toBeVisible({ timeout: 1000 })
    }).toPass({ timeout: 30_000 })
    await expectAccessible(student)
  })

  await test.step('a visitor verifies it', async () => {
    const href = await student.getByRole('link', { name: 'Відкрити сертифікат' }).getAttribute('href')
    const visitor = await (await browser.newContext()).newPage()
    await visitor.goto(href ?? '')
    await expect(visitor.getByRole('heading', { name: NAME })).toBeVisible()
    await expect(visitor.getByText('Сертифікат дійсний')).toBeVisible()
    await expectAccessible(visitor)
    const pdfPath = `${new URL(href ?? '').pathname.replace('/c/', '/v1/certificate/')}/certificate.pdf`
    const type = await visitor.evaluate(async (path) => (await fetch(path)).headers.get('content-type'), pdfPath)
    expect(type).toBe('application/pdf')
  })
})
