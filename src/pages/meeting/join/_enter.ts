import type { AstroGlobal } from 'astro'
import { SECURE_ATTRIBUTES } from '#lib/core/http/cookies.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { YEAR_SECONDS } from '#lib/core/shared/time.ts'
import { type EnterResult, enterMeeting, GuestName } from '#lib/meeting/admission/enter.ts'
import { attemptForm, type RefusedForm, readPostedForm, seeOther } from '../../_request/form-outcome.ts'

const COOKIE = 'device'

type Page = Pick<AstroGlobal, 'request' | 'locals' | 'url' | 'cookies'>

/** Admits the visitor of a room: returns the page to show, or the address to redirect to. */
export async function enterRoom(
  page: Page,
  schoolId: string,
  workshopId: string,
): Promise<{ answer: Response } | { answer: null; view: EnterResult; refused: RefusedForm | null }> {
  const { locals, url, cookies } = page
  const params = url.searchParams
  const device = cookies.get(COOKIE)?.value ?? null
  const enterRoom = (name: string | null) =>
    enterMeeting(schoolId, {
      workshopId,
      name,
      device,
      actor: locals.actor,
      locale: locals.locale,
      key: params.get('key'),
      pass: params.get('pass'),
      seatToken: params.get('seatToken'),
      sessionId: params.get('session'),
    })
  const { done, refused } = await attemptForm(page, GuestName, await readPostedForm(page), ({ name }) =>
    enterRoom(name),
  )
  // After a successful form the page redirects, so that reloading the room does not send it again.
  if (done) return { answer: seeOther(backTo(url, device ? null : seatTokenOf(done)), deviceCookie(done.device)) }
  if (refused && refused.status !== 400) throw new Refusal('conflict')
  const view = await enterRoom(null)
  const elsewhere = otherPage(view, params)
  if (elsewhere) return { answer: seeOther(elsewhere, deviceCookie(view.device)) }
  cookies.set(COOKIE, view.device, { path: '/', maxAge: YEAR_SECONDS, httpOnly: true, secure: true, sameSite: 'lax' })
  return { answer: null, view, refused }
}

// Without cookies a browser would be asked for the name repeatedly, so the seat token is put into the URL.
function backTo({ pathname, searchParams }: URL, seatToken: string | null): string {
  const query = new URLSearchParams(searchParams)
  if (seatToken) query.set('seatToken', seatToken)
  return query.size > 0 ? `${pathname}?${query}` : pathname
}

function seatTokenOf(view: EnterResult): string | null {
  if (view.kind === 'room' || view.kind === 'waiting') return view.room.seatToken
  return view.kind === 'limit' ? view.seatToken : null
}

function otherPage(view: EnterResult, params: URLSearchParams): string | null {
  const { id } = view.workshop
  switch (view.kind) {
    case 'register':
      return `/workshops/register/${id}`
    case 'limit':
      return `/meeting/limit?${new URLSearchParams({ seatToken: view.seatToken, ...entryKey(params) })}`
    case 'finished':
      return `/meeting/finished?${new URLSearchParams({ id, ...(view.seatToken ? { seatToken: view.seatToken } : {}) })}`
    default:
      return null
  }
}

const entryKey = (params: URLSearchParams): Record<string, string> => {
  const key = params.get('key')
  return key ? { key } : {}
}

const deviceCookie = (device: string): string =>
  `${COOKIE}=${device}; Path=/; Max-Age=${YEAR_SECONDS}; ${SECURE_ATTRIBUTES}; SameSite=Lax`
