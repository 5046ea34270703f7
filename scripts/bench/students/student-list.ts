import pg from 'pg'
import { contest, type Target } from '../duel.ts'
import { pagesAgainstBare } from '../pages/against-bare.ts'
import { atEnd, temporary } from '../processes.ts'
import { overSocket, startProduct } from '../product.ts'
import { limitRow, type Row, type Section } from '../report.ts'
import { statementsOf } from '../speed.ts'
import { startCounted } from '../stage.ts'
import { makeStudentSchool, type StudentSchool } from './student-schools.ts'
import { exportRows, importRows } from './transfer.ts'

/**
 * A filter returns a full page in both schools: its share is larger in the small one, because a page of one row costs
 * less than one of fifty.
 */
const VIEWS: Record<string, (school: StudentSchool) => string> = {
  newest: () => '/students',
  'by name': () => '/students?sort=name',
  'by progress': () => '/students?sort=progress',
  'invited, by name': () => '/students?status=invited&sort=name',
  'blocked, by progress': () => '/students?status=blocked&sort=progress',
  'of a course, by activity': ({ courseId }) => `/students?course=${courseId}&sort=active`,
  'of a group, by name': ({ groupId }) => `/students?group=${groupId}&sort=name`,
  'with a rare tag': () => '/students?tag=VIP',
  'finished, by name': () => '/students?progress=finished&sort=name',
  'not active for 30 days': () => '/students?activity=inactive30&sort=active',
  overdue: () => '/students?overdue=1&sort=overdue',
  'search by last name': () => `/students?q=${encodeURIComponent('коваль')}&sort=name`,
  'search by full name': () => `/students?q=${encodeURIComponent('олена коваль')}`,
  'search for parts of all addresses': ({ size }) => `/students?q=${size > 1000 ? 'student 49' : 'student 4'}`,
  'search by address': () => '/students?q=student-77%40',
  card: ({ studentId }) => `/student/${studentId}`,
}

/** Lists, searches and the card of a student in a school of 50,000 compared with one of 500. */
export async function studentPages(): Promise<Section> {
  const { startEmbedded } = await import('#lib/core/db/embedded.ts')
  const embedded = await startEmbedded(temporary('pg'))
  atEnd(embedded.stop)
  const database = overSocket(embedded.socketDir)
  const product = await startProduct(database)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const small = await makeStudentSchool(client, 'mala', 500)
  const big = await makeStudentSchool(client, 'velyka', 50_000)
  await client.end()
  const rows: Row[] = []
  for (const [name, pathOf] of Object.entries(VIEWS)) {
    const targetOf = (school: StudentSchool): Target => ({
      pid: product.pid,
      port: product.port,
      path: pathOf(school),
      headers: product.headersFor(school.subdomain, school.ownerToken),
    })
    const [inBig, inSmall] = await contest([targetOf(big), targetOf(small)], { connections: 8, rounds: 3, seconds: 1 })
    if (!inBig || !inSmall) throw new Error(`${name} was not measured`)
    const ratio = inSmall.rate / inBig.rate
    rows.push({
      ...limitRow(`students, ${name}`, ratio, '', 1.3, 2),
      ours: `${inBig.rate.toFixed(0)}/s`,
      baseline: `${inSmall.rate.toFixed(0)}/s`,
    })
  }
  const pages = ['newest', 'by name', 'card'].map((name) => ({
    label: `students, ${name}`,
    subdomain: big.subdomain,
    token: big.ownerToken,
    path: VIEWS[name]?.(big) ?? '',
  }))
  rows.push(...(await pagesAgainstBare(product, pages)))
  const counted = await startCounted(embedded.socketDir)
  for (const name of ['newest', 'card']) {
    const path = VIEWS[name]?.(big) ?? ''
    const headers = counted.product.headersFor(big.subdomain, big.ownerToken)
    const { trips } = await statementsOf(counted, { port: counted.product.port, path, headers })
    rows.push(limitRow(`students, ${name}, round trips`, trips, '', 3, 1))
  }
  await counted.product.stop()
  rows.push(...(await exportRows(product, small, big)))
  await product.stop()
  rows.push(...(await importRows(database, small)))
  return {
    title: 'Students',
    note: 'Requests per second of a school of 50,000 students compared with one of 500 in the same database; the result is the ratio of their costs. 8 connections. Rows with the goal 1/25 compare a page of the large school with a bare node:http server that sends the same bytes, 16 connections. A filter shows a full page in both schools, a rare one of the large school is compared with a common one of the small school. The import is compared with insert statements of 500 rows into the same tables, with the same triggers; the memory of an export is the most that the process has held above what it held before.',
    rows,
  }
}
