import type { StudentStatus } from '#lib/core/shared/learning.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** What decides about a student's account beside the roles of the actor. */
export interface AccountState {
  status: StudentStatus
  blockedAt: Date | null
  deletedAt: Date | null
  anonymizedAt: Date | null
  /** The person is a member of another school, or of this one in another way. */
  isShared: boolean
  /** Some school counts the person as staff. */
  isStaff: boolean
  hasSecondFactor: boolean
}

/**
 * Whether a school may change name, telephone, language and time zone of a student's account. An account with other
 * memberships belongs to the person alone.
 */
export function canEditAccount({ isShared, anonymizedAt }: AccountState): Verdict {
  if (anonymizedAt) return deny('anonymized')
  return isShared ? deny('shared_account') : allow('own_student')
}

/**
 * Whether a school may correct the email address of a student. An account with other memberships belongs to the person
 * alone.
 */
export function canCorrectEmail({ deletedAt, anonymizedAt, isShared, isStaff }: AccountState): Verdict {
  if (anonymizedAt || deletedAt) return deny('deleted')
  return isShared || isStaff ? deny('shared_account') : allow('own_student')
}

/**
 * Whether a team member may create a one-time login link: only for an accepted student without other memberships, since
 * the link opens the whole account, and not past a second factor.
 */
export function canCreateLoginLink(account: AccountState): Verdict {
  if (account.deletedAt || account.anonymizedAt) return deny('deleted')
  if (account.blockedAt) return deny('blocked')
  if (account.status !== 'accepted') return deny('not_accepted')
  if (account.isStaff) return deny('staff_account')
  if (account.isShared) return deny('shared_account')
  return account.hasSecondFactor ? deny('second_factor') : allow('own_student')
}

/** Whether the school can be looked at as this student does. */
export function canViewAsStudent({ deletedAt, anonymizedAt }: AccountState): Verdict {
  return deletedAt || anonymizedAt ? deny('deleted') : allow('own_student')
}

/** Whether a reminder may be sent to a student. */
export function canRemind({ deletedAt, anonymizedAt, blockedAt, status }: AccountState): Verdict {
  if (deletedAt || anonymizedAt) return deny('deleted')
  if (blockedAt) return deny('blocked')
  return status === 'accepted' ? allow('own_student') : deny('not_accepted')
}

export const RISK_KINDS = ['neverSignedIn', 'inactive14', 'inactive7', 'overdue', 'behind', 'unreadReply'] as const
export type RiskKind = (typeof RISK_KINDS)[number]

/** A sign that a student may give up, with its reason. */
export interface Risk {
  kind: RiskKind
  /** Days without a visit, overdue tasks, lessons behind, unread replies. */
  count: number
  /** The course that it is about. */
  title?: string
}

/** The risk that a student does not come: never since accepted, or not for 7 or 14 days. */
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
