import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { eq, inArray } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Installation, writeBackup } from '#lib/core/backup/backup.ts'
import { lockBackup } from '#lib/core/backup/lock.ts'
import { restoreBackup } from '#lib/core/backup/restore.ts'
import { verifyBackup } from '#lib/core/backup/verify.ts'
import { config } from '#lib/core/config/config.ts'
import { connectionOptions } from '#lib/core/db/connection.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { encrypt } from '#lib/core/encryption.ts'
import { createDiskStore } from '#lib/core/files/disk/disk.ts'
import { store } from '#lib/core/files/files.ts'
import { createS3Store } from '#lib/core/files/s3/s3.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { file } from '#lib/storage/table.ts'
import { discardObjects } from '#lib/storage/trash.ts'
import { insertFiles, storeFile } from '../../../setup/files.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { createDatabase } from '../../../setup/servers/cluster.ts'
import { startS3Server } from '../../../setup/servers/s3-server.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const source: Installation = { connection: connectionOptions(config), store, dataDir: config.dataDir }
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-backup-'))
const place = (name: string) => path.join(folder, name)
let home: TestTenant
let videoId = ''

beforeAll(async () => {
  home = await createTestTenant()
  const theirs = await createOtherTenant()
  await createCourse(home.as.OWNER, { title: 'Голос і дикція «😀» \\ "' })
  await createCourse(theirs.as.OWNER, { title: 'Ноти за тиждень' })
  videoId = await storeFile(home.as.OWNER, {
    name: 'video.mp4',
    kind: 'video' as const,
    bytes: 'video'.repeat(5000),
    made: { 'hls/720/main.m3u8': '#EXTM3U', 'poster-0.jpg': 'picture' },
  })
  await storeFile(theirs.as.OWNER, { name: 'notes.txt', bytes: 'notes' })
  const [parent = ''] = await insertFiles(home.as.OWNER, [{ name: 'folder', kind: 'folder' }])
  await inTenant(home.as.OWNER, async (tx) => {
    await tx
      .update(file)
      .set({ parentId: parent })
      .where(inArray(file.id, [videoId]))
    // Some parsers treat it as the end of a line.
    await tx.update(file).set({ description: 'one\u2028two\nthree' }).where(eq(file.id, parent))
  })
  const letter = composeEmail(getTranslator('uk'), { heading: 'Вітаємо', paragraphs: ['Добрий день!'] })
  for (const tenantId of [null, home.tenant.id])
    await sendEmail({ tenantId, to: 'a@kafedra.test', locale: 'uk', subject: 'Вітаємо', body: letter })
  // An object without a row.
  await store.put(`${home.tenant.id}/${home.tenant.id}`, Buffer.from('orphan'))
  encrypt('test', 'makes the key')
  fs.mkdirSync(path.join(config.dataDir, 'broadcast/recording/room'), { recursive: true })
  fs.writeFileSync(path.join(config.dataDir, 'broadcast/recording/room/1.mkv'), 'recorded')
})

afterAll(async () => {
  await pool.end()
  fs.rmSync(folder, { recursive: true })
})

async function target(name: string, objects?: Installation['store']): Promise<Installation> {
  const connectionString = await createDatabase(inject('cluster').socketDir, `${name}_${process.pid}`)
  const dataDir = place(name)
  return { connection: { connectionString }, store: objects ?? createDiskStore(path.join(dataDir, 'files')), dataDir }
}

