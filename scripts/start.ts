import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '#lib/core/config/config.ts'
import type { Front, Handler } from '#lib/core/http/server.ts'
import { DIST, ensureBuilt, ROOT } from './build-stamp.ts'
import {
  bringUpDatabase,
  bringUpJobs,
  type Closers,
  claim,
  keepSmall,
  loadConfig,
  mindTheEnd,
  openDoors,
} from './launch.ts'

/*
 * npm start: configuration, lock, build if stale, database, demo school if empty, jobs, server, banner.
 */
process.chdir(ROOT)
keepSmall()
const closers: Closers = []
const { settled, end } = mindTheEnd(closers)
const config = await loadConfig('production')

try {
  closers.push(await claim(config.dataDir, { address: addressWords(config) }))
  const [, embedded] = await Promise.all([
    ensureBuilt(() => console.log('Збираю сторінки, це близько хвилини… · Building, about a minute…')),
    bringUpDatabase(config, closers),
  ])
  if (embedded && !process.argv.includes('--empty')) await seedIfEmpty()
  if (config.jobsInProcess) await bringUpJobs(closers)
  const front = await serve(config)
  closers.push(() => front.drain(10_000))
  settled()
  const { banner } = await import('./banner.ts')
  console.log(banner(config, await demoSchools(), process.uptime()))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await end(1)
}

async function serve(config: Config): Promise<Front> {
  const { createServer } = await import('#lib/core/http/server.ts')
  const { loadStatic } = await import('#lib/core/http/static.ts')
  const { accessLog, flushAccessLog } = await import('#lib/core/log.ts')
  const { pool } = await import('#lib/core/db/db.ts')
  const { keyFrom } = await import('#lib/core/shared/message-key.ts')
  const { answerSessionCall, SESSION_CALL } = await import('#lib/user/session-call.ts')
  const { translator } = await import('#lib/core/i18n/i18n.ts')
  const entry: { handler: Handler } = await import(pathToFileURL(path.join(DIST, 'server/entry.mjs')).href)
  process.on('exit', flushAccessLog)
  const front = createServer(entry.handler, {
    log: accessLog,
    trustProxy: config.trustProxy,
    secure: config.scheme === 'https',
    calls: new Map([[SESSION_CALL, answerSessionCall]]),
    doors: await openDoors(closers),
    files: loadStatic(path.join(DIST, 'client')),
    ready: () => pool.query('select 1').then(() => true),
    words: (code, cookie) =>
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

async function seedIfEmpty(): Promise<void> {
  const { isEmpty, seedDemo } = await import('./seed.ts')
  if (!(await isEmpty())) return
  console.log('Наповнюю показову школу… · Filling the demo school…')
  await seedDemo()
}

async function demoSchools(): Promise<string[]> {
  const { pool } = await import('#lib/core/db/db.ts')
  if (config.databaseUrl) return []
  const { rows } = await pool.query<{ subdomain: string }>(
    "select subdomain from tenant where subdomain in ('demo', 'sonata')",
  )
  return rows.map((row) => row.subdomain)
}

function addressWords({ host, port }: Config): string {
  return `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`
}

function explained(error: Error & { code?: string }, { port }: Config): Error {
  if (error.code !== 'EADDRINUSE') return error
  return new Error(`PORT: порт ${port} зайнятий · port ${port} is taken. PORT=${port + 1} npm start`)
}
