import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '#lib/core/config/config.ts'
import type { AstroHandler, HttpServer } from '#lib/core/http/server.ts'
import { DIST, ensureBuilt, ROOT } from './build-stamp.ts'
import {
  type Closers,
  closeOnSignals,
  createEndpoints,
  enableCodeCache,
  loadConfig,
  lockDataFolder,
  startDatabase,
  startJobWorker,
} from './launch.ts'
import { addressFaultOf, preflight, requireFreePort } from './preflight.ts'

/*
 * npm start: configuration, lock, build if stale, database, demo schools if empty, jobs, server, banner.
 * --empty: no demo schools. --demo: demo schools on a public domain too, where their password is known to everybody.
 */
process.chdir(ROOT)
enableCodeCache()
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
  if (embedded && wantsDemo(config.baseDomain, process.argv) && (await isEmpty())) await seed()
  if (config.jobsInProcess) await startJobWorker(closers)
  const front = await serve(config)
  closers.push(() => front.drain(10_000))
  settled()
  const { banner } = await import('./banner.ts')
  console.log(banner(config, await demoSchools(), process.uptime(), await isEmpty()))
  const { captureConsole } = await import('#lib/core/log.ts')
  captureConsole()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await end(1)
}

async function serve(config: Config): Promise<HttpServer> {
  const { createServer } = await import('#lib/core/http/server.ts')
  const { createAdmission } = await import('#lib/core/http/admission.ts')
  const { loadStaticFiles } = await import('#lib/core/http/static-files.ts')
  const { accessLog, flushAccessLog } = await import('#lib/core/log.ts')
  const { query } = await import('#lib/core/db/db.ts')
  const { keyFrom } = await import('#lib/core/shared/text/message-key.ts')
  const { handleSessionInfoCall, SESSION_INFO_PATH } = await import('#lib/user/session-call.ts')
  const { getTranslator: translator } = await import('#lib/core/i18n/i18n.ts')
  const entry: { handler: AstroHandler } = await import(pathToFileURL(path.join(DIST, 'server/entry.mjs')).href)
  process.on('exit', flushAccessLog)
  const front = createServer(entry.handler, {
    log: accessLog,
    trustProxy: config.trustProxy,
    isHttps: config.scheme === 'https',
    directCalls: new Map([[SESSION_INFO_PATH, handleSessionInfoCall]]),
    admission: createAdmission(config.requestsAtOnce),
    endpoints: await createEndpoints(closers),
    files: loadStaticFiles(path.join(DIST, 'client')),
    isReady: () => query('select 1').then(() => true),
    messageFor: (code, cookie) =>
      translator(/(^|;\s*)locale=en(;|$)/.test(cookie ?? '') ? 'en' : 'uk')(
        keyFrom(`errors:${code === 'internal' ? 'generic' : code}`),
      ),
  })
  await new Promise<void>((resolve, reject) => {
    front.server.once('error', (error: Error & { code?: string }) => reject(explained(error, config)))
    front.server.listen(config.port, config.host, resolve)
  })
  return front
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
    // Anybody may register a school of that name: it is the demo only together with its account.
    `select subdomain from tenant where subdomain in ('demo', 'sonata')
       and exists (select 1 from "user" where email = 'owner@kafedra.test')`,
  )
  return rows.map((row) => row.subdomain)
}

function addressWords({ host, port }: Config): string {
  return `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`
}

const explained = (error: Error & { code?: string }, config: Config): Error =>
  error.code ? new Error(addressFaultOf(error.code, config)) : error
