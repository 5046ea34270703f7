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
import { findRegistrationQuestions } from '#lib/student/registration-form/registration-form.ts'
import { ofForm } from '#lib/student/registration-form/schema.ts'
import { AcceptInvitation, InvitationLink } from '#lib/student/schema.ts'
import { attemptForm, type RefusedForm, seeOther } from '../_request/form-outcome.ts'

type Questions = Awaited<ReturnType<typeof findRegistrationQuestions>>

export interface StudentInvitationPage {
  kind: 'form' | 'other' | 'sent' | 'revoked' | 'expired'
  link: InvitationLink
  invited: InvitationView
  /** The questions that have to be answered before the acceptance. */
  questions: Questions
  refused: RefusedForm | null
  status: number
}

/** Handles an invitation of a student (`student` and `tenant` of the link). Returns a response for a redirect. */
export async function openStudentInvitation(
  page: Pick<AstroGlobal, 'request' | 'locals' | 'url'>,
  form: Record<string, string> | null,
): Promise<StudentInvitationPage | Response> {
  const { actor, requestId } = page.locals
  const isAccepting = form?.intent === 'accept'
  const visitor = { userId: actor?.userId, address: page.locals.address }
  const answered = await attemptForm(page, ofForm(AcceptInvitation), isAccepting ? form : null, (input) =>
    acceptInvitation(input, visitor),
  )
  if (answered.done) return welcomeAccepted(answered.done, actor !== null)
  const resent = await attemptForm(page, InvitationLink, isAccepting ? null : form, async (link) => {
    await resendInvitation(link)
    return link
  })
  const link = InvitationLink.parse(form ?? Object.fromEntries(page.url.searchParams))
  const query = new URLSearchParams({ student: link.student ?? '', tenant: link.tenant ?? '' }).toString()
  const accepted = form
    ? null
    : await openOrAccept(link, visitor).catch((error: unknown) => {
        if (error instanceof Refusal) return error
        log.error({ err: error, requestId }, 'invitation not accepted')
        reportServerError(error, requestId)
        return 'unexpected' as const
      })
  if (accepted === 'unexpected') return seeOther('/500?message=unexpected')
  if (accepted instanceof Refusal && accepted.code === 'invalid_invitation') throw accepted
  const isOther =
    accepted instanceof Refusal && accepted.details.fields?.form?.includes('invitation_other_account') === true
  if (accepted && !(accepted instanceof Refusal)) {
    const { questions } = accepted
    if (questions) return { kind: 'form', link, invited: accepted, questions, refused: null, status: 200 }
    return accepted.hasAccount || actor ? welcomeAccepted(accepted, actor !== null) : seeOther(`/registration?${query}`)
  }
  const invited = await findInvitation(link)
  if (answered.refused && invited.state === 'open') {
    const questions = await findRegistrationQuestions(invited.school.id, invited.userId)
    return { kind: 'form', link, invited, questions, refused: answered.refused, status: answered.refused.status }
  }
  const ended = invited.state === 'revoked' ? 'revoked' : 'expired'
  const kind = isOther ? 'other' : resent.done ? 'sent' : ended
  const status = resent.refused?.status ?? (isOther ? 409 : resent.done ? 200 : 410)
  return { kind, link, invited, questions: null, refused: resent.refused, status }
}

function welcomeAccepted({ email }: InvitationView, isSignedIn: boolean): Response {
  if (isSignedIn) return seeOther(addressOf('go', '/profile'))
  return seeOther(addressOf('go', `/login?${new URLSearchParams({ email, invited: '' })}`))
}

/** Whether the school requires answers. */
const isRequired = (questions: Questions): boolean =>
  questions !== null &&
  (questions.consentText !== '' || questions.consentUrl !== null || questions.fields.some(({ required }) => required))

/**
 * A new person joins by setting a password on the next page; a person with an account by opening the link, or by giving
 * the consent and answers that the school requires.
 */
async function openOrAccept(
  link: InvitationLink,
  visitor: InvitationVisitor,
): Promise<InvitationView & { questions: Questions }> {
  const invited = await openInvitation(link, visitor)
  const isOwn = !visitor.userId || visitor.userId === invited.userId
  if (invited.state === 'open' && isOwn) {
    const isNewPerson = !invited.hasAccount && !visitor.userId
    const questions = isNewPerson ? null : await findRegistrationQuestions(invited.school.id, invited.userId)
    if (isNewPerson || isRequired(questions)) return { ...invited, questions }
  }
  return { ...(await acceptInvitation(link, visitor)), questions: null }
}
