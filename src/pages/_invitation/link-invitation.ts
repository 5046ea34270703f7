import type { AstroGlobal } from 'astro'
import { addressOf } from '#lib/core/config/config.ts'
import { nullIfRefused, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { findInvitationLink, hasJoined, type LinkDetails } from '#lib/course/invitation-link/find-link.ts'
import { joinByLink, requestJoin } from '#lib/course/invitation-link/join.ts'
import { JoinByLink, OpenLink, RequestJoin } from '#lib/course/invitation-link/schema.ts'
import { findRegistrationQuestions } from '#lib/student/registration-form/registration-form.ts'
import { ofForm } from '#lib/student/registration-form/schema.ts'
import { attemptForm, type RefusedForm, requestOriginOf, seeOther } from '../_request/form-outcome.ts'

export interface LinkInvitationPage {
  kind: 'join' | 'email' | 'sent' | 'ended'
  open: OpenLink
  link: LinkDetails
  /** Address of the signed-in person, or the typed one. */
  email: string
  /** The registration questions for a signed-in person; null without any. */
  questions: Awaited<ReturnType<typeof findRegistrationQuestions>>
  refused: RefusedForm | null
  status: number
}

/**
 * Handles an invitation link of a course or a group (`link` and `tenant` of the address) on the page of invitations;
 * null for other invitations. Returns a response for a redirect. Joining always requires a click.
 */
export async function openLinkInvitation(
  page: Pick<AstroGlobal, 'request' | 'locals' | 'cookies' | 'url'>,
  form: Record<string, string> | null,
): Promise<LinkInvitationPage | Response | null> {
  const query = Object.fromEntries(page.url.searchParams)
  if (!('link' in query) && !(form && 'link' in form)) return null
  const open = OpenLink.parse(form ?? query)
  const link = await findInvitationLink(open).catch(nullIfRefused)
  if (!link) throw new Refusal('invalid_invitation')
  const { actor } = page.locals
  const home = addressOf('go', '/courses')
  const joinAs = (person: Actor, input: JoinByLink) => joinByLink(person, input)
  if (actor && (await hasJoined(link, actor.userId))) {
    // Signs in to this school; a blocked student gets a message.
    const again = await attemptForm(page, JoinByLink, query, () => joinAs(actor, { ...open, answers: {} }))
    if (again.done) return seeOther(home)
    return { kind: 'ended', open, link, email: actor.email, questions: null, refused: again.refused, status: 403 }
  }
  const joined = await attemptForm(page, ofForm(JoinByLink), form?.intent === 'join' ? form : null, (input) => {
    if (!actor) throw new Refusal('unauthorized')
    return joinAs(actor, input)
  })
  if (joined.done) return seeOther(home)
  const requested = await attemptForm(page, RequestJoin, form?.intent === 'request' ? form : null, async (input) => {
    await requestJoin(input, requestOriginOf(page))
    return input
  })
  const refused = joined.refused ?? requested.refused
  const questions = actor ? await findRegistrationQuestions(link.school.id, actor.userId) : null
  const email = requested.done?.email ?? actor?.email ?? form?.email ?? ''
  const shared = { open, link, email, questions, refused }
  if (requested.done) return { ...shared, kind: 'sent', status: 200 }
  if (link.state !== 'open' || link.isClosed || refused?.status === 410)
    return { ...shared, kind: 'ended', status: 410 }
  return { ...shared, kind: actor ? 'join' : 'email', status: refused?.status ?? 200 }
}
