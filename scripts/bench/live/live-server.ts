import { randomUUID } from 'node:crypto'
import { createRequest, writeResponse } from 'astro/app/node'
import { startEmbedded } from '#lib/core/db/embedded.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

/*
 * The endpoint of live updates behind the HTTP server on a separate database, started by live.ts: prints its port,
 * publishes on request with the monotonic time of the call, and returns its memory.
 */
process.env.NODE_ENV = 'production'
const embedded = await startEmbedded(process.env.DATA_DIR ?? '')
const { migrate } = await import('#lib/core/db/migrate.ts')
const { inTenant, pool } = await import('#lib/core/db/db.ts')
const { handleLiveRequest } = await import('#lib/core/live/endpoint.ts')
const { closeAllStreams, countStreams } = await import('#lib/core/live/hub.ts')
const { publish } = await import('#lib/core/live/live.ts')
const { createServer } = await import('#lib/core/http/server.ts')
const { log } = await import('#lib/core/log.ts')
await migrate()

const tenantId = randomUUID()
const channels = { bench: { canSubscribe: () => ({ allow: true, reason: 'bench' }) } }

const front = createServer(
  async (request, response) => {
    const answer = await handleLiveRequest(createRequest(request), student(), channels, { response })
    await writeResponse(answer, response)
  },
  { log, trustProxy: false, isHttps: false, findOutage: async () => null },
)
front.server.listen(0, '127.0.0.1', () => process.send?.({ address: front.server.address() }))

process.on('message', async (command) => {
  if (command === 'say') {
    const at = String(process.hrtime.bigint())
    await inTenant({ tenantId }, () => publish('bench', { at }))
  }
  if (command === 'memory') {
    globalThis.gc?.()
    process.send?.({ rss: process.memoryUsage.rss(), ...countStreams() })
  }
  if (command === 'end') {
    await closeAllStreams()
    await front.drain(1000)
    await pool.end()
    await embedded.stop()
    process.exit()
  }
})

function student(): Actor {
  return {
    userId: randomUUID(),
    sessionId: randomUUID(),
    viewer: 'nobody',
    membershipId: randomUUID(),
    tenantId,
    email: '',
    firstName: '',
    lastName: '',
    locale: 'uk',
    timeZone: 'Europe/Kyiv',
    subdomain: 'bench',
    tenantName: 'Bench',
    tenantTimeZone: 'Europe/Kyiv',
    accountType: 'ACCOUNT_TYPE_STUDENT',
    roles: ['STUDENT'],
    plans: [],
    addOns: [],
    memberships: [],
    unreadNotifications: 0,
  }
}