describe('a backup', { timeout: 60_000 }, () => {
  test('names an object that cannot be read, and copies the others', async () => {
    const key = `${home.tenant.id}/${videoId}`
    const read = async (wanted: string) => {
      if (wanted !== key) return store.read(wanted)
      return new Readable({ read: (size) => void size, construct: (done) => done(new Error('input/output error')) })
    }
    const damaged = { ...source, store: { ...store, list: store.list.bind(store), read } as Installation['store'] }
    const { missing, files } = await writeBackup(damaged, place('damaged'))
    expect(missing).toEqual([key])
    expect(files.rows).toBeGreaterThan(2)
  })

  test('restores every row, job and file, and a backup of the restored installation is identical', async () => {
    const first = await writeBackup(source, place('first'))
    expect(first.tables).toMatchObject({
      tenant: { rows: 2 },
      course: { rows: 2 },
      mail: { rows: 2 },
      file: { rows: 3 },
    })
    expect(first).toMatchObject({ jobs: { rows: 2, names: ['mail.deliver'] }, missing: [] })
    const restored = await target('disk')
    await restoreBackup(restored, place('first'))
    expect(fs.readFileSync(path.join(restored.dataDir, 'broadcast/recording/room/1.mkv'), 'utf8')).toBe('recorded')
    expect(fs.readFileSync(path.join(restored.dataDir, 'secret.key'))).toEqual(
      fs.readFileSync(path.join(config.dataDir, 'secret.key')),
    )
    const second = await writeBackup(restored, place('second'))
    const sums = ({ tables }: typeof first) =>
      Object.entries(tables).map(([name, { rows, checksum }]) => [name, rows, checksum])
    expect(sums(second)).toEqual(sums(first))
    expect(second.files.rows).toBe(first.files.rows)
    expect(second.jobs.rows).toBe(2)
    expect(await restored.store.stat(`${home.tenant.id}/${home.tenant.id}`)).toBeNull()
    expect(fs.statSync(place('first')).mode & 0o077).toBe(0)
  })

  test('is written to a bucket and restored from one', async () => {
    const s3 = await startS3Server()
    try {
      const restored = await target('bucket', createS3Store(s3.place))
      await restoreBackup(restored, place('first'))
      expect(await restored.store.stat(`${home.tenant.id}/${videoId}`)).toMatchObject({ size: 'video'.length * 5000 })
      const again = await writeBackup(restored, place('of-bucket'))
      expect(again.files.rows).toBe((await verifyBackup(place('first'))).files.rows)
      expect(again.missing).toEqual([])
    } finally {
      await s3.stop()
    }
  })

  test('is consistent while the product writes', async () => {
    let isOver = false
    const writing = (async () => {
      for (let n = 0; !isOver; n++) await createCourse(home.as.OWNER, { title: `Курс ${n}` }).catch(() => undefined)
    })()
    await writeBackup(source, place('busy')).finally(() => {
      isOver = true
    })
    await writing
    await restoreBackup(await target('busy_target'), place('busy'))
  })
})

describe('a restore refuses', { timeout: 60_000 }, () => {
  test('an installation that has tenants, or files of another program', async () => {
    await expect(restoreBackup({ ...source, store: createDiskStore(place('empty')) }, place('first'))).rejects.toThrow(
      'holds tenants already',
    )
    const filled = await target('filled')
    await filled.store.put(`${home.tenant.id}/${home.tenant.id}`, Buffer.from('another'))
    await expect(restoreBackup(filled, place('first'))).rejects.toThrow('holds files already')
  })

  test.each(['tables/course.jsonl.gz', 'files'])('a backup whose %s is damaged or incomplete', async (name) => {
    const copy = place(`damaged-${path.basename(name)}`)
    fs.cpSync(place('first'), copy, { recursive: true })
    if (name === 'files') fs.rmSync(path.join(copy, 'files', home.tenant.id, videoId))
    else fs.writeFileSync(path.join(copy, name), 'x')
    await expect(restoreBackup(await target(`d_${path.basename(name, '.jsonl.gz')}`), copy)).rejects.toThrow(
      /missing|damaged/,
    )
  })

  test('a backup of a newer version', async () => {
    const copy = place('newer')
    fs.cpSync(place('first'), copy, { recursive: true })
    const manifest = JSON.parse(fs.readFileSync(path.join(copy, 'manifest.json'), 'utf8'))
    manifest.migrations.push(9_999_999_999_999)
    fs.writeFileSync(path.join(copy, 'manifest.json'), JSON.stringify(manifest))
    await expect(restoreBackup(await target('newer_target'), copy)).rejects.toThrow('newer than this version')
  })
})

test('objects are removed only after a running backup', async () => {
  const client = new pg.Client(source.connection)
  await client.connect()
  await lockBackup(client)
  const object = { tenantId: home.tenant.id, fileIds: [videoId] }
  await discardObjects(object)
  expect(await store.stat(`${home.tenant.id}/${videoId}`)).not.toBeNull()
  const { rows } = await pool.query("select 1 from pgboss.job where name = 'storage.discard' and start_after > now()")
  expect(rows).toHaveLength(1)
  await client.end()
  await expect
    .poll(async () => {
      await discardObjects(object)
      return store.stat(`${home.tenant.id}/${videoId}`)
    })
    .toBeNull()
})
