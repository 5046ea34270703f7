import type { Page } from '@playwright/test'
import { callApi } from '../support/homework.ts'
import { closeContexts, createEvent, joinInNewContext, waitForRoom } from '../support/meeting.ts'
import { expect, expectAccessible, test } from '../support/test.ts'

test.setTimeout(180_000)
// Serial: the plan of a tenant limits the number of simultaneous events.
test.describe.configure({ mode: 'default' })

const rows = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Повідомлення чату' }).getByText(text, { exact: true })

async function write(page: Page, text: string) {
  await page.getByLabel('Повідомлення', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Надіслати', exact: true }).click()
}

/** The owner of the demo school in the room of a new event. */
async function hosted(host: Page) {
  const event = await createEvent(host)
  await host.goto(event.roomUrl)
  await waitForRoom(host)
  const skip = host.getByRole('button', { name: 'Пропустити' })
  if (await skip.isVisible()) await skip.click()
  return event
}

test('a message written without a network is shown at once and arrives once', async ({ page: host, browser }) => {
  const event = await hosted(host)
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Марко')
  await write(viewer, 'Добрий вечір')
  await expect(rows(host, 'Добрий вечір')).toHaveCount(1)
  await context.setOffline(true)
  await write(viewer, 'Зникла мережа')
  await write(viewer, 'І ще одне')
  await expect(rows(viewer, 'Зникла мережа')).toBeVisible()
  await expect(viewer.getByText('немає зв’язку, надішлемо автоматично').first()).toBeVisible()
  await context.setOffline(false)
  await expect(rows(host, 'Зникла мережа')).toHaveCount(1)
  await expect(rows(host, 'І ще одне')).toHaveCount(1)
  await expect(viewer.getByText('немає зв’язку, надішлемо самі')).toHaveCount(0)
  await expect(rows(viewer, 'Зникла мережа')).toHaveCount(1)
  await viewer.getByLabel('Повідомлення', { exact: true }).fill('Недописане')
  await viewer.reload()
  await waitForRoom(viewer)
  await expect(viewer.getByLabel('Повідомлення', { exact: true })).toHaveValue('Недописане')
  await expectAccessible(viewer)
  await viewer.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(viewer)
  await closeContexts(context)
})

test('a moderator deletes messages, mutes participants and approves waiting messages', async ({
  page: host,
  browser,
}) => {
  const event = await hosted(host)
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Ніна')
  await write(viewer, 'Зайве слово')
  await rows(host, 'Зайве слово').click()
  const actions = host.getByRole('button', { name: 'Дії з повідомленням: Ніна' }).first()
  await actions.click()
  await host.getByRole('menuitem', { name: 'Видалити' }).click()
  await expect(rows(viewer, 'Зайве слово')).toHaveCount(0)
  await write(viewer, 'Ще слово')
  await expect(rows(host, 'Ще слово')).toBeVisible()
  await actions.click()
  await host.getByRole('menuitem', { name: 'Без слова на 10 хвилин' }).click()
  await expect(viewer.getByText('Ви тимчасово без слова').first()).toBeVisible()
  await expect(viewer.getByRole('button', { name: 'Надіслати', exact: true })).toBeDisabled()

  const { page: other, context: second } = await joinInNewContext(browser, event, 'Олег')
  await callApi(host, 'meeting/setChat', { seatToken: await seatTokenOf(host), chat: { mode: 'premod' } })
  await expect(other.getByText('Повідомлення з’являться після перевірки.').first()).toBeVisible()
  await write(other, 'Перевірте мене')
  await expect(other.getByText('на розгляді в модератора').first()).toBeVisible()
  await host.getByRole('tab', { name: /Черга/ }).click()
  await host.getByRole('button', { name: 'Показати', exact: true }).click()
  await expect(rows(viewer, 'Перевірте мене')).toBeVisible()
  await closeContexts(context, second)
})

test('a question is voted for and answered', async ({ page: host, browser }) => {
  const event = await hosted(host)
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Марта')
  await viewer.getByRole('tab', { name: /Запитання/ }).click()
  await viewer.getByLabel('Ваше запитання').fill('Чи буде запис?')
  await viewer.getByRole('button', { name: 'Запитати' }).click()
  await host.getByRole('tab', { name: /Запитання/ }).click()
  const card = host.getByRole('listitem').filter({ hasText: 'Чи буде запис?' })
  await card.getByRole('button', { name: /Підтримати/ }).click()
  await expect(viewer.getByRole('button', { name: /Підтримати запитання: 1 голос/ })).toBeVisible()
  await card.getByRole('button', { name: 'Відповідаємо зараз' }).click()
  await expect(viewer.getByText('Відповідають зараз')).toBeVisible()
  await card.getByRole('button', { name: 'Відповісти письмово' }).click()
  await card.getByLabel('Відповідь', { exact: true }).fill('Так, тут же')
  await card.getByRole('button', { name: 'Опублікувати відповідь' }).click()
  await expect(viewer.getByText('Так, тут же')).toBeVisible()
  await expectAccessible(host)
  await closeContexts(context)
})

test('a poll is voted in, a button is seen and clicked, and the event is rated without JavaScript', async ({
  page: host,
  browser,
}) => {
  const event = await hosted(host)
  const { page: viewer, context } = await joinInNewContext(browser, event, 'Юрій')
  const seatToken = await seatTokenOf(host)
  const view = await callApi<{ items: Record<'buttons' | 'polls', { id: string }[]> }>(host, 'meeting/getRoom', {
    seatToken,
  })
  await callApi(host, 'meeting/start', { seatToken })
  await callApi(host, 'meeting/openPoll', { seatToken, pollId: view.items.polls[0]?.id })
  await viewer.getByRole('radio', { name: 'Так' }).check()
  await viewer.getByRole('button', { name: 'Голосувати' }).click()
  await expect(viewer.getByText(/Ваш голос враховано/)).toBeVisible()
  await callApi(host, 'meeting/showButton', { seatToken, buttonId: view.items.buttons[0]?.id })
  await viewer.getByRole('link', { name: 'Хочу на курс' }).click()
  await expect
    .poll(
      async () =>
        (await callApi<{ staff: { buttons: object[] } }>(host, 'meeting/getRoom', { seatToken })).staff.buttons,
    )
    .toMatchObject([{ saw: 1, clicked: 1 }])
  await callApi(host, 'meeting/finish', { seatToken })
  await expect(viewer).toHaveURL(/\/meeting\/finished/)
  const after = await browser.newContext({ locale: 'uk-UA', javaScriptEnabled: false })
  const plain = await after.newPage()
  await plain.goto(viewer.url())
  await expect(plain.getByRole('heading', { name: /Дякуємо/ })).toBeVisible()
  await plain.getByText('Оцінка 4 з 5').click({ force: true })
  await plain.getByLabel('Що сподобалося').fill('Усе добре')
  await plain.getByRole('button', { name: 'Надіслати оцінку' }).click()
  await expect(plain.getByText('вашу оцінку збережено')).toBeVisible()
  await expect(plain.getByRole('radio', { name: 'Оцінка 4 з 5' })).toBeChecked()
  await expectAccessible(viewer)
  await viewer.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(viewer)
  await closeContexts(context, after)
})

/** The seat token of the participant, read from the page. */
async function seatTokenOf(page: Page): Promise<string> {
  const props = await page.locator('astro-island[props*="seatToken"]').first().getAttribute('props')
  return /"seatToken":\[0,"([\w-]+)"/.exec(props ?? '')?.[1] ?? ''
}
