import { and, eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_SECONDS, MINUTE_MS } from '#lib/core/shared/time.ts'
import type { TenantView } from '#lib/tenant/tenant.ts'
import { beginSession, completeSignIn, type RequestOrigin, type SignInResult } from '#lib/user/session.ts'
import { createToken, digestToken } from '#lib/user/token.ts'
import { recordLogin } from '#lib/user/user.ts'
import { loadStudentCard, requireVerdict, studentName } from '../card/card.ts'
import { lockStudent } from '../card/profile.ts'
import { canCreateLoginLink } from '../card/rules.ts'
import type { StudentId } from '../card/schema.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { countNetwork, requireSchool, wrongLink } from './correction.ts'
import { sendLoginLinkNotice } from './emails.ts'
import { linkState } from './rules.ts'
import type { CreatedLoginLink, LinkState, StudentLink } from './schema.ts'
import { loginLink } from './table.ts'

/** How long a login link is valid, in minutes. */
const LINK_MINUTES = 15

/**
 * Creates a link that signs a student in once, to be passed on by a team member. It is returned only by this call,
 * since only its digest is stored. Older links remain valid until they expire. The student is informed by email.
 * Refuses with forbidden, plan_inactive, not_found, unprocessable (the reasons of canCreateLoginLink), too_many (ten an
 * hour).
 */
export async function createLoginLink(actor: Actor, input: StudentId): Promise<CreatedLoginLink> {
  requireStudentAdministrator(actor)
  const { studentId } = input
  await countAttempt(`loginLink:${actor.tenantId}:${studentId}`, { limit: 10, windowSeconds: HOUR_SECONDS })
  return inTenant(actor, async (tx) => {
    const student = await lockStudent(tx, actor, studentId)
    requireVerdict(canCreateLoginLink(student))
    const token = createToken()
    const expiresAt = new Date(Date.now() + LINK_MINUTES * MINUTE_MS)
    await tx.insert(loginLink).values({
      tenantId: actor.tenantId,
      id: newId(),
      studentId,
      requestedBy: actor.membershipId,
      email: student.email,
      tokenHash: digestToken(token),
      expiresAt,
    })
    await sendLoginLinkNotice(actor, student)
    await recordAuditEntry(tx, actor, {
      action: 'student.login_link_created',
      objectId: studentId,
      objectName: studentName(student),
      after: { until: expiresAt.toISOString() },
    })
    const query = new URLSearchParams({ link: token, tenant: actor.subdomain })
    return { url: addressOf('go', `/login?${query}`), expiresAt }
  })
}

/** State and school of a login link; reading it does not use it. Refuses with unprocessable (link_wrong). */
export async function findLoginLink(input: StudentLink): Promise<{ state: LinkState; school: TenantView }> {
  const { token, tenant } = input
  const school = await requireSchool(tenant)
  return inTenant({ tenantId: school.id }, async (tx) => ({ state: (await loadLink(tx, token)).state, school }))
}

/**
 * Signs a student in by a link, which works once; other login sessions are kept. The session is bound to the school. Refuses with unprocessable
 * (link_wrong, the reasons of canCreateLoginLink), gone (link_used, link_expired, link_canceled when the address was
 * corrected since), too_many.
 */
export async function signInByLink(input: StudentLink, caller: RequestOrigin): Promise<SignInResult> {
  const { token, tenant } = input
  await countNetwork('signInByLink', caller.address)
  const school = await requireSchool(tenant)
  const sessionToken = await inTenant({ tenantId: school.id }, async (tx) => {
    const { id, studentId, email, state } = await loadLink(tx, token)
    if (state !== 'open') throw new Refusal('gone', { fields: { form: [`link_${state}`] } })
    const student = await loadStudentCard(tx, studentId)
    if (student.email !== email) throw new Refusal('gone', { fields: { form: ['link_canceled'] } })
    requireVerdict(canCreateLoginLink(student))
    const now = new Date()
    await tx
      .update(loginLink)
      .set({ usedAt: now })
      .where(and(eq(loginLink.tenantId, school.id), eq(loginLink.id, id)))
    await recordLogin(tx, student.userId)
    await recordAuditEntry(
      tx,
      { tenantId: school.id, membershipId: studentId, address: caller.address },
      { action: 'student.login_link_used', objectId: studentId, objectName: studentName(student) },
    )
    return beginSession(tx, student.userId, caller, school.id)
  })
  return completeSignIn(sessionToken, { ...caller, host: 'go' })
}

async function loadLink(tx: Tx, token: string) {
  const [row] = await tx
    .select()
    .from(loginLink)
    .where(and(sql`${loginLink.tenantId} = current_tenant()`, eq(loginLink.tokenHash, digestToken(token))))
    .for('update')
  if (!row) throw wrongLink()
  const { usedAt, expiresAt } = row
  return { ...row, state: linkState({ usedAt, canceledAt: null, expiresAt }, new Date()) }
}
