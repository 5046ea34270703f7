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
  /** The session was started by a one-time login link: it has the rights of a student in this school and no others. */
  isBoundToSchool?: boolean | undefined
  /** Set while a team member views the school as this student: nothing may be written. */
  impersonation?: { memberId: string; expiresAt: Date; endPath: string } | undefined
}

/** An actor as a job stores it, without the fields of the login session. */
export type RequestingActor = Omit<Actor, 'viewer' | 'sessionId' | 'email' | 'unreadNotifications'>

/** The part of an actor that a job stores: the job runs with the roles and limits of that time, without credentials. */
export function toRequestingActor(actor: Actor): RequestingActor {
  const { viewer: _, sessionId: _1, email: _2, unreadNotifications: _3, ...requestingActor } = actor
  return requestingActor
}

/** The actor of a job. `jobId` identifies it where a login session is expected, such as the holder of an upload. */
export const restoreActor = (stored: RequestingActor, jobId = ''): Actor => ({
  ...stored,
  email: '',
  sessionId: jobId,
  viewer: jobId,
  unreadNotifications: 0,
})
