import type { AstroGlobal } from 'astro'
import { addressOf } from '#lib/core/config/config.ts'
import { reportServerError } from '#lib/core/http/error-report.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { log } from '#lib/core/log.ts'
import {
  acceptInvitation,
  findInvitation,
  type InvitationView,
  type InvitationVisitor,
  openInvitation,
  resendInvitation,
} from '#lib/student/acceptance.ts'
import { InvitationLink } from '#lib/student/schema.ts'
import { attemptForm, type Refused, seeOther } from '../_answer.ts'

export interface StudentInvitationPage {
  kind: 'other' | 'sent' | 'revoked' | 'expired'
  link: InvitationLink
  invited: InvitationView
  refused: Refused | null
  status: number
}

/** Handles an invitation of a student (`student` and `tenant` of the link). A response when the browser goes elsewhere. */
export async function openStudentInvitation(
  page: Pick<AstroGlobal, 'request' | 'locals' | 'url'>,
  form: Record<string, string> | null,
): Promise<StudentInvitationPage | Response> {
  const { actor, requestId } = page.locals
  const resent = await attemptForm(page, InvitationLink, form, async (link) => {
    await resendInvitation(link)
    return link
  })
  const link = InvitationLink.parse(form ?? Object.fromEntries(page.url.searchParams))
  const query = new URLSearchParams({ student: link.student ?? '', tenant: link.tenant ?? '' }).toString()
  // The specification's two messages: a wrong link, and anything that nobody expected.
  const accepted = form
    ? null
    : await openOrAccept(link, { userId: actor?.userId, address: page.locals.address }).catch((error: unknown) => {
        if (error instanceof Refusal) return error
        log.error({ err: error, requestId }, 'invitation not accepted')
        reportServerError(error, requestId)
        return 'unexpected' as const
      })
  if (accepted === 'unexpected') return seeOther('/500?message=unexpected')
  if (accepted instanceof Refusal && accepted.code === 'invalid_invitation') {
    return seeOther('/500?message=invalid_invitation')
  }
  const isOther =
    accepted instanceof Refusal && accepted.details.fields?.form?.includes('invitation_other_account') === true
  if (accepted && !(accepted instanceof Refusal)) {
    if (actor) return seeOther(addressOf('go', '/profile'))
    if (!accepted.hasAccount) return seeOther(`/registration?${query}`)
    return seeOther(addressOf('go', `/login?${new URLSearchParams({ email: accepted.email, invited: '' })}`))
  }
  const invited = await findInvitation(link)
  const ended = invited.state === 'revoked' ? 'revoked' : 'expired'
  const kind = isOther ? 'other' : resent.done ? 'sent' : ended
  const status = resent.refused?.status ?? (isOther ? 409 : resent.done ? 200 : 410)
  return { kind, link, invited, refused: resent.refused, status }
}

/** A new person joins with the choice of a password on the next page, everybody else with the visit. */
async function openOrAccept(link: InvitationLink, visitor: InvitationVisitor): Promise<InvitationView> {
  const { state, hasAccount, ...invited } = await openInvitation(link, visitor)
  const isNewPerson = state === 'open' && !hasAccount && !visitor.userId
  return isNewPerson ? { ...invited, state, hasAccount } : acceptInvitation(link, visitor)
}
