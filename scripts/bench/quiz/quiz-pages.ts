import { contest } from '../duel.ts'
import type { SignedPage } from '../pages/against-bare.ts'
import { weighScripts } from '../pages/script.ts'
import type { Product } from '../product.ts'
import { limitRow, type Row } from '../report.ts'
import { statementsOf } from '../speed.ts'
import { startCounted } from '../stage.ts'

const PACE = { connections: 16, rounds: 3 }

/** Database round trips of one request of each page. */
export async function roundTrips(socketDir: string, pages: readonly SignedPage[]): Promise<Row[]> {
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
export function scriptRows({ port }: Product, pages: readonly (SignedPage & { most: number })[]): Promise<Row[]> {
  return weighScripts(
    port,
    pages.map((page) => ({ ...page, label: `${page.label}, JavaScript` })),
  )
}

/** Pages with a large amount of data compared with the same pages with a small one. */
export async function costRows(
  product: Product,
  pairs: readonly { label: string; large: SignedPage; small: SignedPage; most: number }[],
): Promise<Row[]> {
  const targetOf = ({ subdomain, token, path: address }: SignedPage) => ({
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
