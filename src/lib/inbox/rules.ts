import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** The roles with an inbox. */
export const INBOX_ROLES = ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR', 'MENTOR'] as const satisfies Role[]

interface Person {
  roles: readonly Role[]
}

/**
 * Whether a person answers students in the inbox; which items it shows is decided by the courses of a curator and the
 * sessions of a mentor.
 */
export const canUseInbox = (person: Person): Verdict =>
  hasRole(person, INBOX_ROLES) ? allow('answers') : deny('no_inbox')

/** Whether a person may change the promised time of an answer. */
export const canChangeAnswerTime = (person: Person): Verdict =>
  hasRole(person, ['OWNER', 'DIRECTOR']) ? allow('manages') : deny('managers_only')
