import type { APIRoute } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import { endVisit, recordButtonClick, recordButtonSeen, recordWatching } from '#lib/masterclass/watch.ts'
import { getVisitor } from '../../masterclass/_visitor.ts'

/** What the page of a masterclass tells of a visit: `say` is watching, saw, click or leave. */
export const POST: APIRoute = async (context) => {
  const { locals, params, request } = context
  const tenantId = locals.school?.id ?? locals.actor?.tenantId
  if (!tenantId) throw new Refusal('not_found')
  const told: unknown = await request.json().catch(() => null)
  if (typeof told !== 'object' || told === null || !('say' in told)) throw new Refusal('invalid')
  const comer = getVisitor(context, tenantId)
  const input: never = { ...told, workshopId: params.id } as never
  const acts = dictionary({
    watching: () => recordWatching(comer, input),
    saw: () => recordButtonSeen(comer, input),
    click: () => recordButtonClick(comer, input),
    leave: () => endVisit(comer, input),
  })
  const act = typeof told.say === 'string' ? acts[told.say] : undefined
  if (!act) throw new Refusal('invalid')
  await act()
  return new Response(null, { status: 204 })
}
