import fs from 'node:fs'
import path from 'node:path'
import { type Captured, capture } from '../captured.ts'
import { type Contestant, contest } from '../duel.ts'
import { freePort, run, temporary, untilListening } from '../processes.ts'
import type { Product } from '../product.ts'
import type { Row } from '../report.ts'

const PACE = { connections: 16, rounds: 3 }

/** A page for a signed-in person. */
export interface SignedPage {
  label: string
  subdomain: string
  token: string
  path: string
}

/** Pages compared with a bare node:http server that sends the same bytes. */
export async function pagesAgainstBare(product: Product, pages: readonly SignedPage[]): Promise<Row[]> {
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
