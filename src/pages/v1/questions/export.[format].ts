import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { exportQuestions } from '#lib/quiz/transfer/export.ts'
import { EXPORT_FORMATS, ExportQuestions } from '#lib/quiz/transfer/schema.ts'

/**
 * Questions as a file: of a bank (`?bank=`, empty for the general one), of a test (`?test=`), or by their ids
 * (`?question=`, repeated).
 */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const { actor } = locals
  if (!actor) throw new Refusal('unauthorized')
  const format = EXPORT_FORMATS.find((name) => name === params.format)
  if (!format) throw new Refusal('not_found')
  const query = url.searchParams
  const selection = query.has('question')
    ? { questionIds: query.getAll('question') }
    : query.has('test')
      ? { quizId: query.get('test') }
      : { bankId: query.get('bank') || null }
  const input = ExportQuestions.safeParse({ format, ...selection })
  if (!input.success) throw new Refusal('not_found')
  const { body, type, extension } = await exportQuestions(actor, input.data)
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="questions.${extension}"`,
      'cache-control': 'private, no-store',
    },
  })
}
