import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import { sampleFrom } from '#lib/core/shared/event/sample.ts'
import { median } from './duel.ts'
import { freePort, memoryOf, run, temporary, untilListening } from './processes.ts'
import { overSocket, type Product, startProduct } from './product.ts'
import { limitRow, ratioRow, type Section } from './report.ts'
import type { School } from './schools.ts'
import type { Stage } from './stage.ts'

const SIZE = 2 * 1024 ** 3
const AT_ONCE = 3
const ROUNDS = 3
const MEGABYTE = 1024 ** 2
const MEGABYTES = SIZE / MEGABYTE

/** An upload of 2 GB to the disk as a browser sends it, compared with one body that a plain server writes to a file. */
export async function uploadRate({ socketDir, big }: Stage): Promise<Section> {
  const product = await startProduct(overSocket(socketDir), { more: { JOBS_IN_PROCESS: 'false' } })
  const [port, file] = [await freePort(), `${temporary('bare')}/file`]
  const bare = run(import.meta.dirname, ['bare-store.ts', String(port), file], {})
  await untilListening(bare, port)
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const rounds: { ours: number; baseline: number; growth: number }[] = []
  for (let n = 0; n < ROUNDS; n++) {
    const { seconds, growth } = await sendToProduct(product, big, agent)
    const baseline = await timed(() => sendWhole(port))
    fs.rmSync(file)
    rounds.push({ ours: MEGABYTES / seconds, baseline: MEGABYTES / baseline, growth })
  }
  agent.destroy()
  await bare.stop()
  await product.stop()
  const [ours, baseline] = [median(rounds.map((round) => round.ours)), median(rounds.map((round) => round.baseline))]
  const ratio = median(rounds.map((round) => round.ours / round.baseline))
  const growth = Math.max(...rounds.map((round) => round.growth))
  return {
    title: 'Uploads',
    note: 'Baseline W: a bare node:http server that pipes one body of 2 GB into `createWriteStream` and flushes it. Ours: parts of 8 MB, three at once, each signed by the API and flushed, from `startUpload` to the answer of `finishUpload`.',
    rows: [
      ratioRow('2 GB to the disk', `${ours.toFixed(0)} MB/s`, `${baseline.toFixed(0)} MB/s`, ratio, 0.7),
      limitRow('growth of the resident memory meanwhile, at its highest', growth, ' MB', 100),
    ],
  }
}

async function sendToProduct(product: Product, school: School, agent: http.Agent) {
  const part = randomBytes(8 * 1024 ** 2)
  const before = memoryOf(product.pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(product.pid))
  }, 50)
  const call = caller(product, school)
  let uploadId = ''
  const seconds = await timed(async () => {
    const about = { name: 'archive.bin', size: SIZE, head: part.subarray(0, 4100).toString('base64') }
    const sample = await sampleFrom(SIZE, part.subarray(0, MEGABYTE), part.subarray(-MEGABYTE))
    const begun = await call('startUpload', { ...about, parentId: null, sample })
    uploadId = String(begun.uploadId)
    let next = 1
    const sender = async () => {
      while (next <= Number(begun.parts)) {
        const { url } = await call('signPart', { uploadId, number: next++ })
        await send(agent, product.port, String(url), product.headersFor(school.subdomain, school.ownerToken), part)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
    await call('finishUpload', { uploadId })
  })
  clearInterval(watch)
  await call('delete', { fileIds: [uploadId], sure: true })
  await call('purge', { fileIds: [uploadId] })
  return { seconds, growth: most - before }
}

function caller({ port, headersFor }: Product, { subdomain, ownerToken }: School) {
  return async (action: string, input: object): Promise<Record<string, unknown>> => {
    const headers = {
      ...headersFor(subdomain, ownerToken),
      'content-type': 'application/json',
      accept: 'application/json',
    }
    const path = `/v1/module/storage/${action}`
    const body = Buffer.from(JSON.stringify(input))
    const answer = await exchange(
      { port, path, method: 'POST', headers: { ...headers, 'accept-encoding': 'identity' } },
      body,
    )
    return JSON.parse(answer || '{}')
  }
}

function send(agent: http.Agent, port: number, path: string, headers: Record<string, string>, part: Buffer) {
  return exchange({ agent, port, path, method: 'PUT', headers: { ...headers, 'content-length': part.length } }, part)
}

/** One body of the whole size, from the same buffer. */
function sendWhole(port: number): Promise<void> {
  const piece = randomBytes(8 * 1024 ** 2)
  const request = http.request({ host: '127.0.0.1', port, method: 'PUT', headers: { 'content-length': SIZE } })
  let left = SIZE
  const more = () => {
    while (left > 0) {
      left -= piece.length
      if (!request.write(piece)) return
    }
    request.end()
  }
  request.on('drain', more)
  more()
  return answered(request).then(() => undefined)
}

function exchange(options: http.RequestOptions, body: Buffer): Promise<string> {
  const request = http.request({ host: '127.0.0.1', ...options })
  request.end(body)
  return answered(request)
}

function answered(request: http.ClientRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        if ((response.statusCode ?? 500) < 300) resolve(text)
        else reject(new Error(`${request.method} ${request.path}: ${response.statusCode} ${text.slice(0, 300)}`))
      })
    })
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
