import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { openZipDownload } from '#lib/storage/zip.ts'
import { zipAnswer } from '../../_zip.ts'

/** A selection of files as one ZIP, for the login session that requested the URL. */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const { token = '', selection = '' } = params
  return zipAnswer(locals, await openZipDownload(locals.actor, { token, selection }))
}
