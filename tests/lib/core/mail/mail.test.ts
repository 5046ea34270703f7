import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Email } from '#lib/core/shared/text/email.ts'
import { startMailServer } from '../../../setup/servers/mail-server.ts'

// The configuration is read once, so the server is started before any module of the product is loaded.
const post = await startMailServer()
process.env.SMTP_URL = post.url
const { inSystem, inTenant, pool } = await import('#lib/core/db/db.ts')
const { getTranslator } = await import('#lib/core/i18n/i18n.ts')
const { startJobs } = await import('#lib/core/jobs/jobs.ts')
const { deliverEmail } = await import('#lib/core/mail/delivery.ts')
const { mailJobs } = await import('#lib/core/mail/jobs.ts')
const { composeEmail } = await import('#lib/core/mail/email-body.ts')
const { sendEmail } = await import('#lib/core/mail/mail.ts')
const { saveEmail, listSavedEmails, OUTBOX } = await import('#lib/core/mail/outbox.ts')

const t = getTranslator('uk')
const plain = composeEmail(t, { heading: 'Вітаємо', paragraphs: ['Добрий день!'] })
const letterTo = (to: string, more: { tenantId?: string; onceKey?: string; subject?: string } = {}) =>
  sendEmail({ tenantId: null, to, locale: 'uk', subject: 'Вітаємо', body: plain, ...more })

async function rowOf(to: string) {
  const { rows } = await inSystem((tx) => tx.execute(sql`select * from mail where "to" = ${to}`))
  return rows[0] as { id: string; status: string; attempts: number; error: string | null } | undefined
}

let worker: { stop(): Promise<void> }

beforeAll(async () => {
  worker = await startJobs({ 'mail.deliver': { run: deliverEmail, maxAttempts: 3, retryDelaySeconds: 1 } })
})

beforeEach(() => post.refuse(null))

afterAll(async () => {
  await worker.stop()
  await post.stop()
  await pool.end()
})

