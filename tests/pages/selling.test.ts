import reactRenderer from '@astrojs/react/server.js'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { beforeAll, expect, test } from 'vitest'
import { findRoute } from '#lib/core/access/routes.ts'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formatDate } from '#lib/core/shared/locale.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { setStaff } from '#lib/course/staff.ts'
import { throttleCoupons } from '#lib/offer/checkout/limits.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { getOffer, saveOffer } from '#lib/offer/offer.ts'
import { printInvoice } from '#lib/offer/transfer/invoice.ts'
import { saveProvider } from '#lib/payment/provider-settings.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { paymentPurposes } from '#lib/payments.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { publishedCourse } from '../setup/course/groups.ts'
import { answerBank, createSoldOffer, order } from '../setup/offer/orders.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'

type Component = Parameters<AstroContainer['renderToString']>[0]

// By a pattern, because the type checker of this file does not support .astro files.
const PAGES = import.meta.glob<{ default: Component }>(
  '../../src/pages/{checkout/[[]id[]],order/[[]id[]],orders/*,profile/index,course/edit/[[]id[]],course/[[]courseId[]]/**/*}.astro',
  { eager: true },
)
const container = await AstroContainer.create()
container.addServerRenderer({ name: '@astrojs/react', renderer: reactRenderer })
container.addClientRenderer({ name: '@astrojs/react', entrypoint: '@astrojs/react/client.js' })

let home: TestTenant
let owner: Actor
let courseId: string
let offerId: string
let paid: Awaited<ReturnType<typeof order>>
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  courseId = (await publishedCourse(owner)).courseId
  const description = '<b>Усе</b> про виступи'
  offerId = await createSoldOffer(owner, courseId, { seats: 5, oldPrice: 200_000, description })
  paid = await answerBank(await order(home, offerId), 'success')
})

async function open(
  page: string,
  path: string,
  params: Record<string, string>,
  actor: Actor | null,
  body?: object | FormData,
  { tenant } = home,
) {
  const component = PAGES[`../../src/pages/${page}.astro`]
  if (!component) throw new Error(`there is no page ${page}`)
  const url = `http://${tenant.subdomain}.kafedra.localhost${path}`
  const form = body instanceof FormData ? body : body && new URLSearchParams(Object.entries(body))
  const request = new Request(url, form ? { method: 'POST', body: form } : {})
  const locals: App.Locals = Object.assign(Object.create(null), {
    actor,
    locale: 'uk',
    theme: 'system',
    t: getTranslator('uk'),
    address: '10.9.0.1',
    host: { kind: 'school', subdomain: tenant.subdomain },
    school: await getTenant(tenant.id),
    route: findRoute(path),
    notice: null,
    sentryDsn: null,
  })
  const response = await container.renderToResponse(component.default, {
    params,
    request,
    locals,
    partial: false,
  })
  const { status, headers } = response
  return { status, to: headers.get('location'), cache: headers.get('cache-control'), html: await response.text() }
}

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test('the page of a course shows its program and its offers to everyone, also to search engines', async () => {
  const { html } = await open('course/[courseId]/index', `/course/${courseId}`, { courseId }, null)
  expect(plain(html)).toContain('1 500 ₴')
  expect(html).toContain(`/checkout/${offerId}`)
  expect(html).toContain('Урок 1')
  expect(html).toContain('"price":"1500.00"')
  expect(html).not.toContain('<b>Усе</b>')
})

test('the page of a course names its authors and is cached for visitors without an account', async () => {
  const { courseId: taughtId } = await publishedCourse(owner)
  const page = (actor: Actor | null, query = '') =>
    open('course/[courseId]/index', `/course/${taughtId}${query}`, { courseId: taughtId }, actor)
  // The one who has created it, until others are chosen.
  expect((await page(null)).html).toContain(`Викладає: ${owner.firstName} ${owner.lastName}<`)
  const [expert, curator] = [home.as.EXPERT, home.as.CURATOR]
  const staff = [
    { memberId: expert.membershipId, role: 'expert' as const },
    { memberId: curator.membershipId, role: 'curator' as const },
  ]
  await setStaff(owner, { courseId: taughtId, staff })
  const { html, cache } = await page(null)
  expect(html).toContain(`Викладає: ${expert.firstName} ${expert.lastName}<`)
  expect(html).not.toContain(curator.firstName)
  expect(cache).toBe('public, max-age=0, s-maxage=60')
  for (const own of [await page(home.as.STUDENT), await page(null, '?utm_source=mail')])
    expect(own.cache).toBe('no-store')
})

