import { contest } from '../duel.ts'
import { overSocket, startProduct } from '../product.ts'
import type { Row, Section } from '../report.ts'
import type { Stage } from '../stage.ts'
import { PAGES, requestOf } from './signed-in.ts'

const NAMES = ['dashboard', 'lesson', '/courses', 'session call']
const PACE = { connections: 16, rounds: 3, seconds: 3 }

/** Two web processes behind one port compared with one process. */
export async function twoProcesses({ socketDir, big }: Stage): Promise<Section> {
  const [first, two] = [
    await startProduct(overSocket(socketDir), { more: { JOBS_IN_PROCESS: 'false' } }),
    await startProduct(overSocket(socketDir), { more: { JOBS_IN_PROCESS: 'false', WEB_PROCESSES: '2' } }),
  ]
  const rows: Row[] = []
  for (const page of PAGES.filter(({ name }) => NAMES.includes(name))) {
    const targets = [two, first].map((product) => ({ ...requestOf(product, page, big), pid: product.pid }))
    const [ours, baseline] = await contest(targets, PACE)
    if (!ours || !baseline) throw new Error(`${page.name} was not measured`)
    rows.push({
      label: page.name,
      ours: `${ours.rate.toFixed(0)}/s, ${ours.cpu.toFixed(2)} ms CPU`,
      baseline: `${baseline.rate.toFixed(0)}/s, ${baseline.cpu.toFixed(2)} ms CPU`,
      result: `${(ours.rate / baseline.rate).toFixed(2)}, by CPU ${(baseline.cpu / ours.cpu).toFixed(2)}`,
      goal: '',
      reached: null,
    })
  }
  await two.stop()
  await first.stop()
  return {
    title: 'Two web processes',
    note: '`WEB_PROCESSES=2` compared with one process, 16 connections. The load generator and PostgreSQL share the cores with them, so on two cores the rate is not meaningful; the processor time of a request, of all processes of the product together, shows the cost of the second one.',
    rows,
  }
}
