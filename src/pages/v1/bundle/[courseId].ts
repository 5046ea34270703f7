import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { openBundle } from '#lib/homework/task/bundle.ts'
import { parseId } from '../../_request/id-param.ts'
import { zipAnswer } from '../_zip.ts'

/** A course with its homework and files as one ZIP, for its authors. */
export const GET: APIRoute = async ({ locals, params }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  return zipAnswer(locals, await openBundle(locals.actor, { courseId: parseId(params.courseId) }))
}
