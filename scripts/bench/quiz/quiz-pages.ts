import fs from 'node:fs'
import path from 'node:path'
import { type Captured, capture } from '../captured.ts'
import { type Contestant, contest } from '../duel.ts'
import { weighScripts } from '../pages/script.ts'
import { freePort, run, temporary, untilListening } from '../processes.ts'
import type { Product } from '../product.ts'
import { limitRow, type Row } from '../report.ts'
import { statementsOf } from '../speed.ts'
import { startCounted } from '../stage.ts'

const PACE = { connections: 16, rounds: 3 }

/** A page of a test for a signed-in person. */
export interface QuizPage {
  label: string
  subdomain: string
  token: string
  path: string
}

/** Pages compared with a bare node:http server that sends the same bytes. */
export async function pagesAgainstBare(product: Product, pages: readonly QuizPage[]): Promise<Row[]> {
  const requests = pages.map((page) => ({
    port: product.port,
    path: page.path,
    headers: product.headersFor(page.subdomain, page.token),
  }))
  const answers: { port: number; answer: Captured }[] = []
  for (const request of requests) {
    const answer = await capture(request)
    if (answer.status !== 200) throw new Error(`${request.path} answered ${answer.status}`)
    answers.push({ port: await freePort(), answer })
  }
  const file = `${temporary('bytes')}/answers.json`
  fs.writeFileSync(file, JSON.stringify(answers))
  const bare = run(path.join(import.meta.dirname, '..'), ['bare-node.ts', file], {})
  const rows: Row[] = []
  for (const [index, page] of pages.entries()) {
    const [request, port] = [requests[index], answers[index]?.port ?? 0]
    if (!request) continue
    await untilListening(bare, port)
    const [ours, baseline] = await contest(
      [
        { ...request, pid: product.pid },
        { ...request, pid: bare.pid, port },
      ],
      PACE,
    )
    if (ours && baseline) rows.push(partRow(page.label, ours, baseline))
  }
  await bare.stop()
  return rows
}

function partRow(label: string, ours: Contestant, bare: Contestant): Row {
  const speed = ({ rate, cpu }: Contestant) => `${rate.toFixed(0)}/s, ${cpu.toFixed(2)} ms CPU`
  const part = ours.rate / bare.rate
  const result = `1/${(1 / part).toFixed(1)}, by CPU 1/${(ours.cpu / bare.cpu).toFixed(1)}`
  return { label, ours: speed(ours), baseline: speed(bare), result, goal: '≥ 1/25', reached: part >= 1 / 25 }
}

/** Database round trips of one request of each page. */
export async function roundTrips(socketDir: string, pages: readonly QuizPage[]): Promise<Row[]> {
  const counted = await startCounted(socketDir)
  const rows: Row[] = []
  for (const { label, subdomain, token, path: address } of pages) {
    const { port, headersFor } = counted.product
    const { trips } = await statementsOf(counted, { port, path: address, headers: headersFor(subdomain, token) })
    rows.push(limitRow(`${label}, round trips`, trips, '', 3, 1))
  }
  await counted.product.stop()
  return rows
}

/** Scripts that pages load before any interaction. */
export function scriptRows({ port }: Product, pages: readonly (QuizPage & { most: number })[]): Promise<Row[]> {
  return weighScripts(
    port,
    pages.map((page) => ({ ...page, label: `${page.label}, JavaScript` })),
  )
}

/** Pages with a large amount of data compared with the same pages with a small one. */
export async function costRows(
  product: Product,
  pairs: readonly { label: string; large: QuizPage; small: QuizPage; most: number }[],
): Promise<Row[]> {
  const targetOf = ({ subdomain, token, path: address }: QuizPage) => ({
    pid: product.pid,
    port: product.port,
    path: address,
    headers: product.headersFor(subdomain, token),
  })
  const rows: Row[] = []
  for (const { label, large, small, most } of pairs) {
    const [inLarge, inSmall] = await contest([targetOf(large), targetOf(small)], {
      ...PACE,
      connections: 4,
      seconds: 2,
    })
    if (!inLarge || !inSmall) throw new Error(`${label} was not measured`)
    rows.push({
      ...limitRow(label, inSmall.rate / inLarge.rate, '', most, 2),
      ours: `${inLarge.rate.toFixed(0)}/s`,
      baseline: `${inSmall.rate.toFixed(0)}/s`,
    })
  }
  return rows
}
