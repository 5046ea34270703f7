import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '#lib/core/config/config.ts'
import type { AstroHandler, HttpServer } from '#lib/core/http/server.ts'
import { DIST } from './build-stamp.ts'
import { type Closers, createEndpoints } from './launch.ts'
import { addressFaultOf } from './preflight.ts'

/** Serves the built pages on the configured address. */
export async function serve(config: Config, closers: Closers): Promise<HttpServer> {
  const { createServer } = await import('#lib/core/http/server.ts')
  const { createAdmission, createLoopObserver } = await import('#lib/core/http/admission.ts')
  const { listen } = await import('#lib/core/processes/listen.ts')
  const { createPageCache } = await import('#lib/core/http/page-cache.ts')
  const { loadStaticFiles } = await import('#lib/core/http/static/static-files.ts')
  const { onPeerMessage, sendToPeers } = await import('#lib/core/processes/peers.ts')
  const { accessLog, flushAccessLog } = await import('#lib/core/log.ts')
  const { isPoolExhausted, query } = await import('#lib/core/db/db.ts')
  const { findDiskOutage } = await import('#lib/core/files/disk-space.ts')
  const { keyFrom } = await import('#lib/core/shared/text/message-key.ts')
  const { handleSessionInfoCall, SESSION_INFO_PATH } = await import('#lib/user/session-call.ts')
  const { getTranslator: translator } = await import('#lib/core/i18n/i18n.ts')
  const entry: { handler: AstroHandler } = await import(pathToFileURL(path.join(DIST, 'server/entry.mjs')).href)
  process.on('exit', flushAccessLog)
  const isLoopSaturated = createLoopObserver()
  const pageCache = createPageCache({ onStored: (page) => sendToPeers('page.stored', page) })
  onPeerMessage('page.stored', pageCache.adopt)
  onPeerMessage('pages.outdated', pageCache.clear)
  const front = createServer(entry.handler, {
    log: accessLog,
    trustProxy: config.trustProxy,
    isHttps: config.scheme === 'https',
    directCalls: new Map([[SESSION_INFO_PATH, handleSessionInfoCall]]),
    admission: createAdmission(config.requestsAtOnce, () => isLoopSaturated() || isPoolExhausted()),
    pageCache,
    endpoints: await createEndpoints(closers),
    files: loadStaticFiles(path.join(DIST, 'client')),
    // A full disk ends the embedded PostgreSQL too: it is the reason to be named.
    findOutage: async () => (await findDiskOutage()) ?? query('select 1').then(() => null),
    messageFor: (code, cookie) =>
      translator(/(^|;\s*)locale=en(;|$)/.test(cookie ?? '') ? 'en' : 'uk')(
        keyFrom(`errors:${code === 'internal' ? 'generic' : code}`),
      ),
  })
  const isShared = config.webProcesses > 1
  const listening = await listen(front.server, { host: config.host, port: config.port, isShared }).catch(
    (error: Error & { code?: string }) => Promise.reject(explained(error, config)),
  )
  return {
    server: front.server,
    drain(timeoutMs) {
      listening.close()
      return front.drain(timeoutMs)
    },
  }
}

const explained = (error: Error & { code?: string }, config: Config): Error =>
  error.code ? new Error(addressFaultOf(error.code, config)) : error
