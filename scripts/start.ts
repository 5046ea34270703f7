import path from 'node:path'
import type { Config } from '#lib/core/config/config.ts'
import { ensureBuilt, ROOT } from './build-stamp.ts'
import {
  type Closers,
  closeOnSignals,
  configureEngine,
  loadConfig,
  lockDataFolder,
  startDatabase,
  startJobWorker,
} from './launch.ts'
import { preflight, requireFreePort } from './preflight.ts'
import { reasonOf } from './reason.ts'
import { serve } from './serve.ts'

/*
 * npm start: configuration, lock, build if stale, database, demo schools if empty, jobs, server, banner. --empty: no
 * demo schools. --demo: demo schools on a public domain too, although their password is published.
 */
process.chdir(ROOT)
configureEngine()
const closers: Closers = []
const { settled, end } = closeOnSignals(closers)
const config = await loadConfig('production')

try {
  await preflight(config)
  closers.push(await lockDataFolder(config.dataDir, { address: addressWords(config) }))
  await requireFreePort(config)
  const [, embedded] = await Promise.all([
    ensureBuilt(() => console.log('Збираю сторінки, це близько хвилини… · Building, about a minute…')),
    startDatabase(config, closers),
  ])
  const { isEmpty, wantsDemo } = await import('./seed.ts')
  const { waitForDatabase } = await import('#lib/core/db/wait-for-database.ts')
  if (embedded && wantsDemo(config.baseDomain, process.argv) && (await isEmpty())) await seed()
  if (config.jobsInProcess) await startJobWorker(closers)
  await startServing()
  settled()
  const { banner } = await import('./banner.ts')
  const isNew = await waitForDatabase(isEmpty)
  console.log(banner(config, await waitForDatabase(demoSchools), process.uptime(), isNew))
  const { captureConsole } = await import('#lib/core/log.ts')
  captureConsole()
} catch (error) {
  console.error(reasonOf(error))
  await end(1)
}

/** Serves in this process, or in several web processes. */
async function startServing(): Promise<void> {
  if (config.webProcesses === 1) {
    const front = await serve(config, closers)
    closers.push(() => front.drain(10_000))
    return
  }
  const { answerWebProcess, startBroadcast } = await import('#lib/core/broadcast/broadcast.ts')
  const { startWebProcesses } = await import('#lib/core/processes/web-processes.ts')
  const { watchRoomsOfPeers } = await import('#lib/meeting/stage/live-streams.ts')
  const { log } = await import('#lib/core/log.ts')
  closers.push(await startBroadcast())
  watchRoomsOfPeers()
  const web = await startWebProcesses({
    count: config.webProcesses,
    program: path.join(ROOT, 'scripts/web-process.ts'),
    answerMediaRequest: answerWebProcess,
    warn: (reason) => log.warn({ reason }, 'a web process reported a problem'),
  })
  closers.push(() => web.stop(15_000))
}

async function seed(): Promise<void> {
  const { seedDemo } = await import('./seed.ts')
  console.log('Наповнюю показову школу… · Filling the demo school…')
  await seedDemo()
}

async function demoSchools(): Promise<string[]> {
  const { pool } = await import('#lib/core/db/db.ts')
  if (config.databaseUrl) return []
  const { rows } = await pool.query<{ subdomain: string }>(
    // Anybody can register a school with that name: it is the demo school only together with its account.
    `select subdomain from tenant where subdomain in ('demo', 'sonata')
       and exists (select 1 from "user" where email = 'owner@kafedra.test')`,
  )
  return rows.map((row) => row.subdomain)
}

function addressWords({ host, port }: Config): string {
  return `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`
}
