import type { AstroGlobal } from 'astro'
import { addressOf } from '#lib/core/config/config.ts'
import { nullIfRefused, Refusal } from '#lib/core/http/refusal.ts'
import { findLinkOfToken } from '#lib/course/invitation-link/find-link.ts'
import { registerByLink } from '#lib/course/invitation-link/join.ts'
import { JoinToken, RegisterByLink } from '#lib/course/invitation-link/schema.ts'
import { findInvitation, registerStudent } from '#lib/student/acceptance.ts'
import { findRegistrationQuestions } from '#lib/student/registration-form/registration-form.ts'
import { ofForm } from '#lib/student/registration-form/schema.ts'
import { InvitationLink, RegisterStudent } from '#lib/student/schema.ts'
import type { TenantView } from '#lib/tenant/tenant.ts'
import { attemptForm, type RefusedForm, redirectSignedIn, requestOriginOf, seeOther } from '../_request/form-outcome.ts'

export interface RegistrationPage {
  school: TenantView
  /** The student of a personal invitation; null for a person who joins through a link. */
  studentId: string | null
  /** The target of the link, as text. */
  course: string | null
  email: string
  firstName: string
  lastName: string
  /** Parameters of the link that the form posts again. */
  hidden: [name: string, value: string][]
  questions: Awaited<ReturnType<typeof findRegistrationQuestions>>
  refused: RefusedForm | null
}

type Page = Pick<AstroGlobal, 'request' | 'locals' | 'cookies' | 'url'>
type Form = Record<string, string> | null

/**
 * The registration of a student by a personal invitation (`student` and `tenant`), or by the email of an invitation
 * link (`join` and `tenant`); null without either. Returns a response for a redirect.
 */
export function openRegistration(page: Page, form: Form): Promise<RegistrationPage | Response | null> {
  const isByLink = page.url.searchParams.has('join') || (form !== null && 'join' in form)
  return isByLink ? openByLink(page, form) : openByInvitation(page, form)
}

async function openByInvitation(page: Page, form: Form): Promise<RegistrationPage | Response | null> {
  const { done, refused } = await attemptForm(page, ofForm(RegisterStudent), form, (input) =>
    registerStudent(input, requestOriginOf(page)),
  )
  if (done) return redirectSignedIn(done)
  const link = InvitationLink.parse(form ?? Object.fromEntries(page.url.searchParams))
  const { student = '', tenant = '' } = link
  const invited = await findInvitation(link).catch(nullIfRefused)
  if (!invited && student) throw new Refusal('invalid_invitation')
  if (!invited) return null
  if (invited.state === 'expired' || invited.state === 'revoked') {
    return seeOther(`/invite-accept?${new URLSearchParams({ student, tenant })}`)
  }
  if (invited.hasAccount) return redirectToSignIn(invited.email)
  const { school, studentId, email, firstName, lastName, userId } = invited
  const questions = await findRegistrationQuestions(school.id, userId)
  const hidden: RegistrationPage['hidden'] = [
    ['student', student],
    ['tenant', tenant],
  ]
  return { school, studentId, course: null, email, firstName, lastName, hidden, questions, refused }
}

async function openByLink(page: Page, form: Form): Promise<RegistrationPage | Response> {
  const { done, refused } = await attemptForm(page, ofForm(RegisterByLink), form, (input) =>
    registerByLink(input, requestOriginOf(page)),
  )
  if (done) return seeOther(addressOf('go', '/courses'), ...redirectSignedIn(done).headers.getSetCookie())
  const token = JoinToken.parse(form ?? Object.fromEntries(page.url.searchParams))
  const found = await findLinkOfToken(token).catch(nullIfRefused)
  if (!found) throw new Refusal('invalid_invitation')
  const { link, email, hasAccount } = found
  if (hasAccount) return redirectToSignIn(email)
  const questions = await findRegistrationQuestions(link.school.id, null)
  const hidden: RegistrationPage['hidden'] = [
    ['join', token.join ?? ''],
    ['tenant', token.tenant ?? ''],
  ]
  const shared = { school: link.school, studentId: null, email, firstName: '', lastName: '' }
  return { ...shared, course: link.courseTitle, hidden, questions, refused }
}

const redirectToSignIn = (email: string): Response =>
  seeOther(addressOf('go', `/login?${new URLSearchParams({ email })}`))
