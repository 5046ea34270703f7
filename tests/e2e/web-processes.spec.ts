import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { sendRequest } from '../setup/media/http-request.ts'
import { connectLiveClient, type LiveClient, payloads } from '../setup/media/live-client.ts'
import { type Product, startProduct } from '../setup/product.ts'
import { removeClusterDirectory } from '../setup/servers/cluster.ts'
import { DEMO_PASSWORD, expect, staffEmail, test } from './support/test.ts'

const HOST = 'demo.kafedra.localhost'

let dataDir = ''
let product: Product

test.beforeEach(async () => {
  test.slow()
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'kp-'))
  product = await startProduct({ dataDir, env: { WEB_PROCESSES: '2', API_RATE: '40' } })
  // The first process is ready before the second; the address is printed when both listen.
  await expect.poll(() => product.getOutput(), { timeout: 30_000 }).toContain(String(product.port))
})

test.afterEach(async () => {
  await product.stop()
  removeClusterDirectory(dataDir)
})

/** The web processes, without the media process and PostgreSQL. */
function webProcessIds(): number[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    try {
      const [, parent] = /\) \S (\d+)/.exec(fs.readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      const command = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return Number(parent) === product.process.pid && command.includes('web-process.ts') ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

/** The web process at the other end of a connection. */
function processOf(localPort: number): number | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  const connection = fs
    .readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(`:${hex(product.port)}`) && remote?.endsWith(`:${hex(localPort)}`))
  const socket = `socket:[${connection?.[9]}]`
  return webProcessIds().find((pid) =>
    fs.readdirSync(`/proc/${pid}/fd`).some((name) => fs.readlinkSync(`/proc/${pid}/fd/${name}`) === socket),
  )
}

async function signIn(): Promise<string> {
  const body = { email: staffEmail('owner'), password: DEMO_PASSWORD }
  const response = await sendRequest(product.port, 'kafedra.localhost', '/v1/module/user/login', { body })
  expect(response.status, response.body).toBe(200)
  return response.cookies.token ?? ''
}

// Each request opens a connection: the main process distributes them to the web processes in turn.
const call = (token: string, name: string, body: object) =>
  sendRequest(product.port, HOST, `/v1/module/${name}`, {
    token,
    body,
    headers: { origin: `http://${HOST}:${product.port}`, connection: 'close' },
  })

async function statusesOf(urlPath: string, token?: string): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) {
    const headers = { connection: 'close' }
    statuses.push((await sendRequest(product.port, HOST, urlPath, { headers, ...(token && { token }) })).status)
  }
  return statuses
}

async function openStream(token: string): Promise<{ stream: LiveClient; pid: number | undefined }> {
  const headers = { host: `${HOST}:${product.port}`, cookie: `token=${token}` }
  const stream = await connectLiveClient(product.port, 'channels=storage', headers)
  expect(stream.status).toBe(200)
  await expect.poll(() => stream.events[0]?.event).toBe('ready')
  stream.events.shift()
  return { stream, pid: processOf(stream.localPort) }
}

test('an event of one process reaches subscribers of both, and a revoked session ends in both', async () => {
  const token = await signIn()
  const streams = [await openStream(token), await openStream(token), await openStream(token)]
  expect(new Set(streams.map(({ pid }) => pid))).toEqual(new Set(webProcessIds()))
  expect((await call(token, 'storage/createFolder', { name: 'Нова тека', parentId: null })).status).toBe(200)
  for (const { stream } of streams) {
    await expect.poll(() => payloads(stream)).toContainEqual(expect.objectContaining({ event: 'changed' }))
  }

  expect((await call(token, 'user/logout', {})).status).toBe(200)
  for (const { stream } of streams) await expect.poll(() => stream.hasEnded).toBe(true)
  expect(await statusesOf('/v1/module/user/getSessionInfo', token)).toEqual([401, 401, 401, 401])
})

test('a caller has one rate limit of calls for both processes', async () => {
  const token = await signIn()
  const statuses: number[] = []
  for (let n = 0; n < 60 && !statuses.includes(429); n++) {
    statuses.push((await call(token, 'storage/createFolder', { name: `Тека ${n}`, parentId: null })).status)
  }
  // Half of the calls go to each process, which alone would allow 40.
  expect(statuses.at(-1)).toBe(429)
})

test('a web process that is killed is replaced while the other one serves', async () => {
  const [killed = 0, remaining = 0] = webProcessIds()
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => webProcessIds().filter((pid) => pid !== killed).length).toBe(2)
  expect(webProcessIds()).toContain(remaining)
  await expect.poll(() => statusesOf('/readyz')).toEqual([200, 200, 200, 200])
})

test('SIGTERM finishes the requests of both processes and leaves none behind', async () => {
  const token = await signIn()
  const streams = [await openStream(token), await openStream(token)]
  const pids = webProcessIds()
  const slow = [await startSlowRequest(), await startSlowRequest()]
  const ended = once(product.process, 'exit')
  product.process.kill('SIGTERM')
  for (const { stream } of streams) await expect.poll(() => stream.hasEnded).toBe(true)
  expect(await Promise.all(slow.map((request) => request.finish()))).toEqual([422, 422])
  expect(await ended).toEqual([0, null])
  for (const pid of pids) expect(fs.existsSync(`/proc/${pid}`)).toBe(false)
})

/** A request whose body is completed by `finish`. */
async function startSlowRequest(): Promise<{ finish(): Promise<number> }> {
  const body = JSON.stringify({ email: staffEmail('owner'), password: 'wrong password' })
  const request = http.request({
    host: '127.0.0.1',
    port: product.port,
    method: 'POST',
    path: '/v1/module/user/login',
    agent: false,
    headers: {
      host: `kafedra.localhost:${product.port}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  request.write(body.slice(0, 10))
  await once(request, 'socket')
  await new Promise((resolve) => setTimeout(resolve, 300))
  return {
    async finish() {
      const answered = once(request, 'response')
      request.end(body.slice(10))
      const [response] = (await answered) as [http.IncomingMessage]
      response.resume()
      return response.statusCode ?? 0
    },
  }
}
