import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startEmbedded } from '#lib/core/db/embedded.ts'
import { clusterDirOf, socketDirOf } from '#lib/core/db/embedded-place.ts'

const SOURCE = path.resolve('src/lib/core/db/embedded.ts')
let root = ''
let dataDir = ''
const children: ChildProcess[] = []

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-embedded-'))
  fs.chmodSync(root, 0o755)
  dataDir = path.join(root, 'data')
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  const { stop } = await startEmbedded(dataDir)
  await stop()
  fs.rmSync(socketDirOf(dataDir), { recursive: true, force: true })
  fs.rmSync(root, { recursive: true, force: true })
})

describe('embedded PostgreSQL', { timeout: 60_000 }, () => {
  test('creates a cluster with a role bound by row-level security and the Ukrainian collation', async () => {
    const { socketDir, adopted, stop } = await startEmbedded(dataDir)
    expect(adopted).toBe(false)
    const [role] = await runQuery(
      'select rolsuper, rolbypassrls, rolcreatedb from pg_roles where rolname = current_user',
    )
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreatedb: false })
    const [order] = await runQuery(
      "select string_agg(x, '' order by x) as letters from unnest('{я,ґ,г,є,е,і,ї,и}'::text[]) x",
    )
    expect(order).toEqual({ letters: 'гґеєиіїя' })
    const [fsync] = await runQuery(
      "select current_setting('fsync') as fsync, current_setting('listen_addresses') as tcp",
    )
    expect(fsync).toEqual({ fsync: 'on', tcp: '' })
    await expect(runQuery('select 1', { user: 'postgres' })).rejects.toThrow(/pg_hba/)
    await expect(runQuery('select 1', { database: 'postgres' })).rejects.toThrow(/pg_hba/)
    await stop()
    expect(fs.existsSync(path.join(socketDir, '.s.PGSQL.5432'))).toBe(false)
  })

  test('lets tests create databases', async () => {
    const { stop } = await startEmbedded(dataDir, { createDatabases: true, fast: true })
    await runQuery('create database another')
    expect(await runQuery('select current_database() as name', { database: 'another' })).toEqual([{ name: 'another' }])
    await stop()
  })

  test('lets several simultaneous starts share one server, which ends with the last of them', async () => {
    const starts = await Promise.all([1, 2, 3, 4].map(() => startElsewhere()))
    expect(new Set(starts.map((start) => start.postmaster)).size).toBe(1)
    const { stop } = await startEmbedded(dataDir)
    await stop()
    expect(await runQuery('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('adopts the server of a killed process with all committed data', async () => {
    const { child, postmaster } = await startElsewhere()
    await runQuery('create table kept (n int)')
    await runQuery('insert into kept values (1)')
    child.kill('SIGKILL')
    const { adopted, stop } = await startEmbedded(dataDir)
    expect(adopted).toBe(true)
    expect(postmaster).toBe(postmasterPid())
    expect(await runQuery('select n from kept')).toEqual([{ n: 1 }])
    await stop()
  })

  test('restarts after the server was killed, with all committed data', async () => {
    const { child } = await startElsewhere()
    await runQuery('create table kept (n int)')
    await runQuery('insert into kept values (1)')
    child.kill('SIGKILL')
    process.kill(postmasterPid(), 'SIGKILL')
    const { adopted, stop } = await startEmbedded(dataDir)
    expect(adopted).toBe(false)
    expect(await runQuery('select n from kept')).toEqual([{ n: 1 }])
    await stop()
  })

  test('restarts a killed server while the application runs', async () => {
    const { stop } = await startEmbedded(dataDir)
    process.kill(postmasterPid(), 'SIGKILL')
    await expect.poll(() => runQuery('select 1 as one').catch(String), { timeout: 10_000 }).toEqual([{ one: 1 }])
    await stop()
  })

  test('recovers from a start that was killed at any point', async () => {
    for (const moment of [30, 120, 250, 400, 550, 700]) {
      const child = run()
      await new Promise((resolve) => setTimeout(resolve, moment))
      child.kill('SIGKILL')
    }
    const { stop } = await startEmbedded(dataDir)
    expect(await runQuery('select 1 as one')).toEqual([{ one: 1 }])
    await stop()
    // An initdb that outlived its killed parent has ended by now; the next start removes its files.
    await (await startEmbedded(dataDir)).stop()
    const left = fs.readdirSync(clusterDirOf(dataDir)).filter((name) => name.startsWith('data'))
    expect(left).toEqual(['data'])
  })

  test('ignores a stale pid file that names another running process', async () => {
    const first = await startEmbedded(dataDir)
    const file = path.join(clusterDirOf(dataDir), 'data/postmaster.pid')
    const words = fs.readFileSync(file, 'utf8')
    await first.stop()
    fs.writeFileSync(file, words.replace(/^\d+/, String(process.ppid)))
    const { stop } = await startEmbedded(dataDir)
    expect(await runQuery('select 1 as one')).toEqual([{ one: 1 }])
    await stop()
  })

  test('uses a short socket directory where the path would be too long', async () => {
    const long = path.join(root, 'a'.repeat(90), 'data')
    expect(socketDirOf(long)).toMatch(/^\/tmp\/kafedra-[0-9a-f]{12}$/)
    const { socketDir, stop } = await startEmbedded(long)
    expect(await runQuery('select 1 as one', { host: socketDir })).toEqual([{ one: 1 }])
    await stop()
    fs.rmSync(socketDir, { recursive: true })
  })
})

async function runQuery(sql: string, to: { user?: string; database?: string; host?: string } = {}): Promise<unknown[]> {
  const client = new pg.Client({ host: socketDirOf(dataDir), user: 'kafedra', database: 'kafedra', ...to })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function run(): ChildProcess {
  const program = `import { startEmbedded } from ${JSON.stringify(SOURCE)}
    await startEmbedded(${JSON.stringify(dataDir)}); console.log('up'); setInterval(() => {}, 1e6)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

async function startElsewhere(): Promise<{ child: ChildProcess; postmaster: number }> {
  const child = run()
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`the start ended with ${code}`)))
  })
  return { child, postmaster: postmasterPid() }
}

function postmasterPid(): number {
  return Number.parseInt(fs.readFileSync(path.join(clusterDirOf(dataDir), 'data/postmaster.pid'), 'utf8'), 10)
}
