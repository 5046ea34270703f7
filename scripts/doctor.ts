import type { Embedded } from '#lib/core/db/embedded.ts'
import { ROOT } from './build-stamp.ts'
import { checkOutside, type Finding } from './doctor/doctor-outside.ts'
import { loadConfig } from './launch.ts'
import { reasonOf } from './reason.ts'

/*
 * npm run doctor: prints a line for each check with advice; exit code 1 when a check failed.
 */
process.chdir(ROOT)
const config = await loadConfig('production')
const findings: Finding[] = [
  ['ok', 'Налаштування · Configuration', `${config.scheme}://${config.baseDomain}${config.portSuffix}`],
]

let embedded: Embedded | null = null
try {
  if (!config.databaseUrl) {
    const { startEmbedded } = await import('#lib/core/db/embedded.ts')
    embedded = await startEmbedded(config.dataDir)
  }
  const { checkDatabase } = await import('./doctor/doctor-database.ts')
  findings.push(...(await checkDatabase()))
} catch (error) {
  const why = reasonOf(error)
  const advice = config.databaseUrl
    ? 'перевірте DATABASE_URL · check DATABASE_URL'
    : `див. server.log у ${config.dataDir}/postgres`
  findings.push(['fail', 'База даних · Database', `${why}; ${advice}`])
}
findings.push(...(await checkOutside(config)))

const { pool } = await import('#lib/core/db/db.ts')
await pool.end()
await embedded?.stop()

const LEVEL_LABELS = { ok: ' ok ', warn: 'warn', fail: 'FAIL' }
const width = Math.max(...findings.map(([, name]) => name.length))
for (const [level, name, message] of findings) console.log(`${LEVEL_LABELS[level]}  ${name.padEnd(width)}  ${message}`)
process.exit(findings.some(([level]) => level === 'fail') ? 1 : 0)
