import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { socketDirOf } from '#lib/core/db/embedded-place.ts'
import { atEnd, temporary } from '../bench/processes.ts'
import { overSocket, type Product, startProduct } from '../bench/product.ts'
import { makeSchool, type School } from '../bench/schools.ts'

const DISK = '900m'
const RECOVERY_SECONDS = 60

/**
 * Starts the product with its data on a small file system of its own, which another program fills: first the disk, then
 * also the log of PostgreSQL, which ends. Checks the answers and the log, and that all works when there is space again.
 * Needs the right to mount (root). Returns whether all checks succeeded.
 */
export async function soakFullDisk(): Promise<boolean> {
  const disk = temporary('disk')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=711`, 'tmpfs', disk])
  atEnd(() => execFileSync('umount', ['-l', disk]))
  const dataDir = `${disk}/data`
  const product = await startProduct('', { more: { DATA_DIR: dataDir, DISK_RESERVE_MB: '20' } })
  const database = overSocket(socketDirOf(dataDir))
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const school = await makeSchool(client, { subdomain: 'povna', courses: 5, students: 20 })
  await client.end()

  const failures: string[] = []
  const expectStatuses = async (phase: string, expected: Record<string, number[]>) => {
    for (const [name, { status, body }] of Object.entries(await request(product, school))) {
      const isExpected = expected[name]?.includes(status) ?? false
      console.log(`${phase}: ${name} ${status} ${isExpected ? '' : `UNEXPECTED ${body.slice(0, 200)}`}`)
      if (!isExpected) failures.push(`${phase}: ${name} ${status}`)
    }
  }
  const working = { readiness: [200], page: [200], lesson: [200], folder: [200], upload: [200] }
  await expectStatuses('space', working)

  fillDisk(disk)
  await expectStatuses('full disk', { ...working, readiness: [503], folder: [200, 503], upload: [507] })
  await endPostgres(database)
  const down = { readiness: [503], page: [503], lesson: [503], folder: [503], upload: [503, 507] }
  await expectStatuses('no PostgreSQL', down)
  if (!(await read(product, '/readyz', {})).body.includes('disk_full')) failures.push('the reason is not the disk')

  fs.rmSync(`${disk}/other-program`)
  for (let seconds = 0; seconds < RECOVERY_SECONDS; seconds += 1) {
    if ((await read(product, '/readyz', {})).status === 200) break
    await setTimeout(1000)
  }
  await expectStatuses('space again', working)
  const lines = product.words().split('\n').slice(1, -1)
  if (lines.some((line) => !line.startsWith('{'))) failures.push('the log has a line that is no JSON')
  if (lines.some((line) => /unhandled/i.test(line))) failures.push('an unhandled rejection was logged')
  await product.stop()
  console.log(failures.length === 0 ? 'no failure' : failures.join('\n'))
  return failures.length === 0
}

interface Answer {
  status: number
  body: string
}

async function request(product: Product, school: School): Promise<Record<string, Answer>> {
  const staff = product.headersFor(school.subdomain, school.ownerToken)
  const post = (procedure: string, input: object) =>
    read(product, `/v1/module/${procedure}`, {
      method: 'POST',
      headers: { ...staff, origin: `http://${staff.host}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
  const sample = randomUUID().replaceAll('-', '').repeat(2)
  return {
    readiness: await read(product, '/readyz', {}),
    page: await read(product, '/courses', { headers: staff }),
    lesson: await read(product, `/course/lesson/${school.lessonId}`, {
      headers: product.headersFor('go', school.studentToken),
    }),
    folder: await post('storage/createFolder', { parentId: null, name: randomUUID() }),
    upload: await post('storage/startUpload', { parentId: null, name: 'a.txt', size: 5, head: 'aGVsbG8=', sample }),
  }
}

function read(
  product: Product,
  path: string,
  { method = 'GET', headers = product.headersFor(''), body = '' }: { method?: string; headers?: object; body?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: product.port, path, method }
    const sent = http.request(
      { ...options, headers: { ...headers, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Writes a file until there is no space left, as another program does. */
function fillDisk(disk: string): void {
  const file = fs.openSync(`${disk}/other-program`, 'w')
  try {
    for (let size = 1024 ** 2; size >= 512; size /= 2) {
      const block = Buffer.alloc(size)
      try {
        while (fs.writeSync(file, block) > 0);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    }
  } finally {
    fs.closeSync(file)
  }
}

/** Fills the log of PostgreSQL: the server ends when it cannot add a segment. */
async function endPostgres(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (let messages = 0; messages < 20; messages += 1)
      await client.query("select pg_logical_emit_message(true, 'soak', repeat('a', 4000000))")
  } catch {
    // The server has ended.
  } finally {
    await client.end().catch(() => undefined)
  }
}
