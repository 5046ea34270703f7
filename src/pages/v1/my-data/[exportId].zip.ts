import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { openDataExport } from '#lib/student/personal-data/export.ts'
import { zipAnswer } from '../_zip.ts'

/** The ZIP with the data of the signed-in person, until it expires. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { actor } = locals
  if (!actor) throw new Refusal('unauthorized')
  return zipAnswer(locals, await openDataExport(actor, params.exportId ?? ''))
}
