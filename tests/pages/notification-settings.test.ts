import { expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { getNotificationSettings } from '#lib/notification/settings/settings.ts'
import { getUnsubscribePage } from '#lib/notification/settings/unsubscribe.ts'
import { signUnsubscription } from '#lib/notification/settings/unsubscribe-token.ts'
import { POST } from '../../src/pages/v1/unsubscribe/[token].ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { createTestTenant } from '../setup/tenants.ts'

const pages = import.meta.glob<PageModules[string]>(
  '../../src/pages/{notifications/settings,unsubscribe/[[]token[]]}.astro',
  {
    eager: true,
  },
)
const settingsPage = pages['../../src/pages/notifications/settings.astro']

test('the settings page shows the topics of the person and saves them without a script', async () => {
  const { as } = await createTestTenant()
  const path = '/notifications/settings'
  const { html } = await renderPage(settingsPage, { path, actor: as.STUDENT })
  expect(html).toContain('name="certificate.email"')
  expect(html).not.toContain('name="sale.email"')
  expect((await renderPage(settingsPage, { path, actor: as.OWNER })).html).toContain('name="sale.email"')
  const body = {
    intent: 'save',
    'certificate.email': 'weekly',
    'certificate.inApp': 'off',
    quiet: 'on',
    from: '21:30',
    until: '07:00',
    dailyCap: '4',
  }
  expect((await renderPage(settingsPage, { path, actor: as.STUDENT, body })).to).toBe(`${path}?saved=saved`)
  expect(await getNotificationSettings(as.STUDENT)).toMatchObject({
    quiet: { from: '21:30', until: '07:00' },
    dailyCap: 4,
    preferences: expect.arrayContaining([{ topic: 'certificate', channel: 'email', frequency: 'weekly' }]),
  })
  const refused = await renderPage(settingsPage, { path, actor: as.STUDENT, body: { ...body, dailyCap: '99' } })
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('value="99"')
  const { html: again } = await renderPage(settingsPage, { path, actor: as.STUDENT, locale: 'en' })
  expect(again).toMatch(/value="weekly" selected/)
})

test('one POST of a mail program unsubscribes without a session', async () => {
  const { as, tenant } = await createTestTenant()
  const token = signUnsubscription(tenant.id, { memberId: as.STUDENT.membershipId, topics: ['certificate'] })
  const post = (school: { id: string } | null) => {
    const context: Parameters<typeof POST>[0] = Object.assign(Object.create(null), {
      locals: { school },
      params: { token },
    })
    return POST(context)
  }
  expect((await post({ id: tenant.id })).status).toBe(204)
  expect((await post({ id: tenant.id })).status).toBe(204)
  const { emails } = await getUnsubscribePage({ tenantId: tenant.id, token })
  expect(emails.filter(({ frequency }) => frequency === 'off').map(({ topic }) => topic)).toEqual(['certificate'])
  await expect(post(null)).rejects.toMatchObject({ code: 'not_found' })
  const { rows } = await inTenant(as.OWNER, (tx) => tx.execute('select 1 from notification_preference'))
  expect(rows).toHaveLength(1)
})
