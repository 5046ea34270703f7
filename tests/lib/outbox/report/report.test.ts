import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestTenant } from '../../../setup/tenants.ts'

// The configuration is read once, so it is set before any module of the product is loaded.
process.env.MAIL_RETURN_PATH = 'bounces-school@mail.kafedra.test'
const { createOtherTenant, createTestTenant } = await import('../../../setup/tenants.ts')
const { inSystem, inTenant, pool } = await import('#lib/core/db/db.ts')
const { composeEmail } = await import('#lib/core/mail/email-body.ts')
const { queueEmail } = await import('#lib/core/mail/mail.ts')
const { findReturnedMail, returnPathOf } = await import('#lib/core/mail/return-path.ts')
const { mail } = await import('#lib/core/mail/table.ts')
const { getTranslator } = await import('#lib/core/i18n/i18n.ts')
const { receiveDeliveryReport } = await import('#lib/outbox/report/report.ts')
const { parseReportFields } = await import('#lib/outbox/report/report-field-rules.ts')
const { resultOf } = await import('#lib/outbox/report/rules.ts')
const { closeWorkers } = await import('#lib/core/worker/pool.ts')

let home: TestTenant
let other: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
})
afterAll(async () => {
  closeWorkers()
  await pool.end()
})

const body = composeEmail(getTranslator('uk'), { heading: 'Вітаємо', paragraphs: ['Добрий день!'] })
async function sentEmail(to: string, tenantId: string | null = home.tenant.id) {
  const id = (await queueEmail({ tenantId, to, locale: 'uk', subject: 'Вітаємо', body })) ?? ''
  const change = { status: 'sent', sentAt: new Date() } as const
  const run = (tx: Parameters<Parameters<typeof inSystem>[0]>[0]) => tx.update(mail).set(change).where(eq(mail.id, id))
  await (tenantId ? inTenant({ tenantId }, run) : inSystem(run))
  return { id, tenantId }
}
async function rowOf({ id, tenantId }: { id: string; tenantId: string | null }) {
  const run = (tx: Parameters<Parameters<typeof inSystem>[0]>[0]) => tx.select().from(mail).where(eq(mail.id, id))
  const [row] = await (tenantId ? inTenant({ tenantId }, run) : inSystem(run))
  return { status: row?.status, error: row?.error }
}

const report = (to: string | null, action: string, status: string, diagnostic = '') =>
  [
    'From: MAILER-DAEMON@mx.test',
    `To: <${to}>`,
    'Subject: Delivery Status Notification',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'What became of your email.',
    '--part',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.test',
    '',
    'Final-Recipient: rfc822; student@report.test',
    `Action: ${action}`,
    `Status: ${status}`,
    ...(diagnostic ? [`Diagnostic-Code: smtp; ${diagnostic}`] : []),
    '',
    '--part--',
    '',
  ].join('\r\n')

test('a return path names the email and its tenant, in any case, and no other address does', () => {
  const email = { id: '0190f1a2-0000-7000-8000-0123456789ab', tenantId: home.tenant.id }
  const path = returnPathOf(email) ?? ''
  expect(path).toMatch(/^bounces-school\+[0-9a-v]{48}@mail\.kafedra\.test$/)
  expect(path.split('@')[0]?.length).toBeLessThanOrEqual(64)
  const tenantPrefix = home.tenant.id.replaceAll('-', '').slice(0, 12)
  expect(findReturnedMail(path.toUpperCase())).toEqual({ mailId: email.id, tenantPrefix })
  expect(findReturnedMail(returnPathOf({ ...email, tenantId: null }) ?? '')).toMatchObject({ tenantPrefix: null })
  const forged = path.replace(/\+(.)/, (_, digit: string) => `+${digit === '0' ? '1' : '0'}`)
  expect(findReturnedMail(`${forged} someone@else.test`)).toBeNull()
})

test.each([
  [['failed'], 'failed'],
  [['delivered'], 'delivered'],
  [['expanded'], 'delivered'],
  [['delivered', 'failed'], 'failed'],
  [['delayed'], undefined],
  [['relayed'], undefined],
])('the actions %j mean %s', (actions, outcome) => {
  const recipients = actions.map((action) => ({ action, status: '', diagnostic: '' }))
  expect(resultOf({ recipients, subject: '', isFromServer: true, text: '' })?.outcome).toBe(outcome)
})

test.each([
  ['5.0.0', 'smtp; 550 5.1.1 user unknown', true],
  ['5.1.1', 'smtp; 552 5.2.2 mailbox full', false],
  ['5.1.1', 'smtp; 550 blocked by policy, spam', false],
  ['5.5.0', 'smtp; 550 <x@y.test>: no such user here', true],
  ['5.2.2', '', false],
  ['5.1.8', 'smtp; 553 5.1.8 Domain of sender address does not exist', false],
  ['5.4.1', 'smtp; 550 5.4.1 Recipient address rejected: Access denied', true],
])('the status %s with %j concerns the address: %s', (status, diagnostic, isAddressFailure) => {
  const parts = { subject: 'Undelivered', isFromServer: true, text: '' }
  expect(resultOf({ ...parts, recipients: [{ action: 'failed', status, diagnostic }] })).toMatchObject({
    isAddressFailure,
  })
})

