import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countLimitOf, countMatching } from '#lib/student/list/list.ts'
import { filterOf, readListInput } from '../../students/_list-query.ts'
import { studentCountText } from '../../students/_student-count-text.ts'

/** The number of students of the list with the same query, as the text that the list shows. */
export const GET: APIRoute = async ({ locals, url }) => {
  const { actor, t, locale } = locals
  if (!actor) throw new Refusal('unauthorized')
  const filter = filterOf(readListInput(url.searchParams))
  const count = await countMatching(actor, filter)
  return new Response(studentCountText(t, locale, count, countLimitOf(filter)), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' },
  })
}
