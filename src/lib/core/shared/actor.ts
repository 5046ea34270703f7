import type { Locale } from './locale.ts'
import type { PlanView } from './plan.ts'
import type { AccountType, Role } from './role.ts'

/** What the school bought on top of its plan, e.g. more disc space. */
export interface AddOnView {
  limit: string
  quantity: number
  nextPayment: string | null
}

/** One of the person's memberships, for the school switcher. */
export interface MembershipView {
  membershipId: string
  tenantId: string
  subdomain: string
  tenantName: string
  accountType: AccountType
}

/** Who acts: a signed-in person in one school and account type. A student's id is the membershipId. */
export interface Actor {
  userId: string
  email: string
  firstName: string
  lastName: string
  locale: Locale
  timeZone: string
  sessionId: string
  /** Digest of the session's token: signed addresses open for this viewer only (core/files/ticket.ts). */
  viewer: string
  tenantId: string
  subdomain: string
  tenantName: string
  tenantTimeZone: string
  membershipId: string
  accountType: AccountType
  roles: Role[]
  plans: PlanView[]
  addOns: AddOnView[]
  memberships: MembershipView[]
}
