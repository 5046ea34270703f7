import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import { EndVisit, RecordButton, RecordWatching } from '#lib/masterclass/schema.ts'
import {
  endVisit,
  recordMasterclassButtonClick,
  recordMasterclassButtonSeen,
  recordWatching,
} from '#lib/masterclass/watch.ts'
import { getVisitor } from '../../masterclass/_visitor.ts'

/** Receives reports of the page of a masterclass about a visit: `event` is watching, saw, click or leave. */
export const POST: APIRoute = async (context) => {
  const { locals, params, request } = context
  const tenantId = locals.school?.id ?? locals.actor?.tenantId
  if (!tenantId) throw new Refusal('not_found')
  const body: unknown = await request.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('event' in body)) throw new Refusal('invalid')
  const visitor = getVisitor(context, tenantId)
  const input = { ...body, workshopId: params.id }
  const actions = dictionary({
    watching: () => recordWatching(visitor, RecordWatching.parse(input)),
    saw: () => recordMasterclassButtonSeen(visitor, RecordButton.parse(input)),
    click: () => recordMasterclassButtonClick(visitor, RecordButton.parse(input)),
    leave: () => endVisit(visitor, EndVisit.parse(input)),
  })
  const action = typeof body.event === 'string' ? actions[body.event] : undefined
  if (!action) throw new Refusal('invalid')
  await action()
  return new Response(null, { status: 204 })
}
