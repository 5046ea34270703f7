import { eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { getTenantPlans } from '#lib/billing/billing.ts'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { countUnconfirmedEmail } from '#lib/billing/unconfirmed-emails/unconfirmed-emails.ts'
import { inSystem, inTenant } from '#lib/core/db/db.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { nullIfRefused, Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { admitStudent } from '#lib/student/admission.ts'
import { recordRegistration } from '#lib/student/registration-form/registration-form.ts'
import type { RegistrationInput } from '#lib/student/registration-form/schema.ts'
import { findOrCreateUser } from '#lib/user/member.ts'
import { setFirstPassword } from '#lib/user/password-reset.ts'
import {
  beginSession,
  completeSignIn,
  type RequestOrigin,
  requireUnboundSession,
  type SignInResult,
} from '#lib/user/session.ts'
import { user } from '#lib/user/table.ts'
import { digestToken } from '#lib/user/token.ts'
import { addGrant } from '../access/grants.ts'
import { composeJoinEmail } from './emails.ts'
import { createJoinToken, findInvitationLink, findLinkOfToken, findUse, type LinkDetails } from './find-link.ts'
import { invitationLinkState, isOfDomain } from './rules.ts'
import type { JoinByLink, RegisterByLink, RequestJoin } from './schema.ts'
import { invitationLink, invitationLinkUse } from './table.ts'

/**
 * Emails a person without a login session how to join: with a link that confirms the mailbox and opens the
 * registration, or the sign-in page where there is an account. The response is the same for both. Refuses with
 * invalid_invitation, gone (invitation_link_…), forbidden (invitation_link_other_domain), invalid (email_not_latin),
 * too_many.
 */
export async function requestJoin(input: RequestJoin, caller: { address: string; locale: Locale }): Promise<void> {
  const { email, ...open } = input
  const { address, locale } = caller
  // A school class may join from one network.
  await countAttempt(`requestJoin:${linkSubject(networkOf(address))}`, { limit: 300, windowSeconds: HOUR_SECONDS })
  const link = await findInvitationLink(open)
  await auditedAs(link, email, address, async () => requireOpenTo(link, email))
  await countAttempt(`requestJoin:${linkSubject(email)}`, { limit: 5, windowSeconds: HOUR_SECONDS })
  await requireDeliverable(email)
  await countUnconfirmedEmail(link.school.id, { kind: 'own', to: email, address })
  await inTenant({ tenantId: link.school.id }, async (tx) => {
    const [person] = await tx
      .select({ verifiedAt: user.emailVerifiedAt, locale: user.locale })
      .from(user)
      .where(eq(user.email, email))
    const plans = await getTenantPlans(tx)
    await spendDailyEmails(
      tx,
      { ...plans, tenantId: link.school.id, timeZone: link.school.timeZone, locale },
      'registrations',
      1,
    )
    const hasAccount = Boolean(person?.verifiedAt)
    const composed = composeJoinEmail(link.school, {
      locale: hasAccount ? (person?.locale ?? locale) : locale,
      email,
      course: link.courseTitle,
      link: open.link ?? '',
      join: hasAccount ? null : createJoinToken(link, email),
    })
    await sendEmail({ tenantId: link.school.id, to: email, locale, ...composed })
  })
}

/**
 * Joins through a link as the signed-in person; repeated calls succeed too. Refuses with invalid_invitation, gone
 * (invitation_link_…), forbidden (invitation_link_other_domain, student_blocked, bound_session).
 */
export async function joinByLink(
  person: { userId: string; address?: string | undefined; tenantId?: string; isBoundToSchool?: boolean | undefined },
  input: JoinByLink,
): Promise<{ studentId: string }> {
  const { answers, consentVersion, ...open } = input
  const link = await findInvitationLink(open)
  if (link.school.id !== person.tenantId) requireUnboundSession(person)
  const [row] = await inSystem((tx) => tx.select({ email: user.email }).from(user).where(eq(user.id, person.userId)))
  if (!row) throw new Refusal('unauthorized')
  return auditedAs(link, row.email, person.address, async () => {
    const { studentId } = await join(link, { ...person, email: row.email }, { answers, consentVersion })
    return { studentId }
  })
}

/**
 * Registers a new student by the link of the email, which confirms the mailbox: sets name and password, joins and signs
 * in, in one transaction. Refuses as joinByLink, and with conflict when there is an account already.
 */
export async function registerByLink(input: RegisterByLink, caller: RequestOrigin): Promise<SignInResult> {
  const { firstName, lastName, patronymic, password, answers, consentVersion, ...token } = input
  await countAttempt(`registerByLink:${linkSubject(networkOf(caller.address))}`, {
    limit: 300,
    windowSeconds: HOUR_SECONDS,
  })
  const { link, email } = await findLinkOfToken(token)
  const sessionToken = await auditedAs(link, email, caller.address, () =>
    inTenant({ tenantId: link.school.id }, async (tx) => {
      const { userId, known } = await findOrCreateUser({ email, firstName, lastName, locale: caller.locale })
      if (known) throw new Refusal('conflict')
      const person = { userId, email, address: caller.address }
      const { phone } = await join(link, person, { answers, consentVersion })
      await setFirstPassword(userId, { firstName, lastName, patronymic, password, phone })
      return beginSession(tx, userId, caller)
    }),
  )
  return completeSignIn(sessionToken, { ...caller, host: 'go' })
}

interface JoiningPerson {
  userId: string
  email: string
  address?: string | undefined
}

/**
 * Uses a link for a person, in one transaction. The row of the link is locked, so that its last use is counted once.
 */
function join(
  link: LinkDetails,
  { userId, email, address }: JoiningPerson,
  registration: RegistrationInput,
): Promise<{ studentId: string; phone: string | null }> {
  const tenantId = link.school.id
  return inTenant({ tenantId }, async (tx) => {
    const [row] = await tx.select().from(invitationLink).where(eq(invitationLink.id, link.id)).for('update')
    if (!row) throw new Refusal('invalid_invitation')
    if (await findUse(tx, link.id, userId)) return { ...(await admitStudent(tx, tenantId, userId)), phone: null }
    requireOpenTo({ ...link, state: invitationLinkState(row, new Date()) }, email)
    const { studentId } = await admitStudent(tx, tenantId, userId)
    const { phone } = await recordRegistration(tx, { tenantId, studentId, userId }, registration)
    const source = row.groupId
      ? ({ type: 'group', id: row.groupId } as const)
      : ({ type: 'invite', id: row.id } as const)
    const visitor = { tenantId, membershipId: null, address }
    await addGrant(tx, visitor, { courseId: row.courseId, studentId, source })
    await tx.insert(invitationLinkUse).values({ tenantId, linkId: row.id, studentId })
    await tx
      .update(invitationLink)
      .set({ useCount: sql`${invitationLink.useCount} + 1` })
      .where(eq(invitationLink.id, row.id))
    await recordAuditEntry(tx, visitor, {
      action: 'invitation_link.used',
      objectId: studentId,
      objectName: email,
      after: { label: row.label },
    })
    return { studentId, phone }
  })
}

function requireOpenTo(link: Pick<LinkDetails, 'state' | 'isClosed' | 'emailDomain'>, email: string): void {
  if (link.state !== 'open') throw goneLink(`invitation_link_${link.state}`)
  if (link.isClosed) throw goneLink('invitation_link_closed')
  if (isOfDomain(email, link.emailDomain)) return
  const variables = { domain: link.emailDomain ?? '' }
  throw new Refusal('forbidden', { fields: { email: ['invitation_link_other_domain'] }, variables })
}

const goneLink = (reason: string) => new Refusal('gone', { fields: { form: [reason] } })

/** Messages for persons who join, instead of refusals that are worded for staff. */
const PUBLIC_REASONS: Record<string, string> = {
  group_full: 'invitation_link_full',
  limit_student_count: 'invitation_link_full',
  group_finished: 'invitation_link_closed',
  group_archived: 'invitation_link_closed',
  course_archived: 'invitation_link_closed',
}

/**
 * Records why a link was refused, at most a few times an hour, and replaces the refusal by its message for persons who
 * join.
 */
async function auditedAs<T>(
  link: LinkDetails,
  email: string,
  address: string | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'invalid' || error.code === 'conflict') throw error
    const reason = Object.values(error.details.fields ?? {}).flat()[0] ?? error.code
    const rule = { limit: 5, windowSeconds: HOUR_SECONDS }
    const isCounted = await countAttempt(`invitationLinkFailed:${link.id}`, rule).then(() => true, nullIfRefused)
    if (isCounted) {
      const visitor = { tenantId: link.school.id, membershipId: null, address }
      const entry = {
        action: 'invitation_link.failed',
        objectId: link.id,
        objectName: email,
        after: { reason },
      } as const
      await inTenant({ tenantId: link.school.id }, (tx) => recordAuditEntry(tx, visitor, entry))
    }
    const publicReason = PUBLIC_REASONS[reason]
    throw publicReason ? goneLink(publicReason) : error
  }
}

const linkSubject = (text: string): string => digestToken(text).toString('base64url')
