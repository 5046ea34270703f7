import { afterAll, expect, test } from 'vitest'
import { startMailServer } from '../../../setup/servers/mail-server.ts'

// The configuration is read once, so the server is started before any module of the product is loaded.
const post = await startMailServer({ utf8: false })
process.env.SMTP_URL = post.url
const { pool } = await import('#lib/core/db/db.ts')
const { addRegistration, importRegistrations } = await import('../../../setup/parsed/registration.ts')
const { registerForEvent } = await import('../../../setup/parsed/registration.ts')
const { requestNextEventEmail } = await import('#lib/registration/next-event-request.ts')
const { inviteStudent } = await import('#lib/student/student.ts')
const signUp = await import('#lib/user/sign-up.ts')
const { listRegistrants, visitorAt, createWebinar } = await import('../../../setup/meeting/events.ts')
const { createTestTenant } = await import('../../../setup/tenants.ts')

afterAll(async () => {
  await post.stop()
  await pool.end()
})

const refusal = { code: 'invalid', details: { fields: { email: ['email_not_latin'] } } }
const email = 'олена@пошта.укр'

test('an address the mail server cannot deliver to is refused with a message before anything is stored', async () => {
  const home = await createTestTenant()
  const { workshopId } = await createWebinar(home.as.OWNER, {
    startAt: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const visitor = visitorAt(home)
  await expect(registerForEvent(visitor, { workshopId, email, name: 'Олена' })).rejects.toMatchObject(refusal)
  await expect(requestNextEventEmail(visitor, { workshopId, email })).rejects.toMatchObject(refusal)
  await expect(addRegistration(home.as.OWNER, { workshopId, email })).rejects.toMatchObject(refusal)
  await expect(inviteStudent(home.as.OWNER, { email })).rejects.toMatchObject(refusal)
  const account = {
    email,
    password: 'Kafedra-2026!',
    organisation: 'Школа',
    subdomain: 'ascii-only',
    firstName: 'Олена',
  }
  const caller = { address: '10.9.8.7', locale: 'uk' } as Parameters<typeof signUp.registerUser>[1]
  const signingUp = signUp.registerUser({ ...account, firstName: '', lastName: '' }, caller)
  await expect(signingUp).rejects.toMatchObject(refusal)

  const text = `${email}\nolena@пошта.укр`
  const { lines } = await importRegistrations(home.as.OWNER, { workshopId, text })
  expect(lines.map(({ outcome }) => outcome)).toEqual(['invalid', 'added'])
  expect([...(await listRegistrants(home.as.OWNER, workshopId)).keys()]).toEqual(['olena@xn--80a1acn3a.xn--j1amh'])
})
