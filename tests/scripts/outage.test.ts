import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { clusterDirOf, socketDirOf } from '#lib/core/db/embedded-place.ts'
import { postmasterOf } from '#lib/core/db/embedded-postmaster.ts'
import { type Embedded, startEmbedded } from '../../src/lib/core/db/embedded.ts'
import { sendRequest } from '../setup/media/http-request.ts'
import { databaseUrl, removeClusterDirectory } from '../setup/servers/cluster.ts'
import { freePort } from '../setup/servers/port.ts'

vi.setConfig({ testTimeout: 120_000 })

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kt-outage-'))
fs.chmodSync(directory, 0o711)
let database: Embedded | undefined
let child: ChildProcess | undefined

afterEach(async () => {
  child?.kill('SIGKILL')
  await database?.stop()
  database = undefined
})
afterAll(() => removeClusterDirectory(directory))

const startCluster = () => startEmbedded(directory, { fast: true })

test('a process waits for a database that is away, survives its outages, and logs only JSON', async () => {
  // The cluster exists, and its server is not running.
  await (await startCluster()).stop()
  const port = await freePort()
  let printed = ''
  child = spawn(process.execPath, ['tests/setup/servers/outage-process.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      PORT: String(port),
      DATA_DIR: path.join(directory, 'data'),
      DATABASE_URL: databaseUrl(socketDirOf(directory), 'kafedra'),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)))
  let events = 0
  child.on('message', (count) => {
    events = Number(count)
  })
  const waitFor = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 50 })
  const statusOf = async (url: string) => (await sendRequest(port, 'kafedra.localhost', url)).status
  const isServing = async () => {
    const before = events
    await waitFor(() => expect(events).toBeGreaterThan(before + 1))
    expect(await statusOf('/readyz')).toBe(200)
  }

  await waitFor(() => expect(printed).toContain('"waiting for the database"'))
  expect(printed).toContain(JSON.stringify(`${socketDirOf(directory)}/kafedra`))
  database = await startCluster()
  await isServing()

  // An orderly end of the server, which ends every connection with an error.
  await database.stop()
  await waitFor(() => expect(printed).toContain('The job queue lost its database connection'))
  expect(await statusOf('/readyz')).toBe(503)
  expect(await statusOf('/healthz')).toBe(200)
  database = await startCluster()
  await isServing()

  // A killed server, which is started again.
  process.kill(postmasterOf(path.join(clusterDirOf(directory), 'data')) ?? 0, 'SIGKILL')
  await isServing()

  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const lines = printed.split('\n').filter((line) => line !== '')
  expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([])
  expect(lines.filter((line) => line.includes('uncaught error') || line.includes('"from":"console"'))).toEqual([])
})