const textReport = (to: string | null, subject: string, lines: string[], more: string[] = []) =>
  ['From: MAILER-DAEMON@mx.test', `To: <${to}>`, `Subject: ${subject}`, ...more, '', ...lines].join('\n')

test.each([
  ['failure notice', ['<a@b.test>:', 'Remote host said: 550 5.1.1 <a@b.test>... User Unknown'], 'bounced'],
  ['Mail delivery failed', ['a@b.test', 'host mx [1.1.1.1]: 552 5.2.2 Mailbox full'], 'failed'],
  ['Undeliverable', ['Your message could not be delivered.', '', 'Received: from 550 5.1.1 x'], 'failed'],
  ['Warning: message delayed', ['451 4.4.1 will be retried'], 'sent'],
  ['Automatic reply: вітання', ['Я у відпустці, 550 днів.'], 'sent'],
])('a report %j without fields makes the email %s', async (subject, lines, status) => {
  const email = await sentEmail('text@report.test')
  await receiveDeliveryReport(textReport(returnPathOf(email), subject, lines))
  expect(await rowOf(email)).toMatchObject({ status })
})

test('an ordinary email to the return path changes nothing, nor does a complaint', async () => {
  const email = await sentEmail('person@report.test')
  const path = returnPathOf(email)
  await receiveDeliveryReport(`From: olena@mail.test\nTo: <${path}>\nSubject: Re: Вітаємо\n\nДякую!\n`)
  await receiveDeliveryReport(textReport(path, 'complaint about message from 192.0.2.1', ['This is a complaint.']))
  expect(await rowOf(email)).toMatchObject({ status: 'sent' })
})

test('reads the groups of a status part, folded lines and foreign line ends included', () => {
  const text = 'Reporting-MTA: dns; mx\n\nAction: FAILED\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550\n unknown user\n'
  expect(parseReportFields(text)).toEqual([{ action: 'failed', status: '5.1.1', diagnostic: 'smtp; 550 unknown user' }])
  expect(parseReportFields(text.replaceAll('\n', '\r\n'))).toHaveLength(1)
  expect(parseReportFields('')).toEqual([])
})

describe('a report', () => {
  test('marks an email as delivered, of a tenant and of none', async () => {
    for (const tenantId of [home.tenant.id, null]) {
      const email = await sentEmail('student@report.test', tenantId)
      const raw = report(returnPathOf(email), 'delivered', '2.0.0')
      await receiveDeliveryReport(raw)
      await receiveDeliveryReport(raw)
      expect(await rowOf(email)).toEqual({ status: 'delivered', error: null })
    }
  })

  test('marks an unknown address: the email bounced, and the status of the student is unknown', async () => {
    const { email: address, membershipId } = home.as.STUDENT
    const email = await sentEmail(address)
    await receiveDeliveryReport(report(returnPathOf(email), 'failed', '5.1.1', '550 5.1.1 user unknown'))
    expect(await rowOf(email)).toEqual({ status: 'bounced', error: 'smtp; 550 5.1.1 user unknown' })
    const { rows } = await inTenant({ tenantId: home.tenant.id }, (tx) =>
      tx.execute(sql`select status, bounced_at is not null as bounced from student where id = ${membershipId}`),
    )
    expect(rows).toEqual([{ status: 'unknown', bounced: true }])
  })

  test('a full mailbox is a failure of the email, not of the address; a delay changes nothing', async () => {
    const full = await sentEmail('full@report.test')
    await receiveDeliveryReport(report(returnPathOf(full), 'failed', '5.2.2', '552 5.2.2 mailbox full'))
    expect(await rowOf(full)).toMatchObject({ status: 'failed' })
    const delayed = await sentEmail('delayed@report.test')
    await receiveDeliveryReport(report(returnPathOf(delayed), 'delayed', '4.4.1'))
    expect(await rowOf(delayed)).toMatchObject({ status: 'sent' })
  })

  test('with a return path that was forged or of another tenant changes nothing', async () => {
    const email = await sentEmail('safe@report.test')
    await receiveDeliveryReport(report(returnPathOf({ ...email, tenantId: other.tenant.id }), 'failed', '5.1.1'))
    await receiveDeliveryReport(report(`bounces+${'0'.repeat(48)}@mail.kafedra.test`, 'failed', '5.1.1'))
    await receiveDeliveryReport('not a message at all')
    expect(await rowOf(email)).toMatchObject({ status: 'sent' })
  })

  test('that is too large is refused', async () => {
    await expect(receiveDeliveryReport('x'.repeat(512_001))).rejects.toMatchObject({ code: 'too_large' })
  })
})
