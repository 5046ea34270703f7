import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { openZip } from '#lib/storage/zip.ts'
import { zipAnswer } from '../../_zip.ts'

/** A selection of files as one ZIP, for the session that asked for the address. */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const { ticket = '', selection = '' } = params
  return zipAnswer(locals, await openZip(locals.actor, { ticket, selection }))
}
