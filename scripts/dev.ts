import { dev } from 'astro'
import { ROOT } from './build-stamp.ts'
import { endpointPlugins } from './dev-endpoints.ts'
import {
  type Closers,
  closeOnSignals,
  createEndpoints,
  loadConfig,
  lockDataFolder,
  startDatabase,
  startJobWorker,
} from './launch.ts'
import { preflight } from './preflight.ts'
import { reasonOf } from './reason.ts'

/* npm run dev: starts the installation with pages that are reloaded when the sources change. */
process.chdir(ROOT)
const closers: Closers = []
const { settled, end } = closeOnSignals(closers)
const config = await loadConfig('development')

try {
  await preflight(config)
  closers.push(await lockDataFolder(config.dataDir, { address: `http://localhost:${config.port}` }))
  const embedded = await startDatabase(config, closers)
  if (embedded) {
    const { isEmpty, seedDemo, wantsDemo } = await import('./seed.ts')
    if (wantsDemo(config.baseDomain, process.argv) && (await isEmpty())) await seedDemo()
  }
  if (config.jobsInProcess) await startJobWorker(closers)
  const server = await dev({
    root: ROOT,
    server: { host: config.host, port: config.port },
    vite: { plugins: endpointPlugins(await createEndpoints(closers)) },
  })
  closers.push(() => server.stop())
  settled()
} catch (error) {
  console.error(reasonOf(error))
  await end(1)
}
