import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { addStream, closeAllStreams, countStreams, removeStream } from '#lib/core/live/hub.ts'
import { deleteOldLiveEvents } from '#lib/core/live/jobs.ts'
import { STREAMS_PER_SESSION } from '#lib/core/live/limits.ts'
import { endStreamsOfSessions, endStreamsOfUser, publish } from '#lib/core/live/live.ts'
import { createStreamBody } from '#lib/core/live/stream.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { allow, deny } from '#lib/core/shared/verdict.ts'
import {
  connectLiveClient,
  type LiveClient,
  payloads,
  runInOtherProcess,
  startLiveEndpoint,
} from '../setup/media/live-client.ts'

const ours = randomUUID()
const theirs = randomUUID()
const olena = { tenantId: ours, userId: randomUUID(), sessionId: randomUUID() }
const people: Record<string, typeof olena> = {
  olena,
  'olena at home': { ...olena, sessionId: randomUUID() },
  taras: { tenantId: ours, userId: randomUUID(), sessionId: randomUUID() },
  stranger: { tenantId: theirs, userId: randomUUID(), sessionId: randomUUID() },
}
const channels = {
  course: { canSubscribe: () => allow('test') },
  staff: { canSubscribe: () => deny('test') },
  homework: {
    canSubscribe: (): never => {
      throw new Refusal('not_found')
    },
  },
}

let endpoint: Awaited<ReturnType<typeof startLiveEndpoint>>
const open: LiveClient[] = []

async function listen(query: string, headers: Record<string, string> = {}): Promise<LiveClient> {
  const listener = await connectLiveClient(endpoint.port, query, { 'x-actor': 'olena', ...headers })
  open.push(listener)
  return listener
}

/** Opens a stream and waits for its first event. */
async function ready(query: string, headers: Record<string, string> = {}): Promise<LiveClient> {
  const listener = await listen(query, headers)
  await vi.waitFor(() => expect(listener.events[0]?.event).toBe('ready'), 10_000)
  listener.events.shift()
  return listener
}

const publishTo = (channel: string, payload: unknown, tenantId = ours) =>
  inTenant({ tenantId }, () => publish(channel, payload))

const expectPayloads = (listener: LiveClient, expected: unknown[]) =>
  vi.waitFor(() => expect(payloads(listener)).toEqual(expected), 3000)
const quiet = () => new Promise((resolve) => setTimeout(resolve, 150))

beforeAll(async () => {
  for (const [index, id] of [ours, theirs].entries()) {
    await pool.query('insert into tenant (id, subdomain, name) values ($1, $2, $2)', [id, `live-${index}`])
  }
})

beforeEach(async () => {
  endpoint = await startLiveEndpoint(channels, (name) => (people[name] ?? null) as Actor | null)
})

afterEach(async () => {
  for (const listener of open.splice(0)) listener.close()
  await closeAllStreams()
  endpoint.close()
})

afterAll(() => pool.end())

