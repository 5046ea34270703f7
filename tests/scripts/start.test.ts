import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { migrateAt } from '#lib/core/db/migrate.ts'
import { addressFaultOf } from '../../scripts/preflight.ts'
import { createDatabase, databaseUrl, TEMPLATE } from '../setup/servers/cluster.ts'

vi.setConfig({ testTimeout: 60_000 })

let folder = ''
let child: ChildProcess | undefined

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-start-'))
})

afterEach(() => {
  child?.kill('SIGKILL')
  fs.rmSync(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string>): Promise<{ status: number | null; printed: string }> {
  child = spawn(process.execPath, ['scripts/start.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)))
  const [status] = await once(child, 'close')
  return { status, printed }
}

const socketDir = () => inject('cluster').socketDir

const NOT_OURS = '203.0.113.9'
test.each([
  ['HOST', NOT_OURS],
  ['HOST', 'no-such-host.invalid'],
  ['MAIL_FROM', 'Кафедра <no-reply'],
  ['MAIL_FROM', 'a@b.test, c@d.test'],
  ['BROADCAST_BIND', NOT_OURS],
  ['BROADCAST_BIND', 'everywhere'],
  ['SENTRY_DSN', 'https://errors.example.com'],
  ['FFMPEG_PATH', path.resolve('package.json')],
  ['FFMPEG_PATH', '/nowhere/ffmpeg'],
])('a start with a bad %s (%s) ends with its name before anything is created', async (name, value) => {
  const { status, printed } = await start({ [name]: value })
  expect(printed).toContain(`${name}: `)
  expect(printed).not.toMatch(/^\s+at /m)
  expect(status).toBe(1)
  expect(fs.readdirSync(folder)).toEqual([])
})

test.each([
  [
    'a login that the server refuses',
    () => databaseUrl(socketDir(), 'kafedra').replace('kafedra@', 'stranger:wrong@'),
    'no pg_hba.conf entry for host "[local]", user "stranger"',
  ],
  [
    'a missing database',
    () => databaseUrl(socketDir(), 'no_such_database'),
    'database "no_such_database" does not exist',
  ],
])('names DATABASE_URL and the reason of the server for %s', async (_what, address, reason) => {
  const { status, printed } = await start({ DATABASE_URL: address() })
  expect(printed).toContain(`DATABASE_URL: ${reason}`)
  expect(status).toBe(1)
  expect(fs.readdirSync(folder)).toEqual([])
})

test.each(['/proc/kafedra', '/dev/null/kafedra'])('names DATA_DIR when %s cannot be written', async (place) => {
  const { status, printed } = await start({ DATA_DIR: place })
  expect(printed).toContain('DATA_DIR: ')
  expect(status).toBe(1)
})

test('distinguishes a privileged port from a foreign host', () => {
  const address = { host: NOT_OURS, port: 80 }
  expect(addressFaultOf('EACCES', address)).toMatch(/^PORT: .*80/)
  expect(addressFaultOf('EADDRNOTAVAIL', address)).toMatch(/^HOST: 203/)
})

test('refuses a database newer than the program', async () => {
  const address = await createDatabase(socketDir(), `newer_${process.pid}`, TEMPLATE)
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)")
  await client.end()
  await expect(migrateAt(address)).rejects.toThrow('newer than this version')
  const { status, printed } = await start({ DATABASE_URL: address })
  expect(printed).toMatch(/DATABASE_URL: .*The database is newer than this version/)
  expect(status).toBe(1)
  expect(fs.readdirSync(folder)).toEqual([])
})
