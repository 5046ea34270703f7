import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { startMailServer } from '../../../setup/servers/mail-server.ts'

// The configuration is read once, so the server is started before any module of the product is loaded.
const post = await startMailServer()
process.env.SMTP_URL = post.url
const { config } = await import('#lib/core/config/config.ts')
const { inSystem, pool } = await import('#lib/core/db/db.ts')
const { deliverEmail } = await import('#lib/core/mail/delivery.ts')
const { queueEmail } = await import('#lib/core/mail/mail.ts')
const { mail } = await import('#lib/core/mail/table.ts')
const { whileRowsFail } = await import('../../../setup/failing-rows.ts')

const records = path.join(config.dataDir, 'tmp/confirmed-emails')
const listRecords = () => (fs.existsSync(records) ? fs.readdirSync(records) : [])

let mailId = ''
beforeEach(async () => {
  post.emails.splice(0)
  const email = { tenantId: null, to: 'olena@kafedra.test', locale: 'uk' as const, subject: 'Вітаємо' }
  mailId = (await queueEmail({ ...email, body: { html: '<p>', text: '' } })) ?? ''
})
afterAll(async () => {
  await post.stop()
  await pool.end()
})

const deliver = () => deliverEmail({ tenantId: null, mailId }, { isLastAttempt: false })
const statusOf = async () => {
  const [row] = await inSystem((tx) => tx.select({ status: mail.status }).from(mail).where(eq(mail.id, mailId)))
  return row?.status
}

test('an email that the server has confirmed is not sent again when its state could not be stored', async () => {
  await whileRowsFail({ table: 'mail', column: 'id', value: mailId }, async () => {
    await expect(deliver()).rejects.toThrow()
  })
  expect([await statusOf(), post.emails.length]).toEqual(['queued', 1])
  await deliver()
  expect([await statusOf(), post.emails.length, listRecords()]).toEqual(['sent', 1, []])
})

test('an email that the server has confirmed is not sent again when the process is killed before the commit', async () => {
  await pool.query(`create or replace function wait_long() returns trigger language plpgsql as
    $$ begin perform pg_sleep(60); return new; end $$`)
  await pool.query('create trigger wait_long before update on mail for each row execute function wait_long()')
  const program = `const { deliverEmail } = await import(${JSON.stringify(path.resolve('src/lib/core/mail/delivery.ts'))})
    await deliverEmail({ tenantId: null, mailId: '${mailId}' }, { isLastAttempt: false })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  await vi.waitFor(() => expect(listRecords()).toEqual([mailId]), 15_000)
  child.kill('SIGKILL')
  await ended
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database() and query like 'update "mail"%'`)
  await pool.query('drop trigger wait_long on mail')
  expect([await statusOf(), post.emails.length]).toEqual(['queued', 1])
  await deliver()
  expect([await statusOf(), post.emails.length, listRecords()]).toEqual(['sent', 1, []])
})

test('an email whose confirmation was lost is sent again with the same Message-ID', async () => {
  post.loseConfirmations(true)
  await expect(deliver()).rejects.toThrow('lost')
  post.loseConfirmations(false)
  await deliver()
  const ids = post.emails.map(({ messageId }) => messageId)
  expect(ids).toEqual([`<${mailId}@kafedra.localhost>`, `<${mailId}@kafedra.localhost>`])
  expect([await statusOf(), listRecords()]).toEqual(['sent', []])
})
