import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { type Captured, capture } from '../captured.ts'
import { contest, duel, type Target } from '../duel.ts'
import { atEnd, freePort, run, temporary, untilListening } from '../processes.ts'
import { overSocket, type Product, startProduct } from '../product.ts'
import { limitRow, type Row, type Section } from '../report.ts'
import { duelRow } from '../speed.ts'
import { callbackRows } from './callbacks.ts'
import { makeSalesSchool, RARE_NAME, type SalesSchool, SECRET_KEY } from './sales-school.ts'

const [MANY, FEW] = [200_000, 2000]
/** Callbacks that are sent in all rounds. */
const WAITING = 6000

const today = new Date().toISOString().slice(0, 10)
const earlier = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** The list of orders with its totals, and the report. Every filter shows a full page in both schools. */
const VIEWS: readonly (readonly [label: string, path: string, most: number])[] = [
  ['orders, newest, with totals', '/orders', 1.3],
  ['orders, paid', '/orders?state=paid', 1.3],
  ['orders, of half a year', `/orders?from=${earlier(200)}&to=${earlier(17)}`, 1.3],
  ['orders, expired, since a day', `/orders?state=expired&from=${earlier(300)}&to=${today}`, 1.3],
  ['orders, by number', '/orders?q=1234', 1.3],
  ['orders, by name', `/orders?q=${encodeURIComponent(RARE_NAME)}`, 1.3],
  ['report of a year', '/orders/report', 1.5],
]

/** Public pages of selling, callbacks, and a school of 200,000 orders compared with one of 2,000. */
export async function salesPages(): Promise<Section> {
  const { startEmbedded } = await import('#lib/core/db/embedded.ts')
  const embedded = await startEmbedded(temporary('pg'))
  atEnd(embedded.stop)
  const database = overSocket(embedded.socketDir)
  const product = await startProduct(database, { more: { API_RATE: '1000000000', SECRET_KEY } })
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const small = await makeSalesSchool(client, database, {
    subdomain: 'mala',
    students: 200,
    orders: FEW,
    waiting: 0,
  })
  const big = await makeSalesSchool(client, database, {
    subdomain: 'velyka',
    students: 3000,
    orders: MANY,
    waiting: WAITING,
  })
  await client.query('vacuum analyze')
  await client.end()
  const rows = [...(await publicRows(product, big)), ...(await sizeRows(product, big, small))]
  rows.push(...(await callbackRows(database, product, big)))
  await product.stop()
  return {
    title: 'Sales',
    note: `Public pages: a bare node:http server that sends the same bytes. Orders and report: requests per second of a school of ${MANY.toLocaleString('en')} orders compared with one of ${FEW.toLocaleString('en')} in the same database, 8 connections; the result is the ratio of their costs. Callback: verified, applied with the access, and answered; a job sends the email; compared with the same endpoint inserting two rows; 16 senders, each callback is about another order.`,
    rows,
  }
}

async function sizeRows(product: Product, big: SalesSchool, small: SalesSchool): Promise<Row[]> {
  const rows: Row[] = []
  for (const [label, viewPath, most] of VIEWS) {
    const targetOf = ({ subdomain, ownerToken }: SalesSchool): Target => ({
      pid: product.pid,
      port: product.port,
      path: viewPath,
      headers: product.headersFor(subdomain, ownerToken),
    })
    const [inBig, inSmall] = await contest([targetOf(big), targetOf(small)], { connections: 8, rounds: 3, seconds: 1 })
    if (!inBig || !inSmall) throw new Error(`${label} was not measured`)
    rows.push({
      ...limitRow(label, inSmall.rate / inBig.rate, '', most, 2),
      ours: `${inBig.rate.toFixed(0)}/s, ${inBig.cpu.toFixed(2)} ms CPU`,
      baseline: `${inSmall.rate.toFixed(0)}/s, ${inSmall.cpu.toFixed(2)} ms CPU`,
    })
  }
  return rows
}

async function publicRows(product: Product, { subdomain, courseId, offerId }: SalesSchool): Promise<Row[]> {
  const headers = product.headersFor(subdomain)
  const pages = [
    ['course page, cached', `/course/${courseId}`],
    ['checkout, cached', `/checkout/${offerId}`],
  ] as const
  const answers: { port: number; answer: Captured }[] = []
  for (const [, page] of pages)
    answers.push({ port: await freePort(), answer: await settled({ port: product.port, path: page, headers }) })
  const file = `${temporary('bytes')}/answers.json`
  fs.writeFileSync(file, JSON.stringify(answers))
  const bare = run(path.join(import.meta.dirname, '..'), ['bare-node.ts', file], {})
  const rows: Row[] = []
  for (const [index, [label, page]] of pages.entries()) {
    const port = answers[index]?.port ?? 0
    await untilListening(bare, port)
    const measured = await duel(
      { pid: product.pid, port: product.port, path: page, headers },
      { pid: bare.pid, port, path: page, headers },
      { rounds: 3 },
    )
    rows.push(duelRow(label, measured, 0.5))
  }
  await bare.stop()
  return rows
}

// The compressed form of a cached page is created in the background: two equal responses mean that it exists.
async function settled(request: { port: number; path: string; headers: Record<string, string> }): Promise<Captured> {
  for (let before = ''; ; await new Promise((resolve) => setTimeout(resolve, 300))) {
    const answer = await capture(request)
    if (answer.status !== 200) throw new Error(`${request.path} answered ${answer.status}`)
    if (answer.body === before) return answer
    before = answer.body
  }
}