describe('the live endpoint', () => {
  test('responds 401 without a session, and 400, 404 and 403 before a stream begins', async () => {
    expect(await listen('channels=course:1', { 'x-actor': 'nobody' })).toMatchObject({ status: 401 })
    for (const query of ['', 'channels=', 'channels=course:%0a', `channels=${'course:1,'.repeat(30)}x:y:z:a:b`]) {
      expect(await listen(query)).toMatchObject({ status: 400 })
    }
    for (const name of ['lesson:1', 'toString', 'homework:1', 'course:1,homework:2']) {
      expect(await listen(`channels=${name}`)).toMatchObject({ status: 404 })
    }
    expect(await listen('channels=course:1,staff')).toMatchObject({ status: 403 })
    expect(countStreams()).toEqual({ streams: 0, tenants: 0 })
  })

  test('is an event stream that is neither cached nor buffered', async () => {
    const { status, headers } = await ready('channels=course:1')
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/event-stream/)
    expect(headers['cache-control']).toContain('no-store')
    expect(headers['x-accel-buffering']).toBe('no')
  })

  test('delivers what is published with the commit in its order, and nothing after a rollback', async () => {
    const listener = await ready('channels=course:1')
    await inTenant({ tenantId: ours }, async () => {
      await publish('course:1', 'first')
      await publish('course:1', 'second')
    })
    const failed = inTenant({ tenantId: ours }, async () => {
      await publish('course:1', 'never')
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await publishTo('course:1', 'last')
    await expectPayloads(listener, ['first', 'second', 'last'])
  })

  test('delivers messages of a channel to its listeners only, in order', async () => {
    const [first, second, other] = [
      await ready('channels=course:1'),
      await ready('channels=course:1,course:2', { 'x-actor': 'taras' }),
      await ready('channels=course:1', { 'x-actor': 'stranger' }),
    ]
    await publishTo('course:1', { text: 'перший\nрядок' })
    await publishTo('course:2', 'second')
    await publishTo('course:1', [3])
    await expectPayloads(first, [{ text: 'перший\nрядок' }, [3]])
    await expectPayloads(second, [{ text: 'перший\nрядок' }, 'second', [3]])
    expect(second.events.map(({ data }) => data.channel)).toEqual(['course:1', 'course:2', 'course:1'])
    await quiet()
    expect(other.events).toEqual([])
  })

  test('publishes nothing of a rolled-back change', async () => {
    const listener = await ready('channels=course:1')
    const failing = inTenant({ tenantId: ours }, async () => {
      await publish('course:1', 'never')
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await publishTo('course:1', 'after')
    await expectPayloads(listener, ['after'])
  })

  test('delivers messages of another process', async () => {
    const listener = await ready('channels=course:1')
    await runInOtherProcess(`await inTenant({ tenantId: '${ours}' }, () => publish('course:1', process.pid))`)
    await vi.waitFor(() => expect(payloads(listener)).toEqual([expect.any(Number)]), 10_000)
    expect(payloads(listener)).not.toEqual([process.pid])
  })

  test('keeps every event when many are published at once', async () => {
    const listener = await ready('channels=course:1')
    await Promise.all(Array.from({ length: 60 }, (_, n) => publishTo('course:1', n)))
    await vi.waitFor(() => expect(listener.events).toHaveLength(60), 10_000)
    const ids = listener.events.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })
})

describe('resuming', () => {
  test('delivers events missed after Last-Event-ID, each once', async () => {
    const listener = await ready('channels=course:1')
    await publishTo('course:1', 'seen')
    await expectPayloads(listener, ['seen'])
    listener.close()
    for (const word of ['missed', 'missed too']) await publishTo('course:1', word)
    await publishTo('course:9', 'of another channel')
    const id = String(listener.events[0]?.id)
    const again = await listen('channels=course:1', { 'last-event-id': id })
    const byQuery = await listen(`channels=course:1&lastEventId=${id}`)
    await publishTo('course:1', 'new')
    for (const client of [again, byQuery]) await expectPayloads(client, ['missed', 'missed too', 'new'])
  })

  test('loses nothing while events are published and streams open and close', async () => {
    let listener = await ready('channels=course:1')
    const got: unknown[] = []
    let connectionCount = 0
    let turn = 0
    const speaking = (async () => {
      while (turn < 8) await publishTo('course:1', connectionCount++)
    })()
    for (; turn < 8; turn++) {
      await vi.waitFor(() => expect(listener.events.length).toBeGreaterThan(3), 10_000)
      listener.close()
      got.push(...payloads(listener))
      listener = await listen('channels=course:1', { 'last-event-id': String(listener.events.at(-1)?.id) })
    }
    await speaking
    await vi.waitFor(() => expect([...got, ...payloads(listener)]).toHaveLength(connectionCount), 10_000)
    expect([...got, ...payloads(listener)]).toEqual(Array.from({ length: connectionCount }, (_, n) => n))
  })

  test('requests a reload when the id is too old, unknown or too far behind', async () => {
    const listener = await ready('channels=course:1')
    await publishTo('course:1', 'old')
    await expectPayloads(listener, ['old'])
    await publishTo('course:1', 'newest')
    await inTenant({ tenantId: ours }, (tx) =>
      tx.execute("update live_event set created_at = now() - interval '2 hours'"),
    )
    await deleteOldLiveEvents()
    for (const id of [String(listener.events[0]?.id), '999999999', 'nonsense']) {
      const again = await listen('channels=course:1', { 'last-event-id': id })
      await vi.waitFor(() => expect(again.events.map(({ event }) => event)).toEqual(['reset']), 10_000)
    }
    const far = await ready('channels=course:1')
    await publishTo('course:1', 'start')
    await expectPayloads(far, ['start'])
    const from = String(far.events[0]?.id)
    await inTenant({ tenantId: ours }, (tx) =>
      tx.execute("select publish_live('course:1', '1', false) from generate_series(1, 600)"),
    )
    const late = await listen('channels=course:1', { 'last-event-id': from })
    await vi.waitFor(() => expect(late.events[0]?.event).toBe('reset'), 10_000)
    await publishTo('course:1', 'goes on')
    await vi.waitFor(() => expect(payloads(late).at(-1)).toBe('goes on'), 10_000)
  })

  test('keeps the newest event of a school when old ones are deleted', async () => {
    await publishTo('course:1', 'a')
    await publishTo('course:1', 'b', theirs)
    await inTenant({ tenantId: theirs }, (tx) =>
      tx.execute("update live_event set created_at = now() - interval '2 hours'"),
    )
    await deleteOldLiveEvents()
    const { rows } = await inTenant({ tenantId: theirs }, (tx) => tx.execute('select payload from live_event'))
    expect(rows).toEqual([{ payload: 'b' }])
  })

  test('reads events published while the database connection was lost', async () => {
    const listener = await ready('channels=course:1')
    await publishTo('course:1', 1)
    await expectPayloads(listener, [1])
    const { rowCount } = await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
    )
    expect(rowCount).toBe(1)
    await publishTo('course:1', 2)
    await publishTo('course:1', 3)
    await expectPayloads(listener, [1, 2, 3])
  })
})

describe('closing', () => {
  test('closes the streams of a person, or of one session, from another process too', async () => {
    const here = await ready('channels=course:1')
    const atHome = await ready('channels=course:1', { 'x-actor': 'olena at home' })
    const other = await ready('channels=course:1', { 'x-actor': 'taras' })
    await endStreamsOfUser(olena.userId, people['olena at home']?.sessionId)
    await vi.waitFor(() => expect(atHome.hasEnded).toBe(true), 10_000)
    expect(here.hasEnded).toBe(false)
    await runInOtherProcess(`await endStreamsOfUser('${olena.userId}')`)
    await vi.waitFor(() => expect(here.hasEnded).toBe(true), 10_000)
    expect(other.hasEnded).toBe(false)
    await endStreamsOfSessions([people.taras?.sessionId ?? ''])
    await vi.waitFor(() => expect(other.hasEnded).toBe(true), 10_000)
    expect(countStreams()).toEqual({ streams: 0, tenants: 0 })
  })

  test('closes a listener that does not read, with a small buffer, and lets it resume', async () => {
    const reader = createStreamBody(
      olena,
      ['course:1'],
      { resumeAfterId: null },
      {
        onOpen: addStream,
        onClose: removeStream,
        onUnopened: () => undefined,
      },
    ).getReader()
    const first = [await reader.read(), await reader.read()]
    await vi.waitFor(() => expect(countStreams().streams).toBe(1), 10_000)
    const keen = await ready('channels=course:1')
    const long = 'x'.repeat(1000)
    for (let turn = 0; turn < 8; turn++) {
      await inTenant({ tenantId: ours }, async () => {
        for (let n = 0; n < 40; n++) await publish('course:1', long)
      })
    }
    await vi.waitFor(() => expect(keen.events).toHaveLength(320), 10_000)
    expect(countStreams().streams).toBe(1)
    for (let piece = first[1]; piece && !piece.done; piece = await reader.read()) first.push(piece)
    const kept = first
      .slice(2)
      .map(({ value }) => new TextDecoder().decode(value))
      .join('')
    expect(kept.split('\n\n').length).toBeLessThan(320)
    const last = [...kept.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? ''
    const again = await listen('channels=course:1', { 'last-event-id': last })
    await vi.waitFor(() => expect(again.events.at(-1)?.id).toBe(keen.events.at(-1)?.id), 10_000)
    expect(kept.split('data: {"ch').length - 1 + again.events.length).toBe(320)
  })

  test('closes a connection that accepts no data', async () => {
    const socket = net.connect(endpoint.port, '127.0.0.1')
    const closed = once(socket, 'close')
    socket.on('error', () => {})
    socket.write('GET /v1/live?channels=course:1 HTTP/1.1\r\nHost: a\r\nx-actor: olena\r\n\r\n')
    await once(socket, 'data')
    await vi.waitFor(() => expect(countStreams().streams).toBe(1), 10_000)
    socket.pause()
    const long = 'x'.repeat(400_000)
    for (let n = 0; n < 60 && countStreams().streams > 0; n++) await publishTo('course:1', long)
    expect(countStreams().streams).toBe(0)
    socket.resume()
    await closed
  })

  test('forgets streams that their listeners closed', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const many = await Promise.all(
        Array.from({ length: STREAMS_PER_SESSION }, (_, n) =>
          connectLiveClient(endpoint.port, `channels=course:${n % 7}`, { 'x-actor': 'olena' }),
        ),
      )
      expect(many.every(({ status }) => status === 200)).toBe(true)
      for (const client of many) client.close()
      await vi.waitFor(() => expect(countStreams()).toEqual({ streams: 0, tenants: 0 }), 5000)
    }
  })

  test('closes all streams on shutdown, and works again after a restart', async () => {
    const listener = await ready('channels=course:1')
    await closeAllStreams()
    await vi.waitFor(() => expect(listener.hasEnded).toBe(true), 10_000)
    const again = await ready('channels=course:1')
    await publishTo('course:1', 'again')
    await expectPayloads(again, ['again'])
  })
})
