import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { getTenantPlans } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { isPlanWritable } from '#lib/core/shared/plan.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { readRegistrationForm } from '#lib/student/registration-form/registration-form.ts'
import { findTenant, type TenantView } from '#lib/tenant/tenant.ts'
import { membership, user } from '#lib/user/table.ts'
import { digestToken } from '#lib/user/token.ts'
import { groupStatusOf } from '../group/rules.ts'
import { studyGroup } from '../learning/table.ts'
import { course } from '../table.ts'
import { type InvitationLinkState, invitationLinkState } from './rules.ts'
import type { JoinToken, OpenLink } from './schema.ts'
import { invitationLink, invitationLinkUse } from './table.ts'

/** The target of an invitation link, for persons who have the link. */
export interface LinkDetails {
  id: string
  state: InvitationLinkState
  /** The course, the group or the school accepts no new students. */
  isClosed: boolean
  school: TenantView
  courseId: string
  courseTitle: string
  groupName: string | null
  emailDomain: string | null
}

/** The link of a URL, in any state. Refuses with invalid_invitation. */
export async function findInvitationLink({ link, tenant }: OpenLink): Promise<LinkDetails> {
  const school = link && tenant ? await findTenant(tenant) : null
  if (!link || !school) throw new Refusal('invalid_invitation')
  return loadLink(school, eq(invitationLink.tokenHash, digestToken(link)))
}

/** Whether a person has joined through a link. */
export function hasJoined(link: LinkDetails, userId: string): Promise<boolean> {
  return inTenant({ tenantId: link.school.id }, (tx) => findUse(tx, link.id, userId))
}

/** The same in the transaction of the link's tenant. */
export async function findUse(tx: Tx, linkId: string, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ studentId: invitationLinkUse.studentId })
    .from(invitationLinkUse)
    .innerJoin(
      membership,
      and(eq(membership.tenantId, invitationLinkUse.tenantId), eq(membership.id, invitationLinkUse.studentId)),
    )
    .where(and(eq(invitationLinkUse.linkId, linkId), eq(membership.userId, userId)))
  return rows.length > 0
}

const PURPOSE = 'join by link'
const TOKEN_DAYS = 3
const Stored = z.object({ linkId: z.uuid(), email: z.string(), expiresAt: z.number() })

/** A token for an email: it proves that its holder can read the mailbox of the address. */
export function createJoinToken(link: LinkDetails, email: string): string {
  const stored: z.infer<typeof Stored> = { linkId: link.id, email, expiresAt: Date.now() + TOKEN_DAYS * DAY_MS }
  return encrypt(PURPOSE, JSON.stringify(stored))
}

/** The link and the confirmed address of such a token. Refuses with invalid_invitation, gone (invitation_link_expired). */
export async function findLinkOfToken({
  join,
  tenant,
}: JoinToken): Promise<{ link: LinkDetails; email: string; hasAccount: boolean }> {
  const text = join ? decrypt(PURPOSE, join) : null
  const school = tenant ? await findTenant(tenant) : null
  if (text === null || !school) throw new Refusal('invalid_invitation')
  const { linkId, email, expiresAt } = parseStored(Stored, JSON.parse(text))
  const link = await loadLink(school, eq(invitationLink.id, linkId))
  if (expiresAt <= Date.now()) throw new Refusal('gone', { fields: { form: ['invitation_link_expired'] } })
  const [person] = await inTenant({ tenantId: school.id }, (tx) =>
    tx.select({ verifiedAt: user.emailVerifiedAt }).from(user).where(eq(user.email, email)),
  )
  return { link, email, hasAccount: Boolean(person?.verifiedAt) }
}

async function loadLink(school: TenantView, condition: ReturnType<typeof eq>): Promise<LinkDetails> {
  const [[row], { plans }, { isOpen }] = await inTenant({ tenantId: school.id }, (tx) =>
    Promise.all([
      tx
        .select({ link: invitationLink, title: course.title, status: course.status, group: studyGroup })
        .from(invitationLink)
        .innerJoin(course, and(eq(course.tenantId, invitationLink.tenantId), eq(course.id, invitationLink.courseId)))
        .leftJoin(
          studyGroup,
          and(eq(studyGroup.tenantId, invitationLink.tenantId), eq(studyGroup.id, invitationLink.groupId)),
        )
        .where(condition),
      getTenantPlans(tx),
      readRegistrationForm(tx),
    ]),
  )
  if (!row) throw new Refusal('invalid_invitation')
  const now = new Date()
  const groupStatus = row.group ? groupStatusOf(row.group, now) : null
  const isClosed =
    !isOpen ||
    row.status === 'archived' ||
    groupStatus === 'archived' ||
    groupStatus === 'finished' ||
    !isPlanWritable(plans, 'lms', now)
  const { id, courseId, emailDomain } = row.link
  return {
    id,
    state: invitationLinkState(row.link, now),
    isClosed,
    school,
    courseId,
    courseTitle: row.title,
    groupName: row.group?.name ?? null,
    emailDomain,
  }
}
