import type { Page } from '@playwright/test'
import { callApi, openPageAs } from '../support/homework.ts'
import { addressOf, expect, staffEmail, test } from '../support/test.ts'

interface Form {
  name: string
  /** The page of the form, as a query of the course. */
  query: string
  label: string
  button: string
}

const FORMS: Form[] = [
  { name: 'test', query: 'tab=tests', label: 'Назва нового тесту', button: 'Створити тест' },
  { name: 'bank', query: 'tab=tests&view=bank', label: 'Назва нового банку', button: 'Створити банк' },
]

/** The drafts that the browser stores, in the page. */
function listDraftSlots(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('kafedra-drafts')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const reading = opening.result.transaction('drafts').objectStore('drafts').getAllKeys()
      reading.onsuccess = () =>
        resolve([...reading.result.map(String), ...Object.keys(localStorage)].filter((key) => key.includes('quiz/new')))
      reading.onerror = () => reject(reading.error)
    }
  })
}

const field = (page: Page, { label }: Form) => page.getByLabel(label)

for (const form of FORMS) {
  test(`the title of a new ${form.name} survives a closed tab and an expired session, until it is created`, async ({
    page,
  }) => {
    const expert = await openPageAs(page, staffEmail('expert'))
    const context = expert.context()
    await expert.goto(addressOf('demo', '/courses'))
    const mark = Date.now().toString(36)
    const { courseId = '' } = await callApi(expert, 'course/create', { title: `Чернетки ${mark}` })
    const url = addressOf('demo', `/course/edit/${courseId}?${form.query}`)
    await expert.goto(url)
    await field(expert, form).fill(`Назва ${mark}`)
    await expert.close({ runBeforeUnload: false })

    const reopened = await context.newPage()
    await reopened.goto(url)
    await expect(field(reopened, form)).toHaveValue(`Назва ${mark}`)
    await field(reopened, form).press('End')
    await reopened.keyboard.type(' плюс')

    const cookies = await context.cookies()
    await context.clearCookies({ name: 'token' })
    await reopened.reload()
    await expect(reopened).toHaveURL(/\/login/)
    await context.addCookies(cookies)
    await reopened.goto(url)
    await expect(field(reopened, form)).toHaveValue(`Назва ${mark} плюс`)

    await reopened.getByRole('button', { name: form.button }).click()
    // A bank is an option of the filter.
    const created = reopened.getByText(`Назва ${mark} плюс`).first()
    await expect(created).toBeAttached()
    await expect.poll(() => reopened.evaluate(listDraftSlots)).toEqual([])
    await reopened.goto(url)
    await expect(created).toBeAttached()
    await expect(field(reopened, form)).toHaveValue('')
    await expect.poll(() => reopened.evaluate(listDraftSlots)).toEqual([])
    await context.close()
  })
}
