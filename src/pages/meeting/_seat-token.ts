import type { AstroGlobal } from 'astro'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enterMeeting } from '#lib/meeting/admission/enter.ts'
import { requireSeat } from '#lib/meeting/admission/seat.ts'
import { isId } from '../_request/id-param.ts'

type Page = Pick<AstroGlobal, 'locals' | 'url' | 'cookies'>

/**
 * Seat token of a visitor of the page after an event: from the URL while it is valid, otherwise a new one by personal
 * link or device cookie. Null for an unknown visitor.
 */
export async function findSeatToken({ locals, url, cookies }: Page): Promise<string | null> {
  const params = url.searchParams
  const given = params.get('seatToken')
  if (given && (await isValidSeatToken(given))) return given
  const { actor, host, school } = locals
  const tenantId = school?.id ?? (host.kind === 'go' ? actor?.tenantId : undefined)
  const workshopId = params.get('id')
  if (!tenantId || !workshopId || !isId(workshopId)) return null
  const view = await enterMeeting(tenantId, {
    workshopId,
    key: params.get('key'),
    device: cookies.get('device')?.value ?? null,
    actor,
    locale: locals.locale,
  }).catch(toNull)
  return view?.kind === 'finished' ? view.seatToken : null
}

const isValidSeatToken = (seatToken: string): Promise<boolean> =>
  requireSeat(seatToken)
    .then(() => true, toNull)
    .then(Boolean)

function toNull(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
