import type { APIRoute } from 'astro'
import { openChatExport } from '#lib/chat/export/export.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { zipAnswer } from '../_zip.ts'

/** The ZIP with conversations of the school, for its owner, until it expires. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { actor } = locals
  if (!actor) throw new Refusal('unauthorized')
  return zipAnswer(locals, await openChatExport(actor, params.exportId ?? ''))
}
