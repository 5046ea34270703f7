import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { clusterDirOf, socketDirOf } from '#lib/core/db/embedded-place.ts'
import { sendRequest } from '../setup/media/http-request.ts'
import { type Product, startProduct } from '../setup/product.ts'
import { removeClusterDirectory } from '../setup/servers/cluster.ts'
import { freePort } from '../setup/servers/port.ts'
import { expect, test } from './support/test.ts'

let dataDir = ''

test.beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'kp-'))
})

test.afterEach(() => removeClusterDirectory(dataDir))

const start = (env: Record<string, string> = {}) => startProduct({ dataDir, args: ['--empty'], env })

function signUp(product: Product, name: string) {
  return sendRequest(product.port, 'kafedra.localhost', '/v1/module/user/register', {
    body: {
      email: `${name}@kafedra.test`,
      password: 'Probna-2026!',
      organisation: 'Школа',
      subdomain: name,
      firstName: 'Олена',
    },
  })
}

function run(script: string, env: Record<string, string> = {}, args: string[] = []) {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', DATA_DIR: dataDir, ...env },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  return { process: child, printed: () => printed }
}

async function emails(): Promise<string[]> {
  const client = new pg.Client({ host: socketDirOf(dataDir), user: 'kafedra', database: 'kafedra' })
  await client.connect()
  const { rows } = await client.query<{ email: string }>('select email from "user" order by email')
  await client.end()
  return rows.map((row) => row.email)
}

test('killing all processes loses no acknowledged write', async () => {
  const product = await start()
  const kept: string[] = []
  const requests = (async () => {
    for (let n = 0; n < 8; n++) {
      const answer = await signUp(product, `crash-${n}`).catch(() => null)
      if (answer?.status === 200) kept.push(`crash-${n}@kafedra.test`)
      if (!answer) return
    }
  })()
  await expect.poll(() => kept.length).toBeGreaterThan(3)
  const postmaster = Number.parseInt(
    fs.readFileSync(path.join(clusterDirOf(dataDir), 'data/postmaster.pid'), 'utf8'),
    10,
  )
  product.process.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  await requests

  const again = await start()
  expect(await emails()).toEqual(expect.arrayContaining(kept))
  expect((await signUp(again, 'after')).status).toBe(200)
  await again.stop()
})

test('a second start on the same data reports the running process', async () => {
  const product = await start()
  const second = run('scripts/start.ts', { PORT: '0' }, ['--empty'])
  const [code] = await once(second.process, 'exit')
  expect(code).toBe(1)
  expect(second.printed()).toContain('already run')
  expect(second.printed()).toContain(String(product.process.pid))
  await product.stop()
})

test('a stopped product has released all resources', async () => {
  const product = await start()
  const ended = once(product.process, 'exit')
  product.process.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(fs.existsSync(path.join(clusterDirOf(dataDir), 'data/postmaster.pid'))).toBe(false)
})

test('a signal to npm start shuts the product down and frees its port and data', async () => {
  test.slow()
  // PostgreSQL runs as `nobody` when started by root and needs access to this directory.
  fs.chmodSync(dataDir, 0o711)
  const port = await freePort()
  const env = { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', DATA_DIR: dataDir, PORT: String(port) }
  const npm = spawn('npm', ['start', '--', '--empty'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  await expect.poll(() => printed, { timeout: 90_000 }).toContain('Kafedra is up')
  const ended = once(npm, 'exit')
  npm.kill('SIGTERM')
  await ended
  expect(fs.existsSync(path.join(clusterDirOf(dataDir), 'data/postmaster.pid'))).toBe(false)
  const again = await startProduct({ dataDir, port, args: ['--empty'] })
  await again.stop()
})

test('a backup of the running product is restored into another directory', async () => {
  test.slow()
  const product = await start()
  expect((await signUp(product, 'kept')).status).toBe(200)
  const folder = path.join(dataDir, 'backup')
  const backup = run('scripts/backup.ts', {}, [folder])
  expect(await once(backup.process, 'exit'), backup.printed()).toEqual([0, null])
  await product.stop()

  const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'kp-'))
  fs.chmodSync(elsewhere, 0o711)
  try {
    const restore = run('scripts/restore.ts', { DATA_DIR: elsewhere }, [folder])
    expect(await once(restore.process, 'exit'), restore.printed()).toEqual([0, null])
    const again = await startProduct({ dataDir: elsewhere, args: ['--empty'] })
    expect((await signUp(again, 'kept')).status).not.toBe(200)
    await again.stop()
  } finally {
    removeClusterDirectory(elsewhere)
  }
})

test('jobs run in a separate worker when the web process does not run them', async () => {
  const product = await start({ JOBS_IN_PROCESS: 'false' })
  expect((await signUp(product, 'worker')).status).toBe(200)
  const countEmails = () => {
    const outbox = path.join(dataDir, 'outbox')
    return fs.existsSync(outbox) ? fs.readdirSync(outbox).filter((name) => name.endsWith('.json')).length : 0
  }
  expect(countEmails()).toBe(0)
  const worker = run('scripts/worker.ts')
  await expect.poll(countEmails).toBe(1)
  const ended = once(worker.process, 'exit')
  worker.process.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await product.stop()
})

test('developer pages do not exist when emails are really sent', async () => {
  const product = await start({ SMTP_URL: 'smtp://127.0.0.1:9' })
  for (const page of ['/dev/outbox', '/dev/styleguide', '/dev/broadcast']) {
    expect((await sendRequest(product.port, 'kafedra.localhost', page)).status, page).toBe(404)
  }
  await product.stop()
})

test('the doctor reports no problems of a healthy installation and names broken parts', async () => {
  const product = await start()
  await product.stop()
  const sound = run('scripts/doctor.ts')
  expect(await once(sound.process, 'exit')).toEqual([0, null])
  expect(sound.printed()).not.toContain('FAIL')
  const broken = run('scripts/doctor.ts', { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' })
  expect(await once(broken.process, 'exit')).toEqual([1, null])
  expect(broken.printed()).toMatch(/FAIL.*Database/)
})

test('a product on a public domain has no demo school and explains how the first owner registers', async () => {
  const product = await startProduct({ dataDir, env: { BASE_DOMAIN: 'school.example' } })
  await expect.poll(product.getOutput).toContain('https://school.example/register')
  expect(product.getOutput()).toContain(path.join(dataDir, 'outbox'))
  expect(product.getOutput()).not.toContain('Kafedra-2026!')
  expect(await emails()).toEqual([])
  await product.stop()
})
