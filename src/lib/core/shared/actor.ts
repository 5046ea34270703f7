import type { Locale } from './locale.ts'
import type { PlanView } from './plan.ts'
import type { AccountType, Role } from './role.ts'

/** An add-on of a tenant's plan, e.g. more disc space. */
export interface AddOnView {
  limit: string
  quantity: number
  nextPayment: string | null
}

/** One of the actor's memberships, for the tenant switcher. */
export interface MembershipView {
  membershipId: string
  tenantId: string
  subdomain: string
  tenantName: string
  accountType: AccountType
}

/** A signed-in user in one tenant and account type. A student's id is the membershipId. */
export interface Actor {
  userId: string
  email: string
  firstName: string
  lastName: string
  locale: Locale
  timeZone: string
  sessionId: string
  /** Address of the request, for the audit log; absent in jobs and scripts. */
  address?: string | undefined
  /** Digest of the session's token: signed URLs are valid for this viewer only (core/files/url-token.ts). */
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
  unreadNotifications: number
  /** Set while a team member views the school as this student: nothing may be written. */
  impersonation?: { memberId: string; expiresAt: Date; endPath: string } | undefined
}

/** An actor as a job stores it, without the fields of the login session. */
export type RequestingActor = Omit<Actor, 'viewer' | 'sessionId' | 'email' | 'unreadNotifications'>
