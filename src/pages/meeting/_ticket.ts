import type { AstroGlobal } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enterMeeting } from '#lib/meeting/admission/enter.ts'
import { requireSeat } from '#lib/meeting/admission/seat.ts'

type Page = Pick<AstroGlobal, 'locals' | 'url' | 'cookies'>

/**
 * The ticket of whoever opens a page after an event: the one in the address while it holds, otherwise a new one by the
 * personal link's key or the device's cookie. Null when nobody can tell who that is.
 */
export async function ticketOf({ locals, url, cookies }: Page): Promise<string | null> {
  const asked = url.searchParams
  const given = asked.get('ticket') ?? asked.get('seat')
  if (given && (await holds(given))) return given
  const { actor, host, school } = locals
  const tenantId = school?.id ?? (host.kind === 'go' ? actor?.tenantId : undefined)
  const workshopId = asked.get('id')
  if (!tenantId || !workshopId) return null
  const view = await enterMeeting(tenantId, {
    workshopId,
    key: asked.get('key'),
    device: cookies.get('device')?.value ?? null,
    actor,
    locale: locals.locale,
  }).catch(nobody)
  return view?.kind === 'finished' ? view.ticket : null
}

const holds = (ticket: string): Promise<boolean> =>
  requireSeat(ticket)
    .then(() => true, nobody)
    .then(Boolean)

function nobody(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
