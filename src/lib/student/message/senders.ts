import { sql } from 'drizzle-orm'
import { Refusal } from '#lib/core/http/refusal.ts'
import { composeTextEmail } from '#lib/outbox/compose.ts'
import type { ExclusionReason, MessageBatch, MessageSender, MessageSenders } from '#lib/outbox/send.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { setMemberStatus } from '#lib/user/member.ts'
import { composeInvitationEmail } from '../emails.ts'
import { auditInvitation, createInvitation, noteInvitationEmail } from '../invitation.ts'
import { statusOnInvitation } from '../rules.ts'

/** An email written by staff, to students who can access the school. */
const textSender: MessageSender = {
  budget: 'students',
  exclude: async (batch) => excluded(await loadStudents(batch), ({ isBlocked }) => (isBlocked ? 'blocked' : null)),
  compose: async ({ actor, message }, { locale }) => ({
    subject: message.subject,
    body: composeTextEmail(actor.tenantName, locale, message),
  }),
}

/** A new invitation link, to students who have not accepted an invitation. */
const invitationSender: MessageSender = {
  budget: 'invitations',
  exclude: async (batch) =>
    excluded(await loadStudents(batch), ({ isBlocked, status }) =>
      isBlocked ? 'blocked' : status === 'accepted' || status === 'active' ? 'already_accepted' : null,
    ),
  compose: async ({ tx, actor, message }, { id, email, locale }) => {
    const school = await getTenant(actor.tenantId)
    const text = message.text || undefined
    try {
      const parts = { studentId: id, invitedBy: actor.membershipId, email, message: text }
      const { id: invitationId, token } = await createInvitation(tx, actor.tenantId, parts)
      await auditInvitation(tx, actor.tenantId, { ...parts, id: invitationId, action: 'invitation.sent' })
      const hasAccount = await isVerified({ tx }, id)
      await setMemberStatus(actor.tenantId, id, statusOnInvitation(null, hasAccount))
      return composeInvitationEmail(school, { locale, token, message: text })
    } catch (error) {
      // Refused before any write: the student has received ten invitations today.
      if (error instanceof Refusal && error.code === 'too_many') return 'too_many'
      throw error
    }
  },
  noteEmail: ({ tx }, { id }, mailId) => noteInvitationEmail(tx, id, mailId),
}

/** Senders of the messages to students; the announcement of a group is an email to its members. */
export const studentSenders: MessageSenders = {
  students: textSender,
  announcement: textSender,
  invitations: invitationSender,
}

interface StudentState {
  isBlocked: boolean
  status: string
}

/** Block state and status of the recipients who are still students, locked against concurrent changes. */
async function loadStudents({ tx, recipients }: MessageBatch): Promise<Map<string, StudentState | null>> {
  const ids = recipients.map(({ id }) => id)
  const { rows } = await tx.execute<{ id: string; isBlocked: boolean; status: string }>(sql`
    select m.id, m.blocked_at is not null as "isBlocked", m.status from membership m
    join student s on s.tenant_id = m.tenant_id and s.id = m.id and s.deleted_at is null
    where m.tenant_id = current_tenant() and m.id = any(${sql.param(ids)}::uuid[]) order by m.id for update of m`)
  const students = new Map(rows.map((row) => [row.id, row]))
  return new Map(ids.map((id) => [id, students.get(id) ?? null]))
}

function excluded(
  students: Map<string, StudentState | null>,
  reasonOf: (student: StudentState) => ExclusionReason | null,
): Map<string, ExclusionReason> {
  const reasons = [...students].map(([id, student]) => [id, student ? reasonOf(student) : 'gone'] as const)
  return new Map(reasons.flatMap(([id, reason]) => (reason ? [[id, reason] as const] : [])))
}

async function isVerified({ tx }: Pick<MessageBatch, 'tx'>, studentId: string): Promise<boolean> {
  const { rows } = await tx.execute<{ verified: boolean }>(sql`
    select u.email_verified_at is not null as verified from membership m join "user" u on u.id = m.user_id
    where m.tenant_id = current_tenant() and m.id = ${studentId}`)
  return rows[0]?.verified ?? false
}
