import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMailServer } from '../../../setup/servers/mail-server.ts'

// The configuration is read once, so the server is started before any module of the product is loaded.
const post = await startMailServer()
process.env.SMTP_URL = post.url
const { inSystem, pool } = await import('#lib/core/db/db.ts')
const { startJobs } = await import('#lib/core/jobs/jobs.ts')
const { deliverEmail } = await import('#lib/core/mail/delivery.ts')
const { sendEmail } = await import('#lib/core/mail/mail.ts')
const { registerForEvent } = await import('../../../setup/parsed/registration.ts')
const { Email } = await import('#lib/core/shared/text/email.ts')
const { listRegistrants, visitorAt, createWebinar } = await import('../../../setup/meeting/events.ts')
const { createTestTenant } = await import('../../../setup/tenants.ts')

let worker: { stop(): Promise<void> }
beforeAll(async () => {
  worker = await startJobs({ 'mail.deliver': { run: deliverEmail, maxAttempts: 3, retryDelaySeconds: 1 } })
})
afterAll(async () => {
  await worker.stop()
  await post.stop()
  await pool.end()
})

test.each(['Олена@пошта.укр', 'olena@пошта.укр', 'olena2@xn--80a1acn3a.xn--j1amh'])(
  'an email reaches %s by a server that supports SMTPUTF8',
  async (typed) => {
    const to = Email.parse(typed)
    await inSystem(() =>
      sendEmail({ tenantId: null, to, locale: 'uk', subject: 'Вітаємо', body: { html: '<p>Так</p>', text: 'Так' } }),
    )
    const letter = await post.waitForMail(to)
    expect(letter.recipients).toEqual([to])
    expect(letter.subject).toBe('Вітаємо')
  },
)

test('one address in two notations is one registration', async () => {
  const home = await createTestTenant()
  const { workshopId } = await createWebinar(home.as.OWNER, {
    startAt: new Date(Date.now() + 86_400_000).toISOString(),
  })
  for (const email of ['Олена@пошта.укр', 'олена@XN--80A1ACN3A.xn--j1amh']) {
    await registerForEvent(visitorAt(home), { workshopId, email, name: 'Олена' })
  }
  expect([...(await listRegistrants(home.as.OWNER, workshopId)).keys()]).toEqual(['олена@xn--80a1acn3a.xn--j1amh'])
})
