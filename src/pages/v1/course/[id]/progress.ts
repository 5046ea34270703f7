import type { APIRoute } from 'astro'
import Papa from 'papaparse'
import { Refusal } from '#lib/core/http/refusal.ts'
import { formatDateTime } from '#lib/core/shared/locale.ts'
import { listFigures } from '#lib/course/course.ts'

/** Every student's progress in a course as a table for spreadsheets. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { actor, t, locale } = locals
  if (!actor) throw new Refusal('unauthorized')
  const rows = await listFigures(actor, { courseId: params.id ?? '' })
  const heads = ['name', 'email', 'completed', 'total', 'accepted', 'last'] as const
  const table = Papa.unparse(
    {
      fields: heads.map((head) => t(`numbers:csv.${head}`)),
      data: rows.map((row) => [
        ...[row.name, row.email, row.completed, row.total, row.accepted],
        row.lastOpenedAt ? formatDateTime(row.lastOpenedAt, actor.timeZone, locale) : '',
      ]),
    },
    // A cell that begins like a formula must not become one.
    { escapeFormulae: true },
  )
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="progress.csv"`,
    'cache-control': 'private, no-store',
  }
  // The mark at the beginning tells Excel that letters are UTF-8.
  return new Response(`\uFEFF${table}`, { headers })
}
