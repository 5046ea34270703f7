import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as Database from '#lib/core/db/db.ts'
import { ServiceUnavailable } from '#lib/core/service-unavailable.ts'
import { portOf } from '../../../setup/servers/port.ts'

/*
 * A real PostgreSQL behind a relay that can stop forwarding bytes, like a frozen server or a network that drops
 * packets.
 */
let frozen = false
let relay: net.Server
let db: typeof Database
const sockets = new Set<net.Socket>()

beforeAll(async () => {
  const real = new URL(process.env.DATABASE_URL ?? '')
  const socketPath = `${real.searchParams.get('host')}/.s.PGSQL.5432`
  relay = net.createServer((near) => {
    const far = net.connect(socketPath)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    near.on('data', (bytes) => frozen || far.write(bytes))
    far.on('data', (bytes) => frozen || near.write(bytes))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  process.env.DATABASE_URL = `postgres://kafedra@127.0.0.1:${portOf(relay)}${real.pathname}`
  db = await import('#lib/core/db/db.ts')
})

afterAll(async () => {
  frozen = false
  await db.pool.end()
  for (const socket of sockets) socket.destroy()
  relay.close()
})

test('fails within five seconds when the database stops answering, and works again when it answers', async () => {
  await db.query('select 1')
  let ran = false
  frozen = true
  const [query, transaction] = await Promise.allSettled([
    db.query('select 1'),
    db.inSystem(async () => {
      ran = true
    }),
  ])
  for (const outcome of [query, transaction]) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ServiceUnavailable) })
  }
  const { LONGEST_WAIT_MS } = await import('#lib/core/db/watch.ts')
  expect(LONGEST_WAIT_MS).toBeLessThan(5000)
  frozen = false
  expect((await db.query<{ two: number }>('select 2 as two')).rows).toEqual([{ two: 2 }])
  // Abandoned work is not done later.
  expect(ran).toBe(false)
})

test('lets a slow statement finish', async () => {
  expect((await db.query<{ slept: string }>('select pg_sleep(3)::text as slept')).rows).toHaveLength(1)
})
