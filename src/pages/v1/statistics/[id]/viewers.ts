import type { APIRoute } from 'astro'
import { createCsvResponse, formatCsvInstant, writeCsv } from '#lib/core/csv/csv.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { ListViewers } from '#lib/statistics/schema.ts'
import { exportViewers } from '#lib/statistics/viewers.ts'

/** The viewers of a session as a CSV file. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const { actor, t } = locals
  if (!actor) throw new Refusal('unauthorized')
  const query = url.searchParams
  const parsed = ListViewers.safeParse({
    sessionId: params.id,
    search: query.get('q') ?? '',
    ...(query.get('show') && { show: query.get('show') }),
    ...(query.get('button') && { buttonId: query.get('button') }),
  })
  if (!parsed.success) throw new Refusal('not_found')
  const rows = await exportViewers(actor, parsed.data)
  const zone = actor.timeZone
  const heads = ['name', 'email', 'came', 'left', 'minutes', 'attention', 'stays'] as const
  const counts = ['messages', 'questions', 'votes', 'saw', 'clicks', 'device', 'source'] as const
  const table = writeCsv(
    [...heads, ...counts].map((head) => t(`statistics:csv.${head}`)),
    rows.map((row) => [
      row.name,
      row.email,
      formatCsvInstant(row.firstAt, zone),
      formatCsvInstant(row.lastAt, zone),
      Math.round(row.watchedSeconds / 6) / 10,
      row.attention === null ? '' : Math.round(row.attention * 100),
      row.stays
        .map((stay) => stay.map((at) => (at === null ? '' : formatCsvInstant(new Date(at), zone))).join('/'))
        .join(', '),
      row.messages,
      row.questions,
      row.votes,
      row.saw,
      row.clicks,
      row.device ? t(`statistics:device.${row.device}`) : '',
      row.source,
    ]),
  )
  return createCsvResponse(table, 'viewers.csv')
}
