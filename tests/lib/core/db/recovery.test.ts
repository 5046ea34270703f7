import fs from 'node:fs'
import { getTableColumns, getTableName, is, sql, Table } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { startJobs } from '#lib/core/jobs/jobs.ts'
import { recoverJobs } from '#lib/core/jobs/recovery.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { mailRecoveries } from '#lib/core/mail/recovery.ts'
import { recoveries } from '#lib/jobs.ts'
import { insertFiles } from '../../../setup/files.ts'
import { createWebinar, updateEvent } from '../../../setup/meeting/events.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
  // The tables of the queue.
  const worker = await startJobs({})
  await worker.stop()
})
afterAll(() => pool.end())

const later = new Date(Date.now() + 11 * 60_000)
const tenantOf = () => home.tenant.id

const jobsOf = async (name: string) =>
  (
    await pool.query<{ data: object; key: string }>(
      "select data, singleton_key as key from pgboss.job where name = $1 and state = 'created'",
      [name],
    )
  ).rows

const forgetJobs = () => pool.query('delete from pgboss.job')
const letter = composeEmail(getTranslator('uk'), { heading: 'Вітаємо', paragraphs: ['Добрий день!'] })
const post = (to: string, tenantId: string | null, sendAfter?: Date) =>
  sendEmail({ tenantId, to, locale: 'uk', subject: 'Вітаємо', body: letter, ...(sendAfter ? { sendAfter } : {}) })

describe('lost jobs', () => {
  test('are recreated for emails with and without a tenant, at their scheduled time, and only once', async () => {
    const sendAfter = new Date(Date.now() + 3_600_000)
    await inTenant(home.as.OWNER, () => post('soon@kafedra.test', tenantOf()))
    await inTenant(home.as.OWNER, () => post('later@kafedra.test', tenantOf(), sendAfter))
    await post('account@kafedra.test', null)
    const before = await jobsOf('mail.deliver')
    expect(before).toHaveLength(3)
    expect(await recoverJobs(mailRecoveries, later)).toBe(0)
    await forgetJobs()
    expect(await recoverJobs(mailRecoveries, new Date())).toBe(0)
    expect(await recoverJobs(mailRecoveries, later)).toBe(3)
    expect(await recoverJobs(mailRecoveries, later)).toBe(0)
    const data = (rows: { data: object }[]) => rows.map((row) => JSON.stringify(row.data)).sort()
    expect(data(await jobsOf('mail.deliver'))).toEqual(data(before))
    const { rows } = await pool.query('select count(*)::int as n from pgboss.job where start_after = $1', [sendAfter])
    expect(rows[0].n).toBe(1)
  })

  test('are recreated for every other state that only a job ends', async () => {
    const { tenantId, membershipId } = home.as.OWNER
    await forgetJobs()
    const [video = '', started = '', finished = ''] = await insertFiles(home.as.OWNER, [
      { name: 'video.mp4', kind: 'video', sha256: 'x' },
      { name: 'started', sha256: 'x' },
      { name: 'finished' },
    ])
    const uploads = [
      { id: started, state: 'uploadStarted' },
      { id: finished, state: 'uploadFinished' },
    ]
    const old = new Date(Date.now() - 3 * 86_400_000)
    await inTenant(home.as.OWNER, async (tx) => {
      await tx.execute(sql`insert into video (tenant_id, file_id, state) values (${tenantId}, ${video}, 'encoding')`)
      for (const kind of ['captions', 'texts'])
        await tx.execute(
          sql`insert into generation (tenant_id, file_id, kind, lang, state) values (${tenantId}, ${video}, ${kind}, 'uk', 'running')`,
        )
      for (const { id, state } of uploads)
        await tx.execute(sql`insert into upload (tenant_id, id, owner_id, name, kind, mime, size, sample, store_id, state, touched_at)
          values (${tenantId}, ${id}, ${membershipId}, 'a', 'file', '', 1, '', 'x', ${state}, ${old.toISOString()})`)
      await tx.execute(sql`insert into transfer (tenant_id, id, file_id, file_name, "by", requesting_actor)
        values (${tenantId}, ${newId()}, ${video}, 'a.zip', ${membershipId}, ${JSON.stringify({ tenantId })}::jsonb)`)
    })
    await recoverJobs(recoveries, later)
    for (const [name, key] of [
      ['storage.encode', video],
      ['storage.transcribe', `${video} uk`],
      ['storage.suggest', `${video} uk`],
      ['storage.abandon', tenantId],
      ['storage.examine', finished],
    ]) {
      expect(
        (await jobsOf(name ?? '')).map((job) => job.key),
        name,
      ).toEqual([key])
    }
    expect(await jobsOf('course.import')).toMatchObject([{ data: { requestingActor: { tenantId } } }])
  })

  test('are recreated for a recording without a stored video, and for a planned automatic session', async () => {
    const { as } = home
    await forgetJobs()
    const over = { startedAt: new Date(Date.now() - 7_200_000), finishedAt: new Date(Date.now() - 3_600_000) }
    const [recorded, other, automated] = [
      await createWebinar(as.OWNER),
      await createWebinar(as.OWNER),
      await createWebinar(as.OWNER),
    ]
    for (const event of [recorded, other]) await updateEvent(as.OWNER, event, {}, over)
    fs.mkdirSync(recordingDirectory(recorded.sessionId), { recursive: true })
    const startAt = new Date(Date.now() + 86_400_000)
    await updateEvent(as.OWNER, automated, {}, { kind: 'auto', startAt })
    await recoverJobs(recoveries, later)
    expect((await jobsOf('meeting.compose')).map(({ key }) => key)).toEqual([recorded.sessionId])
    expect(await jobsOf('autowebinar.turn')).toMatchObject([{ data: { sessionId: automated.sessionId } }])
  })
})

// States that wait for a user, or that are final.
const NO_JOB: Record<string, string> = {
  'file_state.event': 'a history of states',
  'registration.state': 'a person approves or declines',
  'registration_email.kind': 'a kind of letter, no state',
  'subscription.state': 'a payment changes it',
  'outgoing_recipient.state': 'the job of its message sends to all of them',
  'payment.status': 'a periodic job polls the provider',
  'payment_callback.status': 'what a provider has reported',
  'tenant_domain.status': 'a periodic job asks the name servers',
}

test('every waiting state is ended by a job that is recreated when lost', async () => {
  const tables = import.meta.glob<Record<string, unknown>>(['/src/lib/**/table.ts', '/src/lib/**/*-table.ts'], {
    eager: true,
  })
  const known = recoveries.map(({ state }) => `${state.table}.${state.column}`)
  const waiting: string[] = []
  for (const table of Object.values(tables).flatMap((file) =>
    Object.values(file).flatMap((value) => (is(value, Table) ? [value] : [])),
  )) {
    for (const column of Object.values(getTableColumns(table))) {
      const values = column.enumValues ?? []
      if (!values.some((value: string) => /^(queued|pending|running|processing|encoding|uploadStarted)$/.test(value)))
        continue
      waiting.push(`${getTableName(table)}.${column.name}`)
    }
  }
  expect(waiting.length).toBeGreaterThan(5)
  expect(waiting.filter((name) => !known.includes(name) && !(name in NO_JOB))).toEqual([])
  for (const { waitingSql: query } of recoveries)
    await inSystem((tx) => tx.execute(sql.raw(query.replaceAll('$1', 'now()'))))
})
