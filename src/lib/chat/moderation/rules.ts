import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { CHAT_MANAGERS, CHAT_ROLES, type ConversationFacts } from '../rules.ts'

interface Person {
  roles: readonly Role[]
}

const isStaff = (actor: Person): boolean => hasRole(actor, CHAT_ROLES) && !hasRole(actor, ['STUDENT'])

/** Whether the actor, who reads the conversation, may report a message: one of another member that exists. */
export function canReportMessage(
  actor: { membershipId: string },
  message: { authorId: string; isDeleted: boolean },
): Verdict {
  if (message.isDeleted) return deny('deleted')
  return message.authorId === actor.membershipId ? deny('own') : allow('reads')
}

/** Whether the actor sees reports about a conversation and resolves them: managers, and the staff of its course. */
export function canReviewReports(actor: Person, { isAssigned }: Pick<ConversationFacts, 'isAssigned'>): Verdict {
  if (!isStaff(actor)) return deny('staff_only')
  if (hasRole(actor, CHAT_MANAGERS)) return allow('manages')
  return isAssigned ? allow('assigned') : deny('not_assigned')
}

/** Whether the actor may ban a member from a conversation, or end that: students, in courses and groups. */
export function canBan(
  actor: Person,
  facts: Pick<ConversationFacts, 'kind' | 'isAssigned'>,
  target: { isStudent: boolean },
): Verdict {
  const review = canReviewReports(actor, facts)
  if (!review.allow) return review
  if (facts.kind !== 'course' && facts.kind !== 'group') return deny('few_readers')
  return target.isStudent ? review : deny('students_only')
}
