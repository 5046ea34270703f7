import type { APIRoute } from 'astro'
import { addressOf } from '#lib/core/config/config.ts'
import { viewCookie } from '#lib/core/http/cookies.ts'
import { endViewing } from '#lib/student/viewing/viewing.ts'
import { seeOther } from '../../_request/form-outcome.ts'

/** Ends viewing as a student and redirects to the student's card; a repeated request redirects too. */
export const POST: APIRoute = async ({ locals }) => {
  const { actor } = locals
  const studentId = actor?.impersonation ? actor.membershipId : null
  if (actor) await endViewing(actor)
  const place = actor && studentId ? addressOf(actor.subdomain, `/student/${studentId}`) : '/'
  return seeOther(place, viewCookie(null))
}