test('an offer by link is sold to those who have it, and is not on the page of the course', async () => {
  const linked = await createSoldOffer(owner, courseId, { visibility: 'link', name: 'Для випускників' })
  const { html } = await open('course/[courseId]/index', `/course/${courseId}`, { courseId }, null)
  expect(html).not.toContain(linked)
  expect((await open('checkout/[id]', `/checkout/${linked}`, { id: linked }, null)).html).toContain('Для випускників')
})

test('the checkout of an offer that cannot be bought now says why, and has no form', async () => {
  const [past, future] = ['2020-01-01T10:00:00.000Z', '2099-03-01T10:00:00.000Z']
  const soldOut = await createSoldOffer(owner, courseId, { seats: 1 })
  await order(home, soldOut)
  for (const [id, text] of [
    [await createSoldOffer(owner, courseId, { salesFrom: future }), 'Продаж почнеться 1 березня'],
    [await createSoldOffer(owner, courseId, { salesTo: past }), 'Продаж завершено'],
    [soldOut, 'Місць не лишилося'],
  ] as const) {
    const { html } = await open('checkout/[id]', `/checkout/${id}`, { id }, null)
    expect(plain(html)).toContain(text)
    expect(html).not.toContain('value="order"')
  }
})

test('the pages of an offer and an order are not found at the address of another school', async () => {
  const other = await createOtherTenant()
  const there = (page: string, path: string, id: string) =>
    open(page, path, { id, courseId: id }, null, undefined, other)
  const missing = { code: 'not_found' }
  await expect(there('course/[courseId]/index', `/course/${courseId}`, courseId)).rejects.toMatchObject(missing)
  await expect(there('checkout/[id]', `/checkout/${offerId}`, offerId)).rejects.toMatchObject(missing)
  await expect(there('order/[id]', `/order/${paid.publicId}`, paid.publicId)).rejects.toMatchObject(missing)
  await expect(printInvoice(other.tenant.id, paid.publicId, 'uk')).rejects.toMatchObject(missing)
  const card = open('orders/[id]', `/orders/${paid.id}`, { id: paid.id }, other.as.OWNER, undefined, other)
  await expect(card).rejects.toMatchObject(missing)
  // Numbers begin with 1 in each school: the number of the order finds nothing there.
  const list = await open('orders/index', `/orders?q=${paid.number}`, {}, other.as.OWNER, undefined, other)
  expect(list.html).not.toContain(paid.id)
})

