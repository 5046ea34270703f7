import { eq, inArray } from 'drizzle-orm'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { connectionOptions } from '#lib/core/db/connection.ts'
import { copyDatabase } from '#lib/core/db/copy.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { migrateAt } from '#lib/core/db/migrate.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { file } from '#lib/storage/table.ts'
import { insertFiles } from '../../../setup/files.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { createDatabase } from '../../../setup/servers/cluster.ts'
import { createOtherTenant, createTestTenant } from '../../../setup/tenants.ts'

const source = connectionOptions(config)

async function emptyDatabase(name: string): Promise<string> {
  const address = await createDatabase(inject('cluster').socketDir, name)
  await migrateAt(address)
  return address
}

test('moves every school completely, with its row-level security', { timeout: 60_000 }, async () => {
  const [ours, theirs] = [await createTestTenant(), await createOtherTenant()]
  await createCourse(ours.as.OWNER, { title: 'Голос і дикція' })
  await createCourse(theirs.as.OWNER, { title: 'Ноти за тиждень' })
  const target = await emptyDatabase(`copy_${process.pid}`)

  const copied = await copyDatabase(source, { connectionString: target })
  expect(copied).toMatchObject({ tenant: 2, course: 2 })

  const client = new pg.Client({ connectionString: target })
  await client.connect()
  const titles = async () =>
    (await client.query<{ title: string }>('select title from course')).rows.map((r) => r.title)
  expect(await titles()).toEqual([])
  await client.query("select set_config('app.tenant_id', $1, false)", [ours.tenant.id])
  expect(await titles()).toEqual(['Голос і дикція'])
  await client.end()

  await expect(copyDatabase(source, { connectionString: target })).rejects.toThrow('holds tenants already')
})

test('moves files before or after their folders, and waiting jobs', { timeout: 60_000 }, async () => {
  const { as, tenant } = await createTestTenant()
  // More than one batch. Rows are in the order of the last write: a renamed folder follows its files.
  const files = await insertFiles(
    as.OWNER,
    Array.from({ length: 1200 }, (_, n) => ({ name: `file ${n}` })),
  )
  const [folder = ''] = await insertFiles(as.OWNER, [{ name: 'folder', kind: 'folder' }])
  const letter = composeEmail(getTranslator('uk'), { heading: 'Вітаємо', paragraphs: ['Добрий день!'] })
  const sendAfter = new Date('2027-01-01T08:00:00Z')
  await inTenant(as.OWNER, async (tx) => {
    await tx.update(file).set({ parentId: folder }).where(inArray(file.id, files))
    await tx.update(file).set({ description: 'renamed' }).where(eq(file.id, folder))
    for (const to of ['one@kafedra.test', 'two@kafedra.test'])
      await sendEmail({ tenantId: tenant.id, to, locale: 'uk', subject: 'Вітаємо', body: letter, sendAfter })
  })
  await enqueueJob('test.key', { tenantId: tenant.id }, { singletonKey: 'only one' })
  const target = await emptyDatabase(`copy_files_${process.pid}`)

  expect(await copyDatabase(source, { connectionString: target })).toMatchObject({ file: 1201, mail: 2, jobs: 3 })

  const client = new pg.Client({ connectionString: target })
  await client.connect()
  const { rows } = await client.query('select name, singleton_key, start_after, state from pgboss.job order by name')
  expect(rows).toMatchObject([
    { name: 'mail.deliver', start_after: sendAfter, state: 'created' },
    { name: 'mail.deliver', start_after: sendAfter, state: 'created' },
    { name: 'test.key', singleton_key: 'only one', state: 'created' },
  ])
  // Foreign keys are checked immediately again.
  await client.query("select set_config('app.tenant_id', $1, false)", [tenant.id])
  await expect(client.query('update file set parent_id = gen_random_uuid()')).rejects.toThrow('file_parent')
  await client.end()
})
