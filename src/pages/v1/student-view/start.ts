import type { APIRoute } from 'astro'
import { addressOf } from '#lib/core/config/config.ts'
import { viewCookie } from '#lib/core/http/cookies.ts'
import { readForm } from '#lib/core/http/form.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { StudentId } from '#lib/student/card/schema.ts'
import { startViewing } from '#lib/student/viewing/viewing.ts'
import { seeOther } from '../../_request/form-outcome.ts'

/** Starts viewing as a student and redirects to the student's start page. */
export const POST: APIRoute = async ({ request, locals }) => {
  if (!locals.actor) throw new Refusal('unauthorized')
  const input = StudentId.parse(Object.fromEntries(await readForm(request)))
  const { cookie } = await startViewing(locals.actor, input)
  return seeOther(addressOf('go', '/profile'), viewCookie(cookie))
}
