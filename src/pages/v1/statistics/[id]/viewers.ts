import type { APIRoute } from 'astro'
import Papa from 'papaparse'
import { Refusal } from '#lib/core/http/refusal.ts'
import { formatClock, formatDateTime } from '#lib/core/shared/locale.ts'
import { ListViewers } from '#lib/statistics/schema.ts'
import { exportViewers } from '#lib/statistics/statistics.ts'

/** The viewers of a session as a table for spreadsheets. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const { actor, t, locale } = locals
  if (!actor) throw new Refusal('unauthorized')
  const query = url.searchParams
  const asked = ListViewers.safeParse({
    ...{ sessionId: params.id, search: query.get('q') ?? '' },
    ...(query.get('show') && { show: query.get('show') }),
    ...(query.get('button') && { buttonId: query.get('button') }),
  })
  if (!asked.success) throw new Refusal('not_found')
  const rows = await exportViewers(actor, asked.data)
  const zone = actor.timeZone
  const heads = ['name', 'email', 'came', 'left', 'minutes', 'attention', 'stays'] as const
  const counts = ['messages', 'questions', 'votes', 'saw', 'clicks', 'device', 'source'] as const
  const table = Papa.unparse(
    {
      fields: [...heads, ...counts].map((head) => t(`statistics:csv.${head}`)),
      data: rows.map((row) => [
        ...[
          row.name,
          row.email ?? '',
          formatDateTime(row.firstAt, zone, locale),
          formatDateTime(row.lastAt, zone, locale),
        ],
        ...[Math.round(row.watchedSeconds / 6) / 10, row.attention === null ? '' : Math.round(row.attention * 100)],
        row.stays
          .map(([from, to]) =>
            [from, to].map((at) => (at === null ? '' : formatClock(new Date(at), zone, locale))).join('–'),
          )
          .join(', '),
        ...[row.messages, row.questions, row.votes, row.saw, row.clicks],
        ...[row.device ? t(`statistics:device.${row.device}`) : '', row.source ?? ''],
      ]),
    },
    // A cell that begins like a formula must not become one.
    { escapeFormulae: true },
  )
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="viewers.csv"',
    'cache-control': 'private, no-store',
  }
  // The mark at the beginning tells Excel that letters are UTF-8.
  return new Response(`\uFEFF${table}`, { headers })
}