test('a free lesson is a public page with the way to the offers, and is linked from the page of the course', async () => {
  const { courseId: freeId, lessonIds } = await publishedCourse(owner)
  const [lessonId = '', closedId = ''] = lessonIds
  await changeLessons(owner, { courseId: freeId, lessonIds: [lessonId], change: { freePreview: true } })
  const { html: program } = await open('course/[courseId]/index', `/course/${freeId}`, { courseId: freeId }, null)
  expect(program).toContain(`/course/${freeId}/lesson/${lessonId}`)
  expect(program).not.toContain(closedId)
  const params = { courseId: freeId, lessonId }
  const page = await open('course/[courseId]/lesson/[lessonId]', `/course/${freeId}/lesson/${lessonId}`, params, null)
  for (const text of ['Зміст', 'Відкритий урок', `/course/${freeId}#offers`]) expect(page.html).toContain(text)
  const closed = { courseId: freeId, lessonId: closedId }
  const path = `/course/${freeId}/lesson/${closedId}`
  await expect(open('course/[courseId]/lesson/[lessonId]', path, closed, null)).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('the checkout shows every amount, and a coupon that does not exist next to its field', async () => {
  const { html } = await open('checkout/[id]', `/checkout/${offerId}`, { id: offerId }, null)
  expect(html).toContain('data-total="150000"')
  expect(html).not.toContain('<script type="module"')
  const tried = { intent: 'applyCoupon', coupon: 'NOSUCHCODE', name: 'Олена' }
  const refused = await open('checkout/[id]', `/checkout/${offerId}`, { id: offerId }, null, tried)
  expect(refused.html).toContain('Такого промокоду немає')
  expect(refused.html).toContain('value="Олена"')
})

test('the checkout of a signed-in buyer has the name and the address of the account, and is not cached', async () => {
  const { email, firstName, lastName } = home.as.STUDENT
  const own = await open('checkout/[id]', `/checkout/${offerId}`, { id: offerId }, home.as.STUDENT)
  for (const value of [email, `${firstName} ${lastName}`]) expect(own.html).toContain(`value="${value}"`)
  expect(own.cache).toBe('no-store')
  const { html, cache } = await open('checkout/[id]', `/checkout/${offerId}`, { id: offerId }, null)
  expect(html).not.toContain(email)
  expect(cache).toBe('public, max-age=0, s-maxage=30')
})

test('a link with a promo code has it applied, and the total counts it', async () => {
  const code = `LINK${newId().slice(-8)}`
  await saveCoupon(owner, SaveCoupon.parse({ couponId: newId(), code, type: 'percent', value: 20 }))
  const { html } = await open('checkout/[id]', `/checkout/${offerId}?coupon=${code}`, { id: offerId }, null)
  expect(html).toContain('data-total="120000"')
  expect(html).toContain(`value="${code}"`)
})

test('after the payment the buyer sees the message and other offers, or the page that the offer names', async () => {
  const other = await createSoldOffer(owner, courseId, { name: 'Розбір записів', price: 30_000 })
  const terms = { afterMessage: 'Чат курсу: t.me/kurs', crossSellIds: [other] }
  const sold = await createSoldOffer(owner, courseId, terms)
  const placed = await order(home, sold)
  const show = ({ publicId }: { publicId: string }) =>
    open('order/[id]', `/order/${publicId}?returned=1`, { id: publicId }, null)
  expect((await show(placed)).html).not.toContain('Чат курсу')
  await answerBank(placed, 'success')
  const { html } = await show(placed)
  for (const text of ['Чат курсу: t.me/kurs', 'Розбір записів', `/checkout/${other}`]) expect(html).toContain(text)
  const led = await createSoldOffer(owner, courseId, { afterUrl: 'https://school.test/thanks' })
  const paidThere = await answerBank(await order(home, led), 'success')
  const leads = '<meta http-equiv="refresh" content="0; url=https://school.test/thanks">'
  expect((await show(paidThere)).html).toContain(leads)
  const given = await createSoldOffer(owner, courseId, {
    kind: 'free',
    price: 0,
    afterUrl: 'https://school.test/thanks',
  })
  const form = { intent: 'order', name: 'Олена Коваль', email: 'free@elsewhere.test', consent: 'on', shownTotal: '0' }
  const { to } = await open('checkout/[id]', `/checkout/${given}`, { id: given }, null, form)
  expect(to).toMatch(/^\/order\/[\w-]+\?returned=1$/)
  const publicId = to?.slice('/order/'.length, -'?returned=1'.length) ?? ''
  expect((await show({ publicId })).html).toContain(leads)
})

test('a refund shows amount, buyer and access before it is sent, and the order pages tell what is left of the access', async () => {
  const sold = await createSoldOffer(owner, courseId)
  const placed = await answerBank(await order(home, sold, { email: 'refunded@elsewhere.test' }), 'success')
  const show = (body?: object) => open('orders/[id]', `/orders/${placed.id}`, { id: placed.id }, owner, body)
  const buyerPage = async () =>
    plain((await open('order/[id]', `/order/${placed.publicId}`, { id: placed.publicId }, null)).html)
  const typed = { amount: '500', reason: 'Домовилися про знижку' }
  const refused = await show({ intent: 'reviewRefund', amount: '9999', reason: '' })
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('value="9999"')
  const { html } = await show({ intent: 'reviewRefund', ...typed })
  for (const text of ['Повернути 500 ₴', 'refunded@elsewhere.test', 'Скасувати повернення не можна', 'Закриється: «'])
    expect(plain(html)).toContain(text)
  expect(html).toMatch(/value="keep"[^>]*checked/)
  expect(html).not.toMatch(/value="endNow"[^>]*checked/)
  expect(await buyerPage()).not.toContain('Повернуто')
  const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const confirmed = Object.fromEntries(fields.map(([, name, value]) => [name, value]))
  expect((await show({ ...confirmed, intent: 'refund', access: 'keep' })).to).toContain('refund_success')
  const kept = await buyerPage()
  for (const text of ['Частину коштів повернуто', 'Доступ відкрито для', 'Перейти до курсу'])
    expect(kept).toContain(text)
  const second = { intent: 'refund', amount: '1', reason: 'Помилка', access: 'endNow' }
  expect((await show(second)).to).toContain('refund_success')
  const ended = await buyerPage()
  expect(ended).toContain('Доступ за цим замовленням закрито')
  for (const text of ['Доступ відкрито', 'Перейти до курсу']) expect(ended).not.toContain(text)
  expect((await show()).html).toContain('Доступ за цим замовленням закрито')
})

test('a link to the checkout shows the title and description that the offer has for it', async () => {
  const seo = { seoTitle: 'Риторика для лекторів', seoDescription: 'Три місяці з куратором' }
  const id = await createSoldOffer(owner, courseId, seo)
  const { html } = await open('checkout/[id]', `/checkout/${id}`, { id }, null)
  expect(html).toContain('<meta property="og:title" content="Риторика для лекторів"')
  expect(html).toContain('<meta property="og:description" content="Три місяці з куратором"')
})

test('an order is placed without a script: the buyer is led to the payment', async () => {
  const typed = { intent: 'order', name: 'Олена Коваль', email: 'form@elsewhere.test', consent: 'on' }
  const sent = { ...typed, provider: 'sandbox', shownTotal: '150000' }
  const { status, to } = await open('checkout/[id]', `/checkout/${offerId}`, { id: offerId }, null, sent)
  expect([status, to]).toEqual([303, expect.stringMatching(/^\/payment\//)])
  const refused = await open('checkout/[id]', `/checkout/${offerId}`, { id: offerId }, null, { ...sent, email: 'no' })
  expect(refused).toMatchObject({ status: 400, html: expect.stringContaining('Введіть дійсну електронну адресу') })
  const { consent: _, ...unasked } = sent
  const declined = await open('checkout/[id]', `/checkout/${offerId}`, { id: offerId }, null, unasked)
  expect(declined).toMatchObject({ status: 400, html: expect.stringContaining('Щоб продовжити, потрібна ваша згода') })
})

test('a second tab with the former price shows the present one and keeps what was typed', async () => {
  const id = await createSoldOffer(owner, courseId)
  const { version, settings } = await getOffer(owner, { offerId: id })
  const first = await open('checkout/[id]', `/checkout/${id}`, { id }, null)
  const [, shownTotal = ''] = /name="shownTotal" value="(\d+)"/.exec(first.html) ?? []
  await saveOffer(owner, { offerId: id, version, settings: { ...settings, price: 170_000 } })
  const typed = { intent: 'order', name: 'Олена Коваль', email: 'tabs@elsewhere.test', consent: 'on' }
  const sent = { ...typed, provider: 'sandbox', shownTotal }
  const { status, html } = await open('checkout/[id]', `/checkout/${id}`, { id }, null, sent)
  expect(status).toBe(409)
  for (const text of ['Сума змінилася', 'data-total="170000"', 'value="Олена Коваль"', 'value="170000"'])
    expect(html).toContain(text)
  const again = await open('checkout/[id]', `/checkout/${id}`, { id }, null, { ...sent, shownTotal: '170000' })
  expect([again.status, again.to]).toEqual([303, expect.stringMatching(/^\/payment\//)])
  const twice = await open('checkout/[id]', `/checkout/${id}`, { id }, null, { ...sent, shownTotal: '170000' })
  expect(twice.to).toBe(again.to)
})

test('the page of an order says that it is paid, and while the bank decides that it waits', async () => {
  const { html } = await open('order/[id]', `/order/${paid.publicId}`, { id: paid.publicId }, null)
  expect(html).toContain('Оплачено, дякуємо!')
  const placed = await order(home, offerId)
  const path = `/order/${placed.publicId}?returned=1`
  const waiting = await open('order/[id]', path, { id: placed.publicId }, null)
  expect(waiting.html).toContain('Банк підтверджує платіж')
  expect(waiting.html).toContain('http-equiv="refresh"')
})

test('the profile lists the purchases of the signed-in person with the address of each order', async () => {
  const student = home.as.STUDENT
  expect((await open('profile/index', '/profile', {}, student)).html).not.toContain('Мої покупки')
  const own = await answerBank(await order(home, offerId, { email: student.email }), 'success')
  const { html } = await open('profile/index', '/profile', {}, student)
  expect(html).toContain('Мої покупки')
  expect(html).toContain(`/order/${own.publicId}`)
  expect(html).not.toContain(`/order/${paid.publicId}`)
})

test('the profile shows of a subscription when it is charged next', async () => {
  const student = await addTestMember(home, 'STUDENT', 'subscriber@elsewhere.test')
  const club = await createSoldOffer(owner, courseId, { kind: 'subscription' })
  const bought = await answerBank(await order(home, club, { email: student.email }), 'success')
  const date = formatDate(bought.nextDueAt ?? new Date(0), owner.tenantTimeZone, 'uk')
  const { html } = await open('profile/index', '/profile', {}, student)
  expect(plain(html)).toContain(plain(`Наступне списання ${date}`))
})

test('the team sees the offers of a course, edits one and sees its orders', async () => {
  const tab = await open('course/edit/[id]', `/course/edit/${courseId}?tab=offers`, { id: courseId }, owner)
  expect(tab.html).toContain(`/course/${courseId}/offer/${offerId}`)
  const create = await open('course/[courseId]/offer/index', `/course/${courseId}/offer`, { courseId }, owner)
  expect(create.html).toContain('value="createOffer"')
  const params = { courseId, offerId }
  const here = `/course/${courseId}/offer/${offerId}`
  const edit = await open('course/[courseId]/offer/[offerId]', here, params, owner)
  expect(edit.html).toContain('data-offer-preview')
  const list = await open('orders/index', '/orders', {}, owner)
  expect(list.html).toContain(`/orders/${paid.id}`)
  const card = await open('orders/[id]', `/orders/${paid.id}`, { id: paid.id }, owner)
  expect(card.html).toContain('value="reviewRefund"')
  for (const text of ['Тестова оплата: оплату прийнято', 'payments-heading', '•••• 0000'])
    expect(card.html).toContain(text)
})

test('a filter of the orders is saved as a view and deleted, and an email of an order is sent again', async () => {
  const here = '/orders?state=paid'
  const refused = await open('orders/index', here, {}, owner, { intent: 'saveView', name: '' })
  expect(refused.html).toContain('view-name-error')
  const saved = await open('orders/index', here, {}, owner, { intent: 'saveView', name: 'Оплачені' })
  expect([saved.status, saved.to]).toEqual([303, here])
  const list = await open('orders/index', here, {}, owner)
  expect(list.html).toMatch(/aria-current="true"[^>]*>\s*Оплачені/)
  const viewId = /name="viewId" value="([^"]+)"/.exec(list.html)?.[1] ?? ''
  await open('orders/index', here, {}, owner, { intent: 'deleteView', viewId })
  expect((await open('orders/index', here, {}, owner)).html).not.toContain('Оплачені')
  const card = `/orders/${paid.id}`
  const sent = await open('orders/[id]', card, { id: paid.id }, owner, { intent: 'resend', email: 'confirmation' })
  expect(sent.to).toBe(`${card}?notice=resent`)
  expect((await open('orders/[id]', card, { id: paid.id }, owner)).html).toContain('надіслано ще раз')
})

test('links with promo codes are opened a limited number of times from one network', async () => {
  await pool.query('delete from throttle')
  const link = () => open('checkout/[id]', `/checkout/${offerId}?coupon=GUESS`, { id: offerId }, null)
  expect((await link()).status).toBe(200)
  for (let count = 1; count < 300; count++) await throttleCoupons('10.9.0.1')
  await expect(link()).rejects.toMatchObject({ code: 'too_many' })
  await pool.query('delete from throttle')
})

test('different wrong promo codes are limited, one code of a class and right codes are not', async () => {
  await pool.query('delete from throttle')
  const code = `RIGHT${newId().slice(-6).toUpperCase()}`
  await saveCoupon(owner, SaveCoupon.parse({ couponId: newId(), code, type: 'percent', value: 10 }))
  const link = (typed: string) => open('checkout/[id]', `/checkout/${offerId}?coupon=${typed}`, { id: offerId }, null)
  for (let count = 0; count < 3; count++) await link('SAME')
  for (let count = 1; count < 19; count++) await link(`WRONG${count}`)
  for (let count = 0; count < 3; count++) expect((await link(code)).status).toBe(200)
  // The twentieth is answered; then everybody of the network waits.
  await link('LAST')
  await expect(link('MORE')).rejects.toMatchObject({ code: 'too_many' })
  expect((await open('checkout/[id]', `/checkout/${offerId}`, { id: offerId }, null)).status).toBe(200)
  await pool.query('delete from throttle')
})

test('the report shows the revenue of the year as a chart and as a file', async () => {
  const { html } = await open('orders/report', '/orders/report', {}, owner)
  expect(html).toContain('data-chart')
  expect(html).toContain('/v1/orders/report.csv?until=')
  expect(plain(html)).toMatch(/data-point[^>]*aria-label="[^"]+: [\d ]+ ₴/)
  expect(html).not.toContain('Наступний рік')
  const empty = await open('orders/report', '/orders/report?until=2020-01', {}, owner)
  expect(empty.html).toContain('За цей рік оплат немає')
  expect(empty.html).toContain('/orders/report?until=2021-01')
})

test('the source of the link and the promo code of an order are rows of the report with their revenue', async () => {
  const [source, code] = [`kanal-${newId()}`, `UTM${newId().slice(-8).toUpperCase()}`]
  await saveCoupon(owner, SaveCoupon.parse({ couponId: newId(), code, type: 'percent', value: 50 }))
  const id = await createSoldOffer(owner, courseId)
  const link = `/checkout/${id}?coupon=${code}&utm_source=${source}`
  const { html: checkout } = await open('checkout/[id]', link, { id }, null)
  expect(checkout).toContain(`name="utm_source" value="${source}"`)
  const typed = { intent: 'order', name: 'Олена Коваль', email: 'utm@elsewhere.test', consent: 'on', coupon: code }
  const sent = { ...typed, provider: 'sandbox', shownTotal: '75000', utm_source: source }
  const { to } = await open('checkout/[id]', link, { id }, null, sent)
  await answerSandbox(paymentPurposes, to?.split('/').at(-1) ?? '', 'success')
  const { html } = await open('orders/report', '/orders/report', {}, owner)
  for (const [caption, name] of [
    ['Джерела (utm_source)', source],
    ['Промокоди', code],
  ] as const) {
    const [, table = ''] = plain(html).split(`>${caption}</h2>`)
    const [, row = ''] = table.split(`>${name}</td>`)
    expect(row.slice(0, row.indexOf('</tr>'))).toMatch(/750 ₴[\s\S]*<progress[^>]* value="75000"/)
  }
})

test('an order by bank transfer shows the account and an invoice; staff confirm it on its card or by a statement', async () => {
  const keys = { recipient: 'ТОВ «Школа»', iban: 'UA213223130000026007233566001', taxId: '12345678' }
  await saveProvider(owner, { provider: 'bank', keys, isTest: false })
  const checkout = await open('checkout/[id]', `/checkout/${offerId}`, { id: offerId }, null)
  expect(checkout.html).toContain('value="bank"')
  const placed = await order(home, offerId, { provider: 'bank' })
  const { html } = await open('order/[id]', `/order/${placed.publicId}?returned=1`, { id: placed.publicId }, null)
  for (const text of ['UA21 3223 1300', 'ТОВ «Школа»', '12345678', `/v1/order/${placed.publicId}/invoice.pdf`])
    expect(html).toContain(text)
  expect(html).not.toContain('http-equiv="refresh"')
  const card = await open('orders/[id]', `/orders/${placed.id}`, { id: placed.id }, owner)
  expect(card.html).toContain('value="confirmTransfer"')
  const empty = await open('orders/statement', '/orders/statement', {}, owner, { intent: 'confirm' })
  expect(empty).toMatchObject({ status: 400, html: expect.stringContaining('Позначте хоча б одне') })
  const statement = new FormData()
  statement.set('intent', 'upload')
  const lines = `Дата;Сума;Платник;Призначення\n24.11.2026;1500,00;<b>Коваль</b>;№ ${placed.number}`
  statement.set('file', new File([lines], 'bank.csv'))
  const proposed = await open('orders/statement', '/orders/statement', {}, owner, statement)
  expect(proposed.html).not.toContain('<b>Коваль')
  const [, line = ''] = /name="line" value="([^"]+)"/.exec(proposed.html) ?? []
  const confirmed = await open('orders/statement', '/orders/statement', {}, owner, { intent: 'confirm', line })
  expect(confirmed.to).toBe('/orders/statement?confirmed=1&skipped=0')
  const done = await open('orders/[id]', `/orders/${placed.id}`, { id: placed.id }, owner)
  expect(done.html).toContain('Надходження переказу підтверджено')
  expect(done.html).not.toContain('value="confirmTransfer"')
})
