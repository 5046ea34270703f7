import { beforeAll, expect, test, vi } from 'vitest'
import { PLAN_FEATURES, PLAN_OFFERS } from '#lib/billing/plans.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { formatDate } from '#lib/core/shared/locale.ts'
import { PLANS } from '#lib/core/shared/plan.ts'
import { PLAN_GROUPS } from '#lib/core/shared/role.ts'
import { answerSandbox } from '#lib/payment/sandbox-answer.ts'
import { paymentPurposes } from '#lib/payments.ts'
import { setPlan } from '../setup/parsed/billing.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'

// Plans are paid with the sandbox on an installation of a developer only.
vi.mock('#lib/core/config/config.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#lib/core/config/config.ts')>()
  const { planPromoCodes } = actual.readConfig({ PLAN_PROMO_CODES: '{"WELCOME-20":{"percent":20}}' })
  return { ...actual, config: { ...actual.config, devPages: true, planPromoCodes } }
})

// By a pattern, because the type checker of this file does not support .astro files.
const PAGES = import.meta.glob<PageModules[string]>('../../src/pages/{billing/index,students/index}.astro', {
  eager: true,
})
const billing = PAGES['../../src/pages/billing/index.astro']

const t = getTranslator('uk')

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})

test('the owner sees the plans of the school, their usage and every price, in both languages', async () => {
  const nextPayment = new Date('2026-12-24T10:00:00Z')
  await setPlan({ tenantId: home.tenant.id, group: 'workshop', plan: 'start', nextPayment })
  const { status, html } = await renderPage(billing, { path: '/billing', actor: home.as.OWNER })
  expect(status).toBe(200)
  expect(html).toContain('Навчання: Про')
  expect(html).toContain('Пробний період триває до')
  expect(html).toContain('Події: Старт')
  expect(html).toContain('Оплачено до 24 грудня')
  for (const group of PLAN_GROUPS) {
    for (const plan of PLANS) {
      const amount = (PLAN_OFFERS[group][plan].prices.month / 100).toLocaleString('uk').replace(/\s/g, ' ')
      expect(html).toContain(`${amount} ₴ на місяць`)
    }
  }
  // Every label of the specification is compared, the limits of a group in its table.
  const compared = PLAN_GROUPS.flatMap((group) => {
    const [, table = ''] = html.split(`aria-labelledby="comparison-${group}"`)
    const shown = table.slice(0, table.indexOf('</section>'))
    expect(shown).toContain(t(`billing:key_features.${group}.max`))
    return PLAN_FEATURES.filter((feature) => shown.includes(`>${t(`billing:feature.${feature}`)}</td>`))
  })
  expect(new Set(compared)).toEqual(new Set(PLAN_FEATURES))
  // The plan that is paid is changed in its terms; the one of the trial is bought.
  expect(html).toContain('aria-label="Змінити умови: Старт"')
  expect(html).toContain('aria-label="Вибрати: Про"')
  expect(html.match(/aria-label="Змінити умови/g)).toHaveLength(1)
  expect(html).toMatch(/data-limit="manager_count"[\s\S]*?8 із 10/)
  const english = await renderPage(billing, { path: '/billing', actor: home.as.OWNER, locale: 'en' })
  expect(english.html).toContain(`Paid until ${formatDate(nextPayment, 'Europe/Kyiv', 'en')}`)
})

test('everyone else is refused, a director too', async () => {
  for (const role of ['DIRECTOR', 'EXPERT', 'CURATOR', 'MEMBER', 'STUDENT'] as const) {
    const opened = renderPage(billing, { path: '/billing', actor: home.as[role] })
    await expect(opened, role).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('the notice about an expired plan links to the page for the owner only', async () => {
  const students = PAGES['../../src/pages/students/index.astro']
  const notice = { kind: 'plan_inactive', group: 'lms' } as const
  const owner = await renderPage(students, { path: '/students', actor: home.as.OWNER, notice })
  expect(owner.html).toMatch(/notice-line[\s\S]*?href="\/billing"[\s\S]*?Відкрити тариф/)
  const director = await renderPage(students, { path: '/students', actor: home.as.DIRECTOR, notice })
  expect(director.html).toContain('Тариф «Навчання» зараз не діє')
  expect(director.html).not.toContain('href="/billing"')
})

test('the owner sees the amount before paying, pays, and finds the payment in the history', async () => {
  const school = await createTestTenant()
  const actor = school.as.OWNER
  const nextPayment = new Date('2026-12-24T10:00:00Z')
  await setPlan({ tenantId: school.tenant.id, group: 'workshop', plan: 'start', nextPayment })
  const path = '/billing?group=lms&plan=start&period=month&addOn.disc=1'
  const { html } = await renderPage(billing, { path, actor })
  expect(html).toContain('До оплати зараз: 590 ₴')
  expect(html).toContain('Учасники команди: 8 із 3')
  const fields = { intent: 'buy', group: 'lms', plan: 'start', period: 'month', 'addOn.disc': '1', provider: 'sandbox' }
  const discounted = await renderPage(billing, { path: `${path}&promo=welcome-20`, actor })
  expect(discounted.html).toContain('До оплати зараз: 472 ₴')
  expect(discounted.html).toContain('Промокод WELCOME-20: знижка 118 ₴')
  expect(discounted.html).toContain('name="amount" value="47200"')
  const unknown = await renderPage(billing, { path: `${path}&promo=NOSUCHCODE`, actor })
  expect(unknown.html).toContain('Такого промокоду немає')
  expect(unknown.html).toContain('value="NOSUCHCODE"')
  for (let nth = 0; nth < 10; nth++) await renderPage(billing, { path: `${path}&promo=GUESS${nth}`, actor })
  const limited = await renderPage(billing, { path: `${path}&promo=WELCOME-20`, actor })
  expect(limited.status).toBe(200)
  expect(limited.html).toContain('Забагато спроб')
  expect(limited.html).toContain('value="WELCOME-20"')
  expect(limited.html).toContain('До оплати зараз: 590 ₴')
  const stale = await renderPage(billing, { path, actor, body: { ...fields, amount: '1' } })
  expect(stale.status).toBe(422)
  expect(stale.html).toContain('Сума змінилася')
  const posted = await renderPage(billing, { path, actor, body: { ...fields, amount: '59000' } })
  expect([posted.status, posted.to]).toEqual([303, expect.stringMatching(/^\/payment\//)])
  await answerSandbox(paymentPurposes, posted.to?.split('/').at(-1) ?? '', 'success')
  const after = await renderPage(billing, { path: '/billing', actor })
  expect(after.html).toContain('Навчання: Старт, щомісяця; Місце для файлів: +50 ГБ')
  expect(after.html).toContain('сплачено')
})
