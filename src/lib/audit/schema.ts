import { z } from 'zod'
import { textLine } from '#lib/core/shared/text/text.ts'

/** Audited actions as `<object>.<verb>`. Their labels are `audit:action.<object>.<verb>`. */
export const AUDIT_ACTIONS = [
  'member.invited',
  'member.invitation_resent',
  'member.invitation_canceled',
  'member.invitation_accepted',
  'member.changed',
  'member.blocked',
  'member.unblocked',
  'member.removed',
  'member.vacation_added',
  'member.vacation_canceled',
  'member.emails_changed',
  'ownership.requested',
  'ownership.confirmed',
  'ownership.canceled',
  'ownership.transferred',
  'student.changed',
  'student.access_changed',
  'student.imported',
  'student.email_correction_requested',
  'student.email_correction_canceled',
  'student.email_corrected',
  'student.login_link_created',
  'student.login_link_used',
  'student.signed_out',
  'student.reminded',
  'student.view_started',
  'student.view_ended',
  'student.deletion_requested',
  'student.deletion_canceled',
  'student.deletion_completed',
  'students.changed',
  'students.exported',
  'students.imported',
  'message.scheduled',
  'message.edited',
  'message.held',
  'message.recalled',
  'settings.changed',
  'invitation.created',
  'invitation.sent',
  'invitation.opened',
  'invitation.accepted',
  'invitation.failed',
  'invitation.revoked',
  'invitation_link.created',
  'invitation_link.used',
  'invitation_link.failed',
  'invitation_link.revoked',
  'group.created',
  'group.changed',
  'group.members_changed',
  'group.announced',
  'group.shifted',
  'attempt.time_granted',
  'quiz.regraded',
  'certificate.rule_changed',
  'certificate.issued',
  'certificate.reissued',
  'certificate.revoked',
  'certificate.request_changed',
  'program.created',
  'program.changed',
  'program.students_changed',
  'offer.created',
  'offer.changed',
  'order.refunded',
  'order.transfer_confirmed',
  'plan.bought',
  'plan.change_scheduled',
  'plan.change_canceled',
  'plan.details_changed',
  'plan.card_removed',
  'plan.trial_extended',
  'school.suspended',
  'school.restored',
  'order.exported',
  'coupon.created',
  'coupon.changed',
  'payment.provider_changed',
  'audit.exported',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** A calendar day of a filter, `2026-11-22`; an empty field of a form is no filter. */
const Day = z.union([z.literal('').transform(() => undefined), z.iso.date()]).optional()
const OptionalId = z.union([z.literal('').transform(() => undefined), z.uuid()]).optional()

export const AuditFilter = z.object({
  action: z.union([z.literal('').transform(() => undefined), z.enum(AUDIT_ACTIONS)]).optional(),
  /** The membership of the person who acted. */
  actorId: OptionalId,
  objectId: OptionalId,
  /** First and last day, in the time zone of the tenant. */
  from: Day,
  to: Day,
  search: textLine(200).default(''),
})
export type AuditFilter = z.output<typeof AuditFilter>

export const ListAudit = AuditFilter.extend({
  cursor: z.string().max(400).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListAudit = z.output<typeof ListAudit>
