import fs from 'node:fs'
import path from 'node:path'
import type { Config } from '#lib/core/config/config.ts'
import { clusterDirOf } from '#lib/core/db/embedded-place.ts'
import { ROOT } from './build-stamp.ts'
import { type Closers, closeOnSignals, loadConfig, openDatabase } from './launch.ts'
import { reasonOf } from './reason.ts'

/* npm run backup -- FOLDER: writes database and files to a new folder, also while the installation runs. */
const [target] = process.argv.slice(2)
const folder = target && path.resolve(target)
process.chdir(ROOT)
const closers: Closers = []
const { settled, end } = closeOnSignals(closers)
const config = await loadConfig('production')

try {
  if (!folder) throw new Error('npm run backup -- FOLDER')
  requireDatabase(config)
  await openDatabase(config, closers)
  settled()
  const { connectionOptions } = await import('#lib/core/db/connection.ts')
  const { store } = await import('#lib/core/files/files.ts')
  const { writeBackup } = await import('#lib/core/backup/backup.ts')
  const installation = { connection: connectionOptions(config), store, dataDir: config.dataDir }
  const { tables, jobs, files, missing } = await writeBackup(installation, folder)
  for (const [table, { rows }] of Object.entries(tables)) if (rows > 0) console.log(`${table}: ${rows}`)
  console.log(`jobs: ${jobs.rows}\nfiles: ${files.rows}, ${files.bytes} B`)
  for (const key of missing) console.warn(`Файла немає у сховищі · Not in the store: ${key}`)
  console.log(`Готово й перевірено · Written and verified: ${folder}`)
  await end(0)
} catch (error) {
  console.error(reasonOf(error))
  await end(1)
}

// Opening an embedded database would create a missing one.
function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl || fs.existsSync(path.join(clusterDirOf(dataDir), 'data'))) return
  throw new Error(`DATA_DIR: у ${dataDir} немає бази даних · holds no database`)
}
