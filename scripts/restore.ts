import path from 'node:path'
import { ROOT } from './build-stamp.ts'
import { type Closers, closeOnSignals, loadConfig, lockDataFolder, openDatabase } from './launch.ts'
import { reasonOf } from './reason.ts'

/* npm run restore -- FOLDER: restores a backup into an empty installation, which must be stopped. */
const [source] = process.argv.slice(2)
const folder = source && path.resolve(source)
process.chdir(ROOT)
const closers: Closers = []
const { settled, end } = closeOnSignals(closers)
const config = await loadConfig('production')

try {
  if (!folder) throw new Error('npm run restore -- FOLDER')
  closers.push(await lockDataFolder(config.dataDir, { address: 'npm run restore' }))
  await openDatabase(config, closers)
  settled()
  const { connectionOptions } = await import('#lib/core/db/connection.ts')
  const { store } = await import('#lib/core/files/files.ts')
  const { restoreBackup } = await import('#lib/core/backup/restore.ts')
  const installation = { connection: connectionOptions(config), store, dataDir: config.dataDir }
  const { createdAt, tables, jobs, files } = await restoreBackup(installation, folder)
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  console.log(`${createdAt}: ${rows} рядків · rows, ${jobs.rows} робіт · jobs, ${files.rows} файлів · files`)
  console.log('Відновлено й перевірено · Restored and verified: npm start')
  await end(0)
} catch (error) {
  console.error(reasonOf(error))
  await end(1)
}
