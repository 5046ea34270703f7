import type { AstroGlobal } from 'astro'
import { addressOf } from '#lib/core/config/config.ts'
import { nullIfRefused, Refusal } from '#lib/core/http/refusal.ts'
import {
  acceptTeamInvitation,
  findTeamInvitation,
  registerMember,
  renewTeamInvitation,
  type TeamInvitationView,
} from '#lib/team/acceptance.ts'
import { RegisterMember, TeamInvitationLink } from '#lib/team/schema.ts'
import { attemptForm, type RefusedForm, redirectSignedIn, requestOriginOf, seeOther } from '../_request/form-outcome.ts'

export interface TeamInvitationPage {
  kind: 'register' | 'accept' | 'signIn' | 'other' | 'expired' | 'renewed' | 'revoked'
  link: TeamInvitationLink
  invited: TeamInvitationView
  refused: RefusedForm | null
  signInHref: string
}

/**
 * Handles an invitation of a team member (`member` and `tenant` of the link) on the page of invitations; null for an
 * invitation of a student. Returns a response for a redirect. Joining always requires a click.
 */
export async function openTeamInvitation(
  page: Pick<AstroGlobal, 'request' | 'locals' | 'cookies' | 'url'>,
  form: Record<string, string> | null,
): Promise<TeamInvitationPage | Response | null> {
  const query = Object.fromEntries(page.url.searchParams)
  if (!('member' in query) && !(form && 'member' in form)) return null
  const link = TeamInvitationLink.parse(form ?? query)
  const invited = await findTeamInvitation(link).catch(nullIfRefused)
  if (!invited) throw new Refusal('invalid_invitation')
  const { actor } = page.locals
  const intent = form?.intent ?? ''
  const home = addressOf(invited.school.subdomain, '/')
  const forms = { accept: intent === 'accept' ? form : null, renew: intent === 'renew' ? form : null }
  const accepted = await attemptForm(page, TeamInvitationLink, forms.accept, (input) => {
    if (!actor) throw new Refusal('unauthorized')
    return acceptTeamInvitation(actor, input)
  })
  if (accepted.done) return seeOther(home)
  const registered = await attemptForm(page, RegisterMember, intent === 'register' ? form : null, (input) =>
    registerMember(input, requestOriginOf(page)),
  )
  if (registered.done) return redirectSignedIn(registered.done)
  const renewed = await attemptForm(page, TeamInvitationLink, forms.renew, async (input) => {
    await renewTeamInvitation(input)
    return input
  })
  const isOwn = actor?.userId === invited.userId
  if (invited.state === 'accepted' && isOwn) return seeOther(home)
  const own = new URLSearchParams({ member: link.member ?? '', tenant: link.tenant ?? '' })
  const target = addressOf(invited.school.subdomain, `/invite-accept?${own}`)
  const signInHref = addressOf(null, `/login?${new URLSearchParams({ email: invited.email, return: target })}`)
  const refused = accepted.refused ?? registered.refused ?? renewed.refused
  return { kind: kindOf(invited, actor, renewed.done !== null), link, invited, refused, signInHref }
}

function kindOf(
  { state, userId, hasAccount }: TeamInvitationView,
  actor: { userId: string } | null,
  isRenewed: boolean,
): TeamInvitationPage['kind'] {
  if (actor && actor.userId !== userId) return 'other'
  if (isRenewed) return 'renewed'
  if (state === 'expired' || state === 'revoked') return state
  if (actor) return 'accept'
  return hasAccount ? 'signIn' : 'register'
}
