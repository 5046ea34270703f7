import type { APIRoute } from 'astro'
import { createCsvResponse, formatCsvRows, writeCsv } from '#lib/core/csv/csv.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getMatrix } from '#lib/course/access/matrix.ts'
import { GetMatrix } from '#lib/course/access/schema.ts'
import { isId, parseId } from '../../../_request/id-param.ts'
import { cellText } from '../../../course/_access/matrix-cells.ts'

const ROWS = 100

/** The access matrix of a course as a CSV file, written page by page for any number of students. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const { actor, t } = locals
  if (!actor) throw new Refusal('unauthorized')
  const [q, groupId, moduleId] = ['q', 'group', 'module'].map((name) => url.searchParams.get(name) ?? '')
  const query = {
    courseId: parseId(params.id),
    limit: ROWS,
    ...(q ? { q: q.slice(0, 100) } : {}),
    ...(groupId && isId(groupId) ? { groupId } : {}),
    ...(moduleId && isId(moduleId) ? { moduleId } : {}),
  }
  // Loading the first page checks the permission before anything is sent.
  let page = await getMatrix(actor, GetMatrix.parse(query))
  const fixed = ['student', 'email', 'entry'] as const
  const heads = [...fixed.map((head) => t(`access:matrix.${head}`)), ...page.lessons.map(({ title }) => title)]
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (out) => out.enqueue(encoder.encode(writeCsv(heads, []))),
    pull: async (out) => {
      const rows = page.rows.map(({ name, email, entry, cells }) => [
        name,
        email,
        t(entry.allow ? 'access:cell.open' : 'access:cell.locked'),
        ...cells.map((cell) => cellText(cell, t)),
      ])
      if (rows.length > 0) out.enqueue(encoder.encode(formatCsvRows(rows)))
      if (!page.next) return out.close()
      page = await getMatrix(actor, GetMatrix.parse({ ...query, cursor: page.next }))
    },
  })
  return createCsvResponse(body, 'access.csv')
}
