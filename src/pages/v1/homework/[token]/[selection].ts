import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { openDownload } from '#lib/homework/review/download.ts'
import { zipAnswer } from '../../_zip.ts'

/** Submissions as one ZIP, for the login session that requested the URL. */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const { token = '', selection = '' } = params
  return zipAnswer(locals, await openDownload(locals.actor, { token, selection }))
}
