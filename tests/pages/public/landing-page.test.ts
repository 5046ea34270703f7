import { expect, test } from 'vitest'
import { BILLING_CURRENCY, PLAN_OFFERS } from '#lib/billing/plans.ts'
import { formatMoney } from '#lib/core/shared/locale.ts'
import { PLANS } from '#lib/core/shared/plan.ts'
import { type PageModules, renderPage } from '../../setup/render-page.ts'

const PAGES = import.meta.glob<PageModules[string]>('../../../src/pages/index.astro', { eager: true })

test.each(['uk', 'en'] as const)(
  'the landing page shows what is sold and the prices of all plans in %s',
  async (locale) => {
    const page = PAGES['../../../src/pages/index.astro']
    const { html } = await renderPage(page, { path: '/', actor: null, locale, host: { kind: 'base' } })
    for (const group of ['lms', 'workshop'] as const)
      for (const plan of PLANS) {
        const card = html.slice(html.indexOf(`data-plan="${group}-${plan}"`)).split('</li>')[0] ?? ''
        for (const amount of Object.values(PLAN_OFFERS[group][plan].prices))
          expect(card).toContain(formatMoney(amount, BILLING_CURRENCY, locale).replace(/[\u00a0\u202f]/g, ' '))
      }
    expect(html).not.toMatch(/(landing|billing):|\{\{/)
    const subjects = locale === 'uk' ? ['ефіри', 'Продавайте', 'Тести', 'Чат'] : ['Go live', 'Sell', 'Tests', 'Chat']
    for (const subject of subjects) expect(html).toContain(subject)
  },
)
