import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { printTest } from '#lib/quiz/print/print-test.ts'
import { PrintTest } from '#lib/quiz/print/schema.ts'

/** A test as PDF for paper: `?variant=2` (1 by default), with the right answers for `?answers=yes`. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const { actor } = locals
  if (!actor) throw new Refusal('unauthorized')
  const query = url.searchParams
  const answers = query.get('answers') === 'yes'
  const input = PrintTest.safeParse({ quizId: params.quizId, answers, variant: query.get('variant') ?? 1 })
  if (!input.success) throw new Refusal('not_found')
  const { bytes } = await printTest(actor, input.data)
  return new Response(Uint8Array.from(bytes), {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="test-${input.data.variant}${answers ? '-answers' : ''}.pdf"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
