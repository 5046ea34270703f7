import { and, desc, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { STUDENT_SUBDOMAIN } from '#lib/core/access/host.ts'
import { homePath } from '#lib/core/access/routes.ts'
import { addressOf, config } from '#lib/core/config/config.ts'
import { inSystem, readUntenanted, type Tx } from '#lib/core/db/db.ts'
import { sessionDigest } from '#lib/core/files/url-token.ts'
import { TOKEN_DAYS } from '#lib/core/http/cookies.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { endStreamsOfSessions } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type AccountType, effectiveRoles } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { addKnownDevice } from './device.ts'
import { safeReturnPath } from './rules.ts'
import type { SessionRow, SwitchMembership } from './schema.ts'
import { findSessionActor } from './session-lookup.ts'
import { session } from './table.ts'
import { createToken, digestToken } from './token.ts'

export interface RequestOrigin {
  address: string
  userAgent: string
  locale: Locale
  /** Subdomain of the host: a tenant's, `go`, or an empty string. */
  host?: string
  /** The browser's device cookie: see device.ts. */
  device?: string | null
}

/** Token and device (null: the browser does not become a known one) for the cookies, and the absolute URL to redirect to. */
export interface SignInResult {
  token: string
  device: string | null
  redirect: string
}

/**
 * Finds the actor by the token and the subdomain of the host (a tenant's, `go`, or empty) in one round trip. Null when the
 * token is not valid or the user has no active membership.
 */
export async function findActor(token: string, host: string): Promise<Actor | null> {
  const actor = await findSessionActor(digestToken(token), host)
  return actor && { ...actor, roles: effectiveRoles(actor.accountType, actor.roles), viewer: sessionDigest(token) }
}

/**
 * Creates a login session in the surrounding transaction, in the tenant that was chosen last. With `boundTenantId` it is
 * limited to the student of that tenant, and ends when the person gets another membership, password or email address.
 * Returns its token.
 */
export async function beginSession(
  tx: Tx,
  userId: string,
  caller: RequestOrigin,
  boundTenantId: string | null = null,
): Promise<string> {
  const token = createToken()
  const [last] = await tx
    .select({ tenantId: session.tenantId, accountType: session.accountType })
    .from(session)
    .where(eq(session.userId, userId))
    .orderBy(desc(session.lastSeenAt))
    .limit(1)
  await tx.insert(session).values({
    ...last,
    userId,
    boundTenantId,
    tokenHash: digestToken(token),
    expiresAt: new Date(Date.now() + TOKEN_DAYS * DAY_MS),
    ip: caller.address.slice(0, 64),
    userAgent: caller.userAgent.slice(0, 400),
  })
  return token
}

/** Completes a sign-in. Refuses with forbidden when the user has no active membership. */
export async function completeSignIn(token: string, caller: RequestOrigin, returnTo?: string): Promise<SignInResult> {
  const actor = await findActor(token, caller.host ?? '')
  if (actor) {
    return {
      token,
      device: actor.isBoundToSchool ? null : addKnownDevice(caller.device, actor.userId),
      redirect: redirectAfterSignIn(actor, returnTo),
    }
  }
  await inSystem((tx) => tx.delete(session).where(eq(session.tokenHash, digestToken(token))))
  throw new Refusal('forbidden', { fields: { email: ['student_blocked'] } })
}

/** Absolute URL after the sign-in: the safe returnTo, or the home page, on the host of the own school or on `go`. */
function redirectAfterSignIn(actor: Pick<Actor, 'accountType' | 'subdomain'>, returnTo?: string | null): string {
  const safe = safeReturnPath(returnTo, config)
  if (safe && !safe.startsWith('/')) return safe
  const subdomain = actor.accountType === 'ACCOUNT_TYPE_STUDENT' ? STUDENT_SUBDOMAIN : actor.subdomain
  return addressOf(subdomain, safe && safe !== '/' ? safe : homePath(actor))
}

/**
 * Refuses with forbidden (bound_session) for a session of a one-time login link, which may not change the account or
 * join other schools.
 */
export function requireUnboundSession(actor: Pick<Actor, 'isBoundToSchool'> | null | undefined): void {
  if (actor?.isBoundToSchool) throw new Refusal('forbidden', { fields: { form: ['bound_session'] } })
}

/** Ends the session of a token, in any state. */
export async function signOut(token: string | null): Promise<void> {
  if (!token) return
  await inSystem(async (tx) => {
    const ended = await tx
      .update(session)
      .set({ revokedAt: new Date() })
      .where(and(eq(session.tokenHash, digestToken(token)), isNull(session.revokedAt)))
      .returning({ id: session.id })
    await endStreamsOfSessions(ended.map(({ id }) => id))
  })
}

/** The actor's login sessions, the current one first. */
export async function listSessions(actor: Actor): Promise<SessionRow[]> {
  return readUntenanted(async (tx) => {
    const rows = await tx
      .select({
        sessionId: session.id,
        createdAt: session.createdAt,
        lastSeenAt: session.lastSeenAt,
        address: session.ip,
        userAgent: session.userAgent,
      })
      .from(session)
      .where(and(eq(session.userId, actor.userId), isNull(session.revokedAt), gt(session.expiresAt, new Date())))
      .orderBy(desc(sql`${session.id} = ${actor.sessionId}`), desc(session.lastSeenAt))
      .limit(100)
    return rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      current: row.sessionId === actor.sessionId,
    }))
  })
}

