import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { inSystem, inTenant, query } from '#lib/core/db/db.ts'
import { createServer } from '#lib/core/http/server.ts'
import { publish } from '#lib/core/live/live.ts'
import { accessLog, captureConsole } from '#lib/core/log.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { allow } from '#lib/core/shared/verdict.ts'
import { type Closers, closeOnSignals, loadConfig, startDatabase, startJobWorker } from '../../../scripts/launch.ts'
import { connectLiveClient, startLiveEndpoint } from '../media/live-client.ts'

/*
 * A process with everything that uses the database, for tests that stop it: all jobs, live updates, the HTTP server and
 * transactions that are open while other work is awaited. Writes only by the log.
 */
captureConsole()
const closers: Closers = []
const { settled } = closeOnSignals(closers)
const config = await loadConfig('production')
await startDatabase(config, closers)
await startJobWorker(closers)
const student = { tenantId: randomUUID(), userId: randomUUID(), sessionId: randomUUID() }
const live = await startLiveEndpoint({ course: { canSubscribe: () => allow('test') } }, () => student as Actor)
const stream = await connectLiveClient(live.port, 'channels=course:1')
const findOutage = () => query('select 1').then(() => null)
createServer((_request, response) => response.end(), {
  log: accessLog,
  trustProxy: false,
  isHttps: false,
  findOutage,
}).server.listen(config.port, '127.0.0.1')
settled()

for (let round = 0; ; round += 1) {
  const idle = inSystem(async (tx) => {
    await tx.execute(sql`select 1`)
    await delay(400)
  })
  const published = inTenant(student, () => publish('course:1', { round }))
  await Promise.allSettled([idle, published, query('select 1')])
  if (stream.events.length > 0) process.send?.(stream.events.length)
  await delay(50)
}
