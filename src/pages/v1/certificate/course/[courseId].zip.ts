import type { APIRoute } from 'astro'
import { openCertificateZip } from '#lib/certificate/issue/zip.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseId } from '../../../_request/id-param.ts'
import { zipAnswer } from '../../_zip.ts'

/** The PDFs of all valid certificates of a course as one ZIP, for its staff. */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  return zipAnswer(locals, await openCertificateZip(locals.actor, { courseId: parseId(params.courseId) }))
}
