import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countLimitOf, countMatching } from '#lib/student/list/list.ts'
import { formatStudentCount } from '../../students/_format-student-count.ts'
import { readListInput, toStudentFilter } from '../../students/_list-query.ts'

/** The number of students of the list with the same query, as the text that the list shows. */
export const GET: APIRoute = async ({ locals, url }) => {
  const { actor, t, locale } = locals
  if (!actor) throw new Refusal('unauthorized')
  const filter = toStudentFilter(readListInput(url.searchParams))
  const count = await countMatching(actor, filter)
  return new Response(formatStudentCount(t, locale, count, countLimitOf(filter)), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' },
  })
}
