import { and, count, desc, eq, isNull } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { canInviteStudents } from '#lib/student/rules.ts'
import { membership, user } from '#lib/user/table.ts'
import { createToken, digestToken } from '#lib/user/token.ts'
import { studyGroup } from '../learning/table.ts'
import { lockCourse } from '../outline/lesson-counts.ts'
import { isAssigned, requireAllowed, requireLearningPlan } from '../permission.ts'
import { course } from '../table.ts'
import type { InvitationLinkView } from './output-schema.ts'
import { invitationLinkState } from './rules.ts'
import type { CreateInvitationLink, InvitationLinkId, ListInvitationLinks } from './schema.ts'
import { invitationLink } from './table.ts'

const PURPOSE = 'invitation link'
/** Links of a course that are not revoked. */
const MAX_LINKS = 100
const MAX_LISTED = 200

/**
 * Creates a link through which people join a course or a group of it. A second call with the same id returns the same
 * link. Refuses with forbidden, plan_inactive, not_found, invalid (expiresAt), unprocessable (course_archived,
 * too_many_links).
 */
export async function createInvitationLink(
  actor: Actor,
  input: CreateInvitationLink,
): Promise<{ linkId: string; url: string }> {
  const { linkId, courseId, groupId = null, expiresAt, ...limits } = input
  return inTenant(actor, async (tx) => {
    await requireInviter(tx, actor, courseId)
    requireLearningPlan(actor)
    const target = await requireTarget(tx, courseId, groupId)
    if (target.isArchived) throw formRefusal('course_archived')
    const endsAt = expiresAt ? new Date(expiresAt) : null
    if (endsAt && endsAt <= new Date()) throw new Refusal('invalid', { fields: { expiresAt: ['date_in_past'] } })
    // One creation for a course at a time, so that several cannot exceed the limit together.
    await lockCourse(tx, courseId)
    const isCurrent = and(eq(invitationLink.courseId, courseId), isNull(invitationLink.revokedAt))
    const [existing] = await tx.select({ links: count() }).from(invitationLink).where(isCurrent)
    if ((existing?.links ?? 0) >= MAX_LINKS) throw formRefusal('too_many_links')
    const token = createToken()
    const [created] = await tx
      .insert(invitationLink)
      .values({
        ...limits,
        tenantId: actor.tenantId,
        id: linkId,
        courseId,
        groupId,
        createdBy: actor.membershipId,
        tokenHash: digestToken(token),
        encryptedToken: encrypt(PURPOSE, token),
        expiresAt: endsAt,
      })
      .onConflictDoNothing({ target: [invitationLink.tenantId, invitationLink.id] })
      .returning({ id: invitationLink.id })
    if (created) {
      const { maxUses = null, emailDomain = null, label } = limits
      await recordAuditEntry(tx, actor, {
        action: 'invitation_link.created',
        objectId: linkId,
        objectName: target.name,
        after: { label, maxUses, emailDomain, expiresAt: endsAt?.toISOString() ?? null },
      })
    }
    const [row] = await tx.select().from(invitationLink).where(eq(invitationLink.id, linkId))
    if (!row || row.courseId !== courseId) throw new Refusal('not_found')
    return { linkId, url: urlOf(actor.subdomain, row.encryptedToken) }
  })
}

