import { type Closers, closeOnSignals, loadConfig, lockDataFolder, startDatabase } from './launch.ts'
import { reasonOf } from './reason.ts'

/*
 * npm run move -- postgres://…: copies the embedded database to an empty server. The installation must be stopped, so
 * that nothing is written meanwhile; the files in DATA_DIR are not moved.
 */
const target = process.argv[2]
const closers: Closers = []
const { settled, end } = closeOnSignals(closers)
const config = await loadConfig('production')

try {
  if (config.databaseUrl) throw new Error('DATABASE_URL is set: there is no embedded database to move')
  if (!target || !/^postgres(ql)?:/.test(target))
    throw new Error('npm run move -- postgres://user:password@host/database')
  closers.push(await lockDataFolder(config.dataDir, { address: 'npm run move' }))
  await startDatabase(config, closers)
  settled()
  const { copyDatabase } = await import('#lib/core/db/copy.ts')
  const { connectionOptions } = await import('#lib/core/db/connection.ts')
  const { migrateAt } = await import('#lib/core/db/migrate.ts')
  await migrateAt(target)
  const copied = await copyDatabase(connectionOptions(config), { connectionString: target })
  for (const [table, rows] of Object.entries(copied)) console.log(`${table}: ${rows}`)
  console.log('Готово. Запускайте з DATABASE_URL · Done. Start with DATABASE_URL')
  await end(0)
} catch (error) {
  console.error(reasonOf(error))
  await end(1)
}
