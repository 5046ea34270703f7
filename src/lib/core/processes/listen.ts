import { once } from 'node:events'
import type http from 'node:http'
import net from 'node:net'

/**
 * Node accepts one connection of a listening socket per iteration of its event loop. Under load an iteration takes tens
 * of milliseconds, so new clients would wait for seconds before their request is received.
 */
const SOCKETS = 8

export interface Listening {
  /** Stops accepting connections on the additional sockets; the server closes its own. */
  close(): void
}

/**
 * Makes an HTTP server listen on several sockets of one address, between which Linux distributes new connections
 * (SO_REUSEPORT), so that it accepts several of them per iteration of the event loop. Where the system does not support
 * that, and in a process that receives its connections from a main process (`isShared`), it listens on one.
 * @throws the error of `listen`, e.g. EACCES
 */
export async function listen(
  server: http.Server,
  { host, port, isShared = false }: { host: string; port: number; isShared?: boolean },
): Promise<Listening> {
  if (isShared || process.platform !== 'linux') {
    server.listen({ host, port })
    await once(server, 'listening')
    return { close: () => {} }
  }
  server.listen({ host, port, reusePort: true })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the server listens on no port')
  const additional = Array.from({ length: SOCKETS - 1 }, () =>
    // The options of node:http.
    net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
  )
  const listening = additional.map((listener) => once(listener, 'listening'))
  for (const listener of additional) listener.listen({ host, port: address.port, reusePort: true })
  await Promise.all(listening)
  return {
    close() {
      for (const listener of additional) listener.close()
    },
  }
}
