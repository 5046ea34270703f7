import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { copyTree } from '../constant-page.ts'
import { median } from '../duel.ts'
import { cpuOf } from '../processes.ts'
import { type Product, startProduct } from '../product.ts'
import { type Row, ratioRow } from '../report.ts'
import { type SalesSchool, SECRET_KEY } from './sales-school.ts'

const SENDERS = 16
const ROUNDS = 4
const SECONDS = 1.5
const GOAL = 0.3

/**
 * Callbacks of payments that are verified, give access and are answered, compared with the same endpoint inserting two
 * rows in a transaction, in rounds A B A B. Each callback is about another order.
 */
export async function callbackRows(database: string, product: Product, school: SalesSchool): Promise<Row[]> {
  const more = { JOBS_IN_PROCESS: 'false', API_RATE: '1000000000', SECRET_KEY }
  const bare = await startProduct(database, { root: bareTree(), more })
  const agent = new http.Agent({ keepAlive: true, maxSockets: SENDERS })
  const queue = [...school.callbacks]
  // The measured callbacks are new ones; the baseline does not read its body.
  const measure = (target: Product) => callbackRate(target, school, agent, () => queue.pop())
  const repeated = school.callbacks[0]
  const measureBare = () => callbackRate(bare, school, agent, () => repeated)
  await measure(product)
  await measureBare()
  const rounds: { ours: Rate; baseline: Rate }[] = []
  for (let n = 0; n < ROUNDS; n++) rounds.push({ ours: await measure(product), baseline: await measureBare() })
  agent.destroy()
  await bare.stop()
  const words = (pick: (round: (typeof rounds)[number]) => Rate) =>
    `${median(rounds.map((round) => pick(round).perSecond)).toFixed(0)}/s, ${median(rounds.map((round) => pick(round).cpu)).toFixed(2)} ms CPU`
  const ours = words((round) => round.ours)
  const baseline = words((round) => round.baseline)
  const ratio = median(rounds.map((round) => round.ours.perSecond / round.baseline.perSecond))
  const byCpu = median(rounds.map((round) => round.baseline.cpu / round.ours.cpu))
  return [ratioRow('payment callback', ours, `${baseline} (by CPU ${byCpu.toFixed(2)})`, ratio, GOAL)]
}

interface Rate {
  perSecond: number
  /** Milliseconds of processor time per callback. */
  cpu: number
}

async function callbackRate(
  { pid, port, headersFor }: Product,
  { subdomain, tenantId }: SalesSchool,
  agent: http.Agent,
  next: () => SalesSchool['callbacks'][number] | undefined,
): Promise<Rate> {
  const [since, cpu] = [performance.now(), cpuOf(pid)]
  const until = since + SECONDS * 1000
  const target = { port, agent, path: `/v1/payment/callback/sandbox/${tenantId}`, headers: headersFor(subdomain) }
  let answered = 0
  const send = async () => {
    while (performance.now() < until) {
      const callback = next()
      if (!callback) throw new Error('there are too few payments that wait')
      await post(target, callback)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, send))
  return { perSecond: (answered * 1000) / (performance.now() - since), cpu: (cpuOf(pid) - cpu) / answered }
}

function post(
  { headers, ...target }: { port: number; agent: http.Agent; path: string; headers: Record<string, string> },
  callback: SalesSchool['callbacks'][number],
): Promise<void> {
  const body = Buffer.from(callback.body)
  const sent = { ...headers, ...callback.headers, 'content-type': 'application/json', 'content-length': body.length }
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', method: 'POST', ...target, headers: sent }, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`a callback was answered ${response.statusCode}`)),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** The same tree, whose callback inserts two rows. */
function bareTree(): string {
  const root = copyTree()
  const file = path.join(root, 'src/lib/payment/callback.ts')
  const before = fs.readFileSync(file, 'utf8')
  const after = before.replace('async function handleCallback(', 'async function handleWithChecks(')
  if (after === before) throw new Error('handleCallback is not where it was')
  fs.writeFileSync(file, after + BARE)
  return root
}

/** Appended to the file of handleCallback, whose imports it uses. */
const BARE = `
export async function handleCallback(_purposes, { account: tenantId, body }) {
  const row = { tenantId, provider: 'sandbox', source: 'callback', body, headers: {}, signatureOk: true, outcome: 'repeated' }
  await inTenant({ tenantId }, (tx) => Promise.all([tx.insert(paymentCallback).values(row), tx.insert(paymentCallback).values(row)]))
  return { status: 200, type: 'text/plain', body: 'OK' }
}
`
