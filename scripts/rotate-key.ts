import { type Closers, closeOnSignals, loadConfig, lockDataFolder, openDatabase } from './launch.ts'
import { reasonOf } from './reason.ts'

/*
 * npm run rotate-key: replaces the key of the installation and encrypts everything again. The installation must be
 * stopped. With SECRET_KEY, NEW_SECRET_KEY is the new one. An interrupted run is continued by the next one. --lost:
 * accepts the present key although data was encrypted with another one, which stays unreadable.
 */
const closers: Closers = []
const { settled, end } = closeOnSignals(closers)
const config = await loadConfig('production')

try {
  closers.push(await lockDataFolder(config.dataDir, { address: 'npm run rotate-key' }))
  await openDatabase(config, closers)
  const { migrate } = await import('#lib/core/db/migrate.ts')
  await migrate()
  settled()
  const { acceptLostKey, rotateKey } = await import('#lib/core/secret-key/rotate.ts')
  const { ENCRYPTED_COLUMNS } = await import('#lib/encrypted-columns.ts')
  if (process.argv.includes('--lost')) {
    await acceptLostKey()
    console.log('Прийнято теперішній ключ · The present key is accepted')
  } else {
    const newKey = process.env.NEW_SECRET_KEY
    if (newKey && newKey.length < 32) throw new Error('NEW_SECRET_KEY: at least 32 characters')
    const { changed, unreadable } = await rotateKey(ENCRYPTED_COLUMNS, newKey || undefined)
    for (const [name, count] of Object.entries(changed)) console.log(`${name}: ${count}`)
    if (unreadable > 0) console.log(`не прочитано жодним ключем · unreadable with either key: ${unreadable}`)
    console.log(
      newKey
        ? 'Готово. Запускайте з SECRET_KEY = NEW_SECRET_KEY · Done. Start with SECRET_KEY = NEW_SECRET_KEY'
        : `Готово. Старий ключ у ${config.dataDir}/secret.key.previous · Done. The old key is in secret.key.previous`,
    )
  }
  await end(0)
} catch (error) {
  console.error(reasonOf(error))
  await end(1)
}
