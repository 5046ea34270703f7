import { ROOT } from './build-stamp.ts'
import { type Closers, closeOnSignals, configureEngine, loadConfig, startDatabase, startJobWorker } from './launch.ts'
import { preflight } from './preflight.ts'
import { reasonOf } from './reason.ts'

/*
 * npm run worker: only the job worker, for servers that run with JOBS_IN_PROCESS=false.
 */
process.chdir(ROOT)
configureEngine()
const closers: Closers = []
const { settled, end } = closeOnSignals(closers)
const config = await loadConfig('production')

try {
  await preflight(config, { listens: false })
  await startDatabase(config, closers)
  const { disableMediaProcess } = await import('#lib/core/broadcast/broadcast.ts')
  disableMediaProcess()
  await startJobWorker(closers)
  settled()
  console.log('Роботи виконуються. Ctrl-C — кінець · Working on jobs. Ctrl-C to stop')
  const { captureConsole } = await import('#lib/core/log.ts')
  captureConsole()
} catch (error) {
  console.error(reasonOf(error))
  await end(1)
}
