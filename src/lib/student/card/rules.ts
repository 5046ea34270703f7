import type { StudentStatus } from '#lib/core/shared/learning.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** The state of a student's account, on which the rules depend in addition to the roles of the actor. */
export interface AccountState {
  status: StudentStatus
  blockedAt: Date | null
  deletedAt: Date | null
  anonymizedAt: Date | null
  /** The person is a member of another school, or of this one in another role. */
  isShared: boolean
  /** The person is staff of some school. */
  isStaff: boolean
  hasSecondFactor: boolean
}

/**
 * Whether a school may change name, telephone, language and time zone of a student's account. An account with other
 * memberships can be changed by the person only.
 */
export function canEditAccount({ isShared, anonymizedAt }: AccountState): Verdict {
  if (anonymizedAt) return deny('anonymized')
  return isShared ? deny('shared_account') : allow('own_student')
}

/**
 * Whether a school may correct the email address of a student. An account with other memberships can be changed by the
 * person only.
 */
export function canCorrectEmail({ deletedAt, anonymizedAt, isShared, isStaff }: AccountState): Verdict {
  if (anonymizedAt || deletedAt) return deny('deleted')
  return isShared || isStaff ? deny('shared_account') : allow('own_student')
}

/**
 * Whether a team member may create a one-time login link: only for an accepted student without other memberships, since
 * the link opens the whole account, and never when a second factor is enabled.
 */
export function canCreateLoginLink(account: AccountState): Verdict {
  if (account.deletedAt || account.anonymizedAt) return deny('deleted')
  if (account.blockedAt) return deny('blocked')
  if (account.status !== 'accepted') return deny('not_accepted')
  if (account.isStaff) return deny('staff_account')
  if (account.isShared) return deny('shared_account')
  return account.hasSecondFactor ? deny('second_factor') : allow('own_student')
}

/** Whether a team member may view the school as this student. */
export function canViewAsStudent({ deletedAt, anonymizedAt }: AccountState): Verdict {
  return deletedAt || anonymizedAt ? deny('deleted') : allow('own_student')
}

/** Whether a reminder may be sent to a student. */
export function canRemind({ deletedAt, anonymizedAt, blockedAt, status }: AccountState): Verdict {
  if (deletedAt || anonymizedAt) return deny('deleted')
  if (blockedAt) return deny('blocked')
  return status === 'accepted' ? allow('own_student') : deny('not_accepted')
}

export const RISK_KINDS = [
  'blocked',
  'neverSignedIn',
  'inactive14',
  'inactive7',
  'overdue',
  'behind',
  'unreadReply',
  'failedTest',
] as const
export type RiskKind = (typeof RISK_KINDS)[number]

/** A risk that a student gives up, with its reason. */
export interface Risk {
  kind: RiskKind
  /** Days without a visit, overdue tasks, lessons behind, unread replies, failed attempts. */
  count: number
  /** The title of the course or test of the risk. */
  title?: string
}

/** A blocked student cannot learn: nothing else matters until then. The days since the block are counted. */
export const blockedRisk = (blockedAt: Date, now: Date): Risk => ({
  kind: 'blocked',
  count: Math.max(0, Math.floor((now.getTime() - blockedAt.getTime()) / DAY_MS)),
})

/** The risk of inactivity: no visit since the acceptance, or none for 7 or 14 days. */
export function inactivityRisk(
  { status, createdAt, lastActiveAt }: { status: StudentStatus; createdAt: Date; lastActiveAt: Date | null },
  now: Date,
): Risk | null {
  if (status !== 'accepted') return null
  const days = Math.floor((now.getTime() - (lastActiveAt ?? createdAt).getTime()) / DAY_MS)
  if (days < 7) return null
  if (!lastActiveAt) return { kind: 'neverSignedIn', count: days }
  return { kind: days >= 14 ? 'inactive14' : 'inactive7', count: days }
}