/** Links of a course or of one of its groups, newest first. Refuses with forbidden, not_found. */
export async function listInvitationLinks(actor: Actor, input: ListInvitationLinks): Promise<InvitationLinkView[]> {
  const { courseId, groupId } = input
  return inTenant(actor, async (tx) => {
    await requireInviter(tx, actor, courseId)
    await requireTarget(tx, courseId, groupId ?? null)
    const rows = await tx
      .select({
        link: invitationLink,
        groupName: studyGroup.name,
        createdByName: personName(user),
      })
      .from(invitationLink)
      .innerJoin(
        membership,
        and(eq(membership.tenantId, invitationLink.tenantId), eq(membership.id, invitationLink.createdBy)),
      )
      .innerJoin(user, eq(user.id, membership.userId))
      .leftJoin(
        studyGroup,
        and(eq(studyGroup.tenantId, invitationLink.tenantId), eq(studyGroup.id, invitationLink.groupId)),
      )
      .where(and(eq(invitationLink.courseId, courseId), groupId ? eq(invitationLink.groupId, groupId) : undefined))
      .orderBy(desc(invitationLink.createdAt), desc(invitationLink.id))
      .limit(MAX_LISTED)
    const now = new Date()
    return rows.map(({ link, groupName, createdByName }) => {
      const { id, label, useCount, maxUses, emailDomain } = link
      const state = invitationLinkState(link, now)
      return {
        id,
        groupId: link.groupId,
        groupName,
        label,
        state,
        url: state === 'open' ? urlOf(actor.subdomain, link.encryptedToken) : null,
        useCount,
        maxUses,
        emailDomain,
        createdByName,
        createdAt: link.createdAt.toISOString(),
        expiresAt: link.expiresAt?.toISOString() ?? null,
        revokedAt: link.revokedAt?.toISOString() ?? null,
      }
    })
  })
}

/**
 * Revokes a link; those who joined through it stay. A second call does nothing. Refuses with forbidden, plan_inactive,
 * not_found.
 */
export async function revokeInvitationLink(actor: Actor, input: InvitationLinkId): Promise<void> {
  const { linkId } = input
  await inTenant(actor, async (tx) => {
    const [link] = await tx.select().from(invitationLink).where(eq(invitationLink.id, linkId)).for('update')
    // Checked first, so that actors without the permission to invite cannot find out which links exist.
    if (link) await requireInviter(tx, actor, link.courseId)
    else requireAllowed(canInviteStudents(actor, false))
    requireLearningPlan(actor)
    if (!link) throw new Refusal('not_found')
    if (link.revokedAt) return
    const { name } = await requireTarget(tx, link.courseId, link.groupId)
    await tx.update(invitationLink).set({ revokedAt: new Date() }).where(eq(invitationLink.id, linkId))
    await recordAuditEntry(tx, actor, {
      action: 'invitation_link.revoked',
      objectId: linkId,
      objectName: name,
      after: { label: link.label, useCount: link.useCount },
    })
  })
}

/** Refuses with forbidden unless the actor may invite students to the course. */
async function requireInviter(tx: Tx, actor: Actor, courseId: string): Promise<void> {
  requireAllowed(canInviteStudents(actor, await isAssigned(tx, actor, courseId)))
}

/** The course or the group of it that a link is for. Refuses with not_found. */
async function requireTarget(
  tx: Tx,
  courseId: string,
  groupId: string | null,
): Promise<{ name: string; isArchived: boolean }> {
  const [courseRow] = await tx
    .select({ title: course.title, status: course.status })
    .from(course)
    .where(eq(course.id, courseId))
  if (!courseRow) throw new Refusal('not_found')
  const isArchived = courseRow.status === 'archived'
  if (!groupId) return { name: courseRow.title, isArchived }
  const [group] = await tx
    .select({ name: studyGroup.name })
    .from(studyGroup)
    .where(and(eq(studyGroup.id, groupId), eq(studyGroup.courseId, courseId)))
  if (!group) throw new Refusal('not_found')
  return { name: `${courseRow.title}: ${group.name}`, isArchived }
}

function urlOf(subdomain: string, encryptedToken: string): string {
  const token = decrypt(PURPOSE, encryptedToken)
  if (token === null) throw new Error('the token of an invitation link cannot be decrypted')
  return openLinkAddress(subdomain, token)
}

/** The address of an invitation link on the student host. */
export function openLinkAddress(subdomain: string, token: string): string {
  return addressOf('go', `/invite-accept?${new URLSearchParams({ link: token, tenant: subdomain })}`)
}
