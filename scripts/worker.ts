import { ROOT } from './build-stamp.ts'
import { bringUpDatabase, bringUpJobs, type Closers, keepSmall, loadConfig, mindTheEnd } from './launch.ts'

/*
 * npm run worker: only the jobs, beside servers that run with JOBS_IN_PROCESS=false.
 */
process.chdir(ROOT)
keepSmall()
const closers: Closers = []
const { settled, end } = mindTheEnd(closers)
const config = await loadConfig('production')

try {
  await bringUpDatabase(config, closers)
  const { leaveBroadcast } = await import('#lib/core/broadcast/broadcast.ts')
  leaveBroadcast()
  await bringUpJobs(closers)
  settled()
  console.log('Роботи виконуються. Ctrl-C — кінець · Working on jobs. Ctrl-C to stop')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await end(1)
}