describe('email', { timeout: 40_000 }, () => {
  test('reaches the recipient as HTML and text, once per cause', async () => {
    for (const _ of [1, 2, 3]) await letterTo('olena@kafedra.test', { onceKey: 'welcome' })
    const letter = await post.waitForMail('olena@kafedra.test')
    expect(letter).toMatchObject({ subject: 'Вітаємо', from: { address: 'no-reply@kafedra.localhost' } })
    expect(letter.text).toContain('Добрий день!')
    expect(letter.html).toContain('lang="uk"')
    const row = await vi.waitFor(async () => {
      const found = await rowOf('olena@kafedra.test')
      expect(found).toMatchObject({ status: 'sent', attempts: 1, error: null })
      return found
    }, 10_000)
    expect(letter.messageId).toBe(`<${row?.id}@kafedra.localhost>`)
    expect(post.emails.filter(({ recipients }) => recipients.includes('olena@kafedra.test'))).toHaveLength(1)
  })

  test('is not sent when the change is rolled back', async () => {
    const failing = inSystem(async () => {
      await letterTo('never@kafedra.test')
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await letterTo('marker@kafedra.test')
    await post.waitForMail('marker@kafedra.test')
    expect(await rowOf('never@kafedra.test')).toBeUndefined()
    expect(post.emails.some(({ recipients }) => recipients.includes('never@kafedra.test'))).toBe(false)
  })

  test('is not sent twice by two concurrent workers, nor when its job runs again', async () => {
    const to = 'twice@kafedra.test'
    await letterTo(to)
    const id = (await rowOf(to))?.id ?? ''
    await Promise.all([1, 2, 3].map(() => deliverEmail({ tenantId: null, mailId: id }, { isLastAttempt: false })))
    await post.waitForMail(to)
    await vi.waitFor(async () => expect(await rowOf(to)).toMatchObject({ status: 'sent' }), 10_000)
    await deliverEmail({ tenantId: null, mailId: id }, { isLastAttempt: false })
    expect(post.emails.filter(({ recipients }) => recipients.includes(to))).toHaveLength(1)
  })

  test('waits for a busy server and arrives when it accepts mail again', async () => {
    post.refuse('try later')
    await letterTo('patient@kafedra.test')
    await vi.waitFor(async () => {
      expect(await rowOf('patient@kafedra.test')).toMatchObject({
        status: 'queued',
        error: expect.stringContaining('try later'),
      })
    }, 10_000)
    post.refuse(null)
    await post.waitForMail('patient@kafedra.test', 20_000)
    await vi.waitFor(
      async () => expect(await rowOf('patient@kafedra.test')).toMatchObject({ status: 'sent', error: null }),
      10_000,
    )
  })

  test('fails after the last attempt', async () => {
    post.refuse('try later')
    await letterTo('lost@kafedra.test')
    await vi.waitFor(async () => {
      expect(await rowOf('lost@kafedra.test')).toMatchObject({ status: 'failed', attempts: 3 })
    }, 30_000)
  })

  test('of a school is visible and sent within its tenant only', async () => {
    const [ours, theirs] = [randomUUID(), randomUUID()]
    await inTenant({ tenantId: ours }, () => letterTo('student@kafedra.test', { tenantId: ours }))
    await post.waitForMail('student@kafedra.test')
    const seen = (tenantId: string) => inTenant({ tenantId }, (tx) => tx.execute(sql`select id from mail`))
    expect((await seen(ours)).rows).toHaveLength(1)
    expect((await seen(theirs)).rows).toHaveLength(0)
  })

  test('has one recipient and no injected header', async () => {
    for (const to of [
      'a@b.test\r\nBcc: c@d.test',
      'a@b.test, c@d.test',
      'A <a@b.test>',
      '"a b"@c.test',
      'a@b.test;c@d.test',
      'ab.test',
      `${'a'.repeat(250)}@b.test`,
    ]) {
      expect(() => letterTo(to)).toThrow('not an e-mail address')
    }
    await letterTo('one@kafedra.test', { subject: 'Тема\r\nBcc: thief@kafedra.test\u2028X: y' })
    const letter = await post.waitForMail('one@kafedra.test')
    expect(letter.recipients).toEqual(['one@kafedra.test'])
    expect(letter.bcc).toBeUndefined()
    expect(letter.subject).toBe('Тема Bcc: thief@kafedra.test X: y')
  })

  test('is delivered to every address that forms accept, apostrophes included', async () => {
    const passed = fc.sample(fc.emailAddress(), 200).filter((email) => Email.safeParse(email).success)
    for (const email of ["o'brien@kafedra.test", 'o+b_c-d.e@kafedra.test', ...passed]) {
      const to = Email.parse(email)
      const sent = inSystem(async () => {
        await sendEmail({ tenantId: null, to, locale: 'uk', subject: 'x', body: { html: '', text: '' } })
        throw new Error('taken back')
      })
      await expect(sent, to).rejects.toThrow('taken back')
    }
  })

  test('is retried for about an hour', () => {
    expect(mailJobs(async () => null)['mail.deliver']).toMatchObject({ maxAttempts: 10, retryDelaySeconds: 5 })
  })
})

describe('the content of an email', () => {
  const letter = composeEmail(getTranslator('en'), {
    preheader: 'Your code',
    heading: 'Hello, <b>Olena</b> & "friends"',
    paragraphs: ['<script>alert(1)</script>', 'two\nlines'],
    code: '123456',
    button: { label: 'Open', href: 'https://kafedra.test/?a=1&b="2"' },
    footnote: 'Not you?',
    school: 'School <i>of</i> music',
  })

  test('contains all parts, escaped', () => {
    expect(letter.html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(letter.html).not.toMatch(/<script|<b>|<i>|b="2"/)
    for (const part of ['&lt;script&gt;', 'Hello, &lt;b&gt;Olena', 'two<br>lines', '123456', 'School &lt;i&gt;']) {
      expect(letter.html).toContain(part)
    }
    expect(letter.html).toContain('href="https://kafedra.test/?a=1&amp;b=&quot;2&quot;"')
  })

  test('has the same plain-text version', () => {
    for (const part of [
      'Hello, <b>Olena</b> & "friends"',
      '123456',
      'Open:\nhttps://kafedra.test/?a=1&b="2"',
      'Not you?',
    ]) {
      expect(letter.text).toContain(part)
    }
    expect(letter.text).toContain('School <i>of</i> music')
  })

  test('links to http addresses only', () => {
    const parts = { heading: '', paragraphs: [], button: { label: '', href: 'javascript:alert(1)' } }
    expect(() => composeEmail(t, parts)).toThrow('http')
  })

  test('without a mail server is stored as files, newest first, once', async () => {
    const old = {
      id: randomUUID(),
      to: 'a@kafedra.test',
      subject: 'Стара',
      locale: 'uk',
      ...plain,
      createdAt: new Date(1),
    }
    const fresh = { ...old, id: randomUUID(), subject: 'Нова', createdAt: new Date() }
    for (const email of [fresh, old, fresh]) await saveEmail(email)
    expect((await listSavedEmails()).map(({ subject }) => subject)).toEqual(['Нова', 'Стара'])
    expect(fs.readdirSync(OUTBOX)).toHaveLength(4)
    expect(fs.readdirSync(OUTBOX).every((name) => /^\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{12}\.(json|html)$/.test(name))).toBe(
      true,
    )
  })
})