/** Ends one of the actor's sessions. Refuses with not_found for sessions of other users. */
export async function revokeSession(actor: Actor, input: { sessionId: string }): Promise<void> {
  const ended = await endSessions(and(eq(session.userId, actor.userId), eq(session.id, input.sessionId)))
  if (ended === 0) throw new Refusal('not_found')
}

/** Ends all of the actor's sessions except the current one. Returns their number. */
export function revokeOtherSessions(actor: Pick<Actor, 'userId' | 'sessionId'>): Promise<number> {
  return endSessions(and(eq(session.userId, actor.userId), ne(session.id, actor.sessionId)))
}

/** Ends every session of a user, e.g. after a password reset. */
export function revokeAllSessions(userId: string): Promise<number> {
  return endSessions(eq(session.userId, userId))
}

/** Switches the session to another membership of the actor. Refuses with not_found. Returns the URL to redirect to. */
export async function switchMembership(actor: Actor, input: SwitchMembership): Promise<{ redirect: string }> {
  const chosen = actor.memberships.find(({ membershipId }) => membershipId === input.membershipId)
  if (!chosen) throw new Refusal('not_found')
  await inSystem((tx) =>
    tx
      .update(session)
      .set({ tenantId: chosen.tenantId, accountType: chosen.accountType })
      .where(eq(session.id, actor.sessionId)),
  )
  return { redirect: redirectAfterSignIn(chosen, input.return) }
}

/** Switches all sessions of a user to a membership, e.g. of the tenant that was just joined. */
export async function preferMembership(
  userId: string,
  chosen: { tenantId: string; accountType: AccountType },
): Promise<void> {
  await inSystem((tx) => tx.update(session).set(chosen).where(eq(session.userId, userId)))
}

async function endSessions(condition: SQL | undefined): Promise<number> {
  return inSystem((tx) => revokeSessions(tx, condition))
}

/**
 * Ends the sessions that a condition selects, in the caller's transaction. Returns their number. The caller checks the
 * permission.
 */
export async function revokeSessions(tx: Tx, condition: SQL | undefined): Promise<number> {
  const ended = await tx
    .update(session)
    .set({ revokedAt: new Date() })
    .where(and(condition, isNull(session.revokedAt)))
    .returning({ id: session.id })
  await endStreamsOfSessions(ended.map(({ id }) => id))
  return ended.length
}
