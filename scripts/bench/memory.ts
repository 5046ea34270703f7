import { fireMixed } from './load.ts'
import { memoryOf } from './processes.ts'
import { overSocket, startProduct } from './product.ts'
import { limitRow, type Section } from './report.ts'
import type { Stage } from './stage.ts'

/** The memory of the server process before and after 100,000 mixed requests, with jobs in the same process. */
export async function memoryAfter({ socketDir, big }: Stage): Promise<Section> {
  const product = await startProduct(overSocket(socketDir))
  const before = memoryOf(product.pid)
  await fireMixed(product, big, 50_000)
  const middle = memoryOf(product.pid)
  await fireMixed(product, big, 50_000)
  const after = memoryOf(product.pid)
  await fireMixed(product, big, 50_000)
  const later = memoryOf(product.pid)
  await product.stop()
  const row = limitRow('resident memory after 100,000 requests', after, ' MB', 450)
  const growth = limitRow('more after 50,000 further requests', later - after, ' MB', 20)
  return {
    title: 'Memory',
    note: 'VmRSS of a fresh process as `npm start` runs it, jobs included; `npm run soak` shows whether it grows.',
    rows: [
      { ...row, baseline: `${before.toFixed(0)} MB at the start, ${middle.toFixed(0)} MB after half of them` },
      growth,
    ],
  }
}
