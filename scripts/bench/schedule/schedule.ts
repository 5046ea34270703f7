import http from 'node:http'
import pg from 'pg'
import { callProcedure, createApiClient } from '../api-client.ts'
import { capture } from '../captured.ts'
import { contest, median, type Target } from '../duel.ts'
import { pagesAgainstBare } from '../pages/against-bare.ts'
import { atEnd, temporary } from '../processes.ts'
import { overSocket, type Product, startProduct } from '../product.ts'
import { limitRow, type Row, type Section } from '../report.ts'
import { makeScheduleSchool, type ScheduleSchool } from './schedule-school.ts'

const ITEMS = 5000
const FEED_REQUESTS = 50

/** A month of 5,000 events against a bare server, and a calendar feed that has not changed. */
export async function schedulePages(): Promise<Section> {
  const { product, school } = await startSchool()
  const { subdomain, ownerToken: token, month } = school
  const path = `/schedule?view=month&date=${month}`
  const rows = await pagesAgainstBare(product, [{ label: `schedule, month of ${ITEMS} items`, subdomain, token, path }])
  rows.push(...(await feedRows(product, school)))
  await product.stop()
  return {
    title: 'Schedule',
    note: `A month of ${ITEMS} events, as the owner sees it, compared with a bare node:http server that sends the same bytes, 16 connections. A calendar feed of 2,000 items that is read again with its ETag; milliseconds are the median of ${FEED_REQUESTS} requests.`,
    rows,
  }
}

/** The slots of 20 mentors in 60 days compared with those of one mentor on one day. */
export async function mentoringSlots(): Promise<Section> {
  const { product, school } = await startSchool()
  const targetOf = (programId: string): Target => ({
    pid: product.pid,
    port: product.port,
    path: `/v1/module/mentoring/getBookingOptions?programId=${programId}`,
    headers: product.headersFor('go', school.studentToken),
  })
  const [ofMany, ofOne] = await contest([targetOf(school.manyId), targetOf(school.oneId)], {
    connections: 4,
    rounds: 3,
  })
  await product.stop()
  if (!ofMany || !ofOne) throw new Error('the slots were not measured')
  const row = limitRow('mentoring, slots of 60 days and 20 mentors', ofOne.rate / ofMany.rate, '', 10, 2)
  const rates = { ours: `${ofMany.rate.toFixed(0)}/s`, baseline: `${ofOne.rate.toFixed(0)}/s` }
  return {
    title: 'Mentoring',
    note: 'Requests for the slots of 20 mentors in 60 days, each with two sessions a day, compared with one mentor and one day; the result is the ratio of their costs, 4 connections.',
    rows: [{ ...row, ...rates }],
  }
}

async function startSchool(): Promise<{ product: Product; school: ScheduleSchool }> {
  const { startEmbedded } = await import('#lib/core/db/embedded.ts')
  const embedded = await startEmbedded(temporary('pg'))
  atEnd(embedded.stop)
  const database = overSocket(embedded.socketDir)
  const product = await startProduct(database, { more: { API_RATE: '1000000000' } })
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const school = await makeScheduleSchool(client, ITEMS)
  await client.end()
  return { product, school }
}

async function feedRows(product: Product, { subdomain, ownerToken }: ScheduleSchool): Promise<Row[]> {
  const owner = createApiClient(product, subdomain, ownerToken, new http.Agent())
  const { href } = await callProcedure<{ href: string }>(owner, 'schedule/renewFeed', {})
  const request = { port: product.port, path: new URL(href).pathname, headers: product.headersFor(subdomain) }
  const first = await capture(request)
  const etag = first.headers[first.headers.findIndex((name) => name.toLowerCase() === 'etag') + 1] ?? ''
  const again = { ...request, headers: { ...request.headers, 'if-none-match': etag } }
  const { status } = await capture(again)
  const unchanged: Row = {
    label: 'calendar feed, unchanged',
    ours: String(status),
    baseline: '',
    result: String(status),
    goal: '304',
    reached: status === 304,
  }
  return [unchanged, limitRow('calendar feed, unchanged', await medianMs(() => capture(again)), ' ms', null, 1)]
}

async function medianMs(send: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < FEED_REQUESTS; n += 1) {
    const begun = performance.now()
    await send()
    times.push(performance.now() - begun)
  }
  return median(times)
}
