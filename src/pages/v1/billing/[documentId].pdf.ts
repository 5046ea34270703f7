import type { APIRoute } from 'astro'
import { printDocument } from '#lib/billing/documents.ts'
import { DocumentId } from '#lib/billing/schema.ts'
import { Refusal } from '#lib/core/http/refusal.ts'

/** An invoice or act of the school, for its owner. */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const input = DocumentId.safeParse(params)
  if (!input.success) throw new Refusal('not_found')
  const { name, bytes } = await printDocument(locals.actor, input.data, locals.locale)
  return new Response(Uint8Array.from(bytes), {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${name}.pdf"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
