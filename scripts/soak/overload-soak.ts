import pg from 'pg'
import { atEnd, temporary } from '../bench/processes.ts'
import { overSocket, startProduct } from '../bench/product.ts'
import { limitRow, printed, type Row } from '../bench/report.ts'
import { makeSchool } from '../bench/schools.ts'
import { type OverloadResult, overload } from './overload.ts'

const OPTIONS = { normalSeconds: 10, overloadSeconds: 30, factor: 2 }

/** Twice the requests that one process can serve. Returns whether all goals are reached. */
export async function soakOverload(): Promise<boolean> {
  const { startEmbedded } = await import('#lib/core/db/embedded.ts')
  const embedded = await startEmbedded(temporary('pg'))
  atEnd(embedded.stop)
  const databaseUrl = overSocket(embedded.socketDir)
  const product = await startProduct(databaseUrl, { more: { API_RATE: '100000' } })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const school = await makeSchool(client, { subdomain: 'velyka', courses: 20, students: 200 })
  const staff = product.headersFor(school.subdomain, school.ownerToken)
  const student = product.headersFor('go', school.studentToken)
  const result = await overload(
    {
      port: product.port,
      pages: [
        { path: '/', headers: staff },
        { path: '/courses', headers: staff },
        { path: '/homework', headers: staff },
        { path: '/courses', headers: student },
        { path: `/course/lesson/${school.lessonId}`, headers: student },
      ],
      write: (name) => ({
        path: '/v1/module/storage/createFolder',
        headers: { ...staff, 'content-type': 'application/json', origin: `http://${staff.host}` },
        body: JSON.stringify({ parentId: null, name }),
      }),
    },
    OPTIONS,
  )
  await client.query("select set_config('app.tenant_id', $1, false)", [school.tenantId])
  const { rows } = await client.query<{ name: string }>("select name from file where kind = 'folder'")
  await client.end()
  await product.stop()
  const stored = new Set(rows.map(({ name }) => name))
  const section = {
    title: 'Overload',
    note: describeOverload(result),
    rows: overloadRows(
      result,
      result.acknowledged.filter((name) => !stored.has(name)),
    ),
  }
  console.log(printed(section))
  return section.rows.every(({ reached }) => reached !== false)
}

function describeOverload({ capacity, sentPerSecond, served, refused, normal }: OverloadResult): string {
  const rate = (count: number) => `${(count / OPTIONS.overloadSeconds).toFixed(0)}/s`
  return `${capacity.toFixed(0)} pages/s with 16 connections (p50 ${normal.p50.toFixed(0)} ms, p99 ${normal.p99.toFixed(0)} ms); then ${sentPerSecond.toFixed(0)}/s for ${OPTIONS.overloadSeconds} s: ${rate(served.count)} served, ${rate(refused.count)} refused.`
}

function overloadRows(result: OverloadResult, lost: string[]): Row[] {
  const { normal, served, refused, health, recoveryMs } = result
  return [
    limitRow('p99 of served pages over the normal one', served.p99 / normal.p99, '', 5, 2),
    limitRow('p99 of refusals', refused.p99, ' ms', null),
    limitRow('refusals without Retry-After', result.refusedWithoutTime, '', 0),
    limitRow('other failures', result.failed, '', 0),
    limitRow(`failed of ${health.count} health checks`, health.failed, '', 0),
    limitRow('p99 of a health check', health.p99, ' ms', null),
    limitRow(`lost of ${result.acknowledged.length} acknowledged writes`, lost.length, '', 0),
    limitRow('recovery', (recoveryMs ?? Number.POSITIVE_INFINITY) / 1000, ' s', 10, 1),
  ]
}
