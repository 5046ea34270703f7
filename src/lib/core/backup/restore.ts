import { createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { beginWriting } from '../db/copy.ts'
import { appliedMigrations, NewerDatabaseError, readJournal } from '../db/journal.ts'
import { migrateTo } from '../db/migrate.ts'
import { deferSelfReferences, enterTenant, sumOf, tablesInOrder, tenantScopes, writeRows } from '../db/tables.ts'
import { createQueues, insertJobs } from '../jobs/saved-jobs.ts'
import { type BackupManifest, computeSha256, JOBS_FILE, readLines, tableFilePath } from './archive.ts'
import type { Installation } from './backup.ts'
import { readFileList, verifyBackup } from './verify.ts'

/**
 * Restores a backup into an empty installation: compares the whole backup with its manifest, writes the files and reads
 * them again, then fills the database in one transaction, compares it and migrates it to the newest schema. An
 * interrupted restore may be repeated. Throws when the target is not empty, and when the backup was written by a newer
 * version of the program.
 */
export async function restoreBackup(installation: Installation, folder: string): Promise<BackupManifest> {
  const manifest = await verifyBackup(folder)
  requireKnownMigrations(manifest)
  await requireEmptyStore(installation, folder)
  const client = new pg.Client(installation.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await prepareSchema(client, installation.connection, manifest)
    await beginWriting(client)
    await client.query('rollback')
    await restoreFiles(installation, folder)
    await beginWriting(client)
    await restoreTables(client, manifest, folder)
    await restoreJobs(client, installation.connection, manifest, folder)
    await client.query('commit')
  } finally {
    await client.end()
  }
  await migrateTo(installation.connection)
  return manifest
}

function requireKnownMigrations({ migrations }: BackupManifest): void {
  const known = new Set(readJournal().map(({ when }) => when))
  const unknown = migrations.filter((when) => !known.has(when))
  if (unknown.length > 0) throw new NewerDatabaseError(unknown.length)
}

// Files that an interrupted restore has left must belong to the same backup.
async function requireEmptyStore({ store, dataDir }: Installation, folder: string): Promise<void> {
  for await (const { key, size } of store.list('')) {
    const ours = await stat(path.join(folder, 'files', key)).catch(() => null)
    if (ours?.size !== size) throw new Error(`the target holds files already: ${key}`)
  }
  const [existing, saved] = await Promise.all(
    [path.join(dataDir, 'secret.key'), path.join(folder, 'data/secret.key')].map((file) =>
      readFile(file, 'utf8').catch(() => null),
    ),
  )
  if (existing !== null && saved !== null && existing !== saved)
    throw new Error(`${dataDir}/secret.key is of another installation`)
}

// The rows have the schema of the version that wrote the backup.
async function prepareSchema(
  client: pg.Client,
  connection: pg.PoolConfig,
  { migrations }: BackupManifest,
): Promise<void> {
  const applied = await appliedMigrations(client)
  const isSame = applied.length === migrations.length && applied.every((when, index) => when === migrations[index])
  if (applied.length > 0 && !isSame) throw new Error('the target has tables of another version: name an empty database')
  if (!isSame) await migrateTo(connection, migrations.at(-1))
}

async function restoreFiles({ store, dataDir }: Installation, folder: string): Promise<void> {
  for await (const { path: name, sha256 } of readFileList(folder)) {
    const from = path.join(folder, name)
    if (name.startsWith('data/')) {
      const to = path.join(dataDir, name.slice('data/'.length))
      await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
      await copyFile(from, to)
      await chmod(to, 0o600)
      if ((await computeSha256(createReadStream(to))) !== sha256) throw new Error(`${to} differs from the backup`)
      continue
    }
    const key = name.slice('files/'.length)
    await store.put(key, { path: from })
    const written = await store.read(key)
    if (!written || (await computeSha256(written)) !== sha256) throw new Error(`${key}: the store holds something else`)
  }
}

const MAX_BATCH_ROWS = 500
const MAX_BATCH_BYTES = 4 * 1024 * 1024

async function restoreTables(client: pg.Client, { tables }: BackupManifest, folder: string): Promise<void> {
  const settle = await deferSelfReferences(client)
  const known = await tablesInOrder(client)
  const unknown = Object.keys(tables).filter((name) => !known.some((table) => table.name === name))
  if (unknown.length > 0) throw new Error(`no such tables: ${unknown.join(', ')}`)
  for (const table of known) {
    for await (const { tenantId, rows } of readTenantBatches(path.join(folder, tableFilePath(table.name)))) {
      await enterTenant(client, tenantId)
      await writeRows(client, table, rows)
    }
  }
  await settle()
  const scopes = await tenantScopes(client)
  for (const table of known) {
    const [expected, actual] = [tables[table.name], await sumOf(client, table, scopes)]
    if (expected?.rows !== actual.rows || expected.checksum !== actual.checksum)
      throw new Error(`${table.name}: ${actual.rows} rows differ from the ${expected?.rows} of the backup`)
  }
}

// Row-level security accepts the rows of one tenant at a time.
async function* readTenantBatches(file: string): AsyncGenerator<{ tenantId: string; rows: string[] }> {
  let [rows, bytes, tenantId]: [string[], number, string] = [[], 0, '']
  for await (const line of readLines(file)) {
    const own: string = JSON.parse(line).tenant_id ?? ''
    if (rows.length > 0 && (own !== tenantId || rows.length === MAX_BATCH_ROWS || bytes > MAX_BATCH_BYTES)) {
      yield { tenantId, rows }
      rows = []
      bytes = 0
    }
    tenantId = own
    rows.push(line)
    bytes += line.length
  }
  if (rows.length > 0) yield { tenantId, rows }
}

async function restoreJobs(
  client: pg.Client,
  connection: pg.PoolConfig,
  { jobs }: BackupManifest,
  folder: string,
): Promise<void> {
  if (jobs.rows === 0) return
  await createQueues(connection, jobs.names)
  const batch: string[] = []
  for await (const line of readLines(path.join(folder, JOBS_FILE))) {
    batch.push(line)
    if (batch.length === MAX_BATCH_ROWS) await insertJobs(client, batch.splice(0))
  }
  if (batch.length > 0) await insertJobs(client, batch)
}
