import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import pg from 'pg'
import { beginReading } from '../db/copy.ts'
import { appliedMigrations } from '../db/journal.ts'
import { enterTenant, readRows, rowsOf, sumOf, type TableScope, tablesInOrder, tenantScopes } from '../db/tables.ts'
import type { ObjectStore } from '../files/store.ts'
import { listWaitingJobNames, WAITING_JOBS_SQL } from '../jobs/saved-jobs.ts'
import { isTemporaryFailure } from '../service-unavailable.ts'
import {
  type ArchivedFile,
  type BackupManifest,
  FILES_LIST,
  JOBS_FILE,
  MANIFEST_FILE,
  readLines,
  tableFilePath,
  writeLines,
  writeStream,
} from './archive.ts'
import { listDataFiles } from './data-files.ts'
import { lockBackup } from './lock.ts'
import { verifyBackup } from './verify.ts'

export interface Installation {
  connection: pg.PoolConfig
  store: ObjectStore
  dataDir: string
}

/**
 * Writes a backup of database and files into a new folder while the installation runs: a snapshot of the database at
 * one instant, and the files that it references. Needs no rights beyond those of the installation's own role, since it
 * reads one tenant after another. The folder appears under its name after everything was written, read again and
 * compared. Throws when the folder is not empty.
 */
export async function writeBackup(installation: Installation, folder: string): Promise<BackupManifest> {
  if ((await readdir(folder).catch(() => [])).length > 0) throw new Error(`${folder} is not empty`)
  const half = `${folder}.part`
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { recursive: true, mode: 0o700 })
  try {
    const written = await writeContents(installation, half)
    await writeFile(path.join(half, MANIFEST_FILE), `${JSON.stringify(written, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    })
    const manifest = await verifyBackup(half)
    await rm(folder, { recursive: true, force: true })
    await rename(half, folder)
    return manifest
  } catch (error) {
    await rm(half, { recursive: true, force: true })
    throw error
  }
}

async function writeContents({ connection, store, dataDir }: Installation, folder: string): Promise<BackupManifest> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await lockBackup(client)
    await beginReading(client)
    const scopes = await tenantScopes(client)
    const [createdAt, migrations] = [new Date().toISOString(), await appliedMigrations(client)]
    const tables = await writeTables(client, scopes, folder)
    const jobs = await writeJobs(client, folder)
    // Copying files may take hours, so the transaction ends here and PostgreSQL can remove old row versions; the
    // advisory lock lasts as long as the connection.
    await client.query('commit')
    const missing: string[] = []
    const files = await writeFiles({ store, dataDir }, folder, missing)
    return { format: 1, createdAt, migrations, tables, jobs, files, missing }
  } finally {
    await client.end()
  }
}

async function writeTables(
  client: pg.Client,
  scopes: readonly string[],
  folder: string,
): Promise<BackupManifest['tables']> {
  const tables: BackupManifest['tables'] = {}
  for (const table of await tablesInOrder(client)) {
    const written = await writeLines(path.join(folder, tableFilePath(table.name)), readAllRows(client, table, scopes))
    const { rows, checksum } = await sumOf(client, table, scopes)
    if (rows !== written.rows) throw new Error(`${table.name}: ${written.rows} rows written instead of ${rows}`)
    tables[table.name] = { ...written, checksum }
  }
  return tables
}

async function* readAllRows(client: pg.Client, table: TableScope, scopes: readonly string[]): AsyncGenerator<string[]> {
  for (const scope of table.isIsolated ? scopes : ['']) {
    await enterTenant(client, scope)
    yield* readRows(client, rowsOf(table))
  }
}

async function writeJobs(client: pg.Client, folder: string): Promise<BackupManifest['jobs']> {
  const names = await listWaitingJobNames(client)
  const rows = names.length > 0 ? readRows(client, WAITING_JOBS_SQL) : noRows()
  return { ...(await writeLines(path.join(folder, JOBS_FILE), rows)), names }
}

async function* noRows(): AsyncGenerator<string[]> {}

async function writeFiles(
  { store, dataDir }: Pick<Installation, 'store' | 'dataDir'>,
  folder: string,
  missing: string[],
): Promise<BackupManifest['files']> {
  let bytes = 0
  const listed = async function* (): AsyncGenerator<string[]> {
    for await (const owned of listFilesByTenant(folder)) {
      for await (const file of copyObjects(owned, store, folder, missing)) {
        bytes += file.size
        yield [JSON.stringify(file)]
      }
    }
    for await (const name of listDataFiles(dataDir)) {
      const to = `data/${name}`
      const copied = await writeStream(path.join(folder, to), createReadStream(path.join(dataDir, name)))
      bytes += copied.size
      yield [JSON.stringify({ path: to, ...copied } satisfies ArchivedFile)]
    }
  }
  return { ...(await writeLines(path.join(folder, FILES_LIST), listed())), bytes }
}

interface TenantFiles {
  tenantId: string
  fileIds: Set<string>
}

// Reads the table that was just written, which is sorted by tenant, so that only the ids of one tenant are in memory.
async function* listFilesByTenant(folder: string): AsyncGenerator<TenantFiles> {
  let owned: TenantFiles = { tenantId: '', fileIds: new Set() }
  for await (const line of readLines(path.join(folder, tableFilePath('file')))) {
    const row: { tenant_id: string; id: string; kind: string; size: number } = JSON.parse(line)
    if (row.tenant_id !== owned.tenantId) {
      if (owned.fileIds.size > 0) yield owned
      owned = { tenantId: row.tenant_id, fileIds: new Set() }
    }
    if (row.kind !== 'folder' && row.size > 0) owned.fileIds.add(row.id)
  }
  if (owned.fileIds.size > 0) yield owned
}

// Objects without a row were uploaded after the instant of the backup, or are orphaned.
async function* copyObjects(
  { tenantId, fileIds }: TenantFiles,
  store: ObjectStore,
  folder: string,
  missing: string[],
): AsyncGenerator<ArchivedFile> {
  const found = new Set<string>()
  for await (const { key } of store.list(`${tenantId}/`)) {
    const id = key.slice(tenantId.length + 1, tenantId.length + 37)
    const from = fileIds.has(id) ? await store.read(key) : null
    if (!from) continue
    const to = `files/${key}`
    const copied = await writeReadable(path.join(folder, to), from)
    if (!copied) {
      if (key !== `${tenantId}/${id}`) missing.push(key)
      continue
    }
    yield { path: to, ...copied }
    if (key === `${tenantId}/${id}`) found.add(id)
  }
  for (const id of fileIds) if (!found.has(id)) missing.push(`${tenantId}/${id}`)
}

/** As writeStream; null for an object that cannot be read, e.g. on a damaged disk, so that the others are copied. */
async function writeReadable(file: string, from: Readable): Promise<Awaited<ReturnType<typeof writeStream>> | null> {
  let readError: unknown
  from.once('error', (error) => {
    readError = error
  })
  try {
    return await writeStream(file, from)
  } catch (error) {
    if (error !== readError || isTemporaryFailure(error)) throw error
    await rm(file, { force: true })
    return null
  }
}
