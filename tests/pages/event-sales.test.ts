import { expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import { publishedCourse } from '../setup/course/groups.ts'
import { answerBank, countAsMoney, createSoldOffer, order } from '../setup/offer/orders.ts'
import { createWorkshop } from '../setup/parsed/workshop.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { createTestTenant } from '../setup/tenants.ts'

// By a pattern, because the type checker of this file does not support .astro files.
const PAGES = import.meta.glob<PageModules[string]>('../../src/pages/workshops/statistics/[[]type[]]/[[]id[]].astro', {
  eager: true,
})

test('the statistics of an event show what was sold by each of its buttons', async () => {
  const home = await createTestTenant()
  const owner = home.as.OWNER
  const startAt = new Date('2026-10-25T10:00:00Z')
  const { workshopId, sessionId } = await createWorkshop(owner, {
    type: 'webinar',
    title: 'Ефір із кнопками',
    timeZone: 'Europe/Kyiv',
    startAt: startAt.toISOString(),
  })
  const [soldBy, idle] = [newId(), newId()]
  const at = (minutes: number) => new Date(startAt.getTime() + minutes * 60_000)
  const show = (buttonId: string, label: string) => ({
    at: at(1),
    type: 'button.show' as const,
    payload: { buttonId, content: { label, url: 'https://example.com/' } },
  })
  await inTenant(owner, (tx) =>
    appendEvents(tx, { tenantId: owner.tenantId, id: sessionId ?? '' }, [
      { at: at(0), type: 'webinar.start', payload: {} },
      show(soldBy, 'Купити курс'),
      show(idle, 'Стати в чергу'),
      { at: at(60), type: 'webinar.finish', payload: {} },
    ]),
  )
  const page = async () => {
    const path = `/workshops/statistics/webinar/${workshopId}`
    const params = { type: 'webinar', id: workshopId }
    return (await renderPage(Object.values(PAGES)[0], { path, actor: owner, params })).html
  }
  expect(await page()).not.toContain('За посиланнями кнопок')
  const offerId = await createSoldOffer(owner, (await publishedCourse(owner)).courseId)
  const button = `${sessionId}.${soldBy}`
  for (let bought = 0; bought < 2; bought += 1) await answerBank(await order(home, offerId, { button }), 'success')
  // Test purchases are no sales.
  expect(await page()).not.toContain('За посиланнями кнопок')
  await countAsMoney(home)
  const html = await page()
  expect(html).toContain('За посиланнями кнопок зроблено 2 покупки на 3 000 ₴.')
  const rowOf = (label: string) => html.split(label)[1]?.split('</tr>')[0]
  expect(rowOf('Купити курс')).toContain('2 на 3 000 ₴')
  expect(rowOf('Стати в чергу')).not.toContain('₴')
})
