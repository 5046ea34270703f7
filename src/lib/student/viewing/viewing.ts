import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { createToken, digestToken } from '#lib/user/token.ts'
import { loadStudentCard, requireVerdict, studentName } from '../card/card.ts'
import { canViewAsStudent } from '../card/rules.ts'
import type { StudentId } from '../card/schema.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { impersonation } from './table.ts'

/** How long a team member may view the school as a student, in minutes. */
const VIEW_MINUTES = 30
/** The endpoint that ends the view: the only one that may write during it. */
const END_OF_VIEW_PATH = '/v1/student-view/end'

/**
 * Starts viewing the school as a student, read-only, in this login session; an earlier view of the session ends.
 * Returns the value of the cookie and the expiry. Refuses with forbidden (also `deleted`), not_found.
 */
export function startViewing(actor: Actor, input: StudentId): Promise<{ cookie: string; expiresAt: Date }> {
  requireStudentAdministrator(actor)
  const { studentId } = input
  return inTenant(actor, async (tx) => {
    const student = await loadStudentCard(tx, studentId)
    requireVerdict(canViewAsStudent(student))
    await endOpenViews(tx, actor)
    const token = createToken()
    const expiresAt = new Date(Date.now() + VIEW_MINUTES * MINUTE_MS)
    await tx.insert(impersonation).values({
      tenantId: actor.tenantId,
      id: newId(),
      memberId: actor.membershipId,
      studentId,
      sessionId: actor.sessionId,
      tokenHash: digestToken(token),
      expiresAt,
    })
    await recordAuditEntry(tx, actor, {
      action: 'student.view_started',
      objectId: studentId,
      objectName: studentName(student),
      after: { until: expiresAt.toISOString() },
    })
    return { cookie: `${actor.tenantId}.${token}`, expiresAt }
  })
}

/** Ends the view of a cookie; a repeated call does nothing. Returns the student, or null when no view was open. */
export function endViewing(actor: Actor): Promise<string | null> {
  const { impersonation: view } = actor
  if (!view) return Promise.resolve(null)
  return inTenant({ tenantId: actor.tenantId }, async (tx) => {
    const [ended] = await endOpenViews(tx, { ...actor, membershipId: view.memberId })
    return ended ?? null
  })
}

/**
 * The actor for a request of a team member who views as a student: the student of this school, without other
 * memberships and without the account. Null when the cookie is not a view of this session, or the member is no longer
 * allowed to view.
 */
export async function findViewingActor(actor: Actor, cookie: string): Promise<Actor | null> {
  const [tenantId = '', token = ''] = cookie.split('.')
  if (!UUID_PATTERN.test(tenantId) || !/^[\w-]{20,128}$/.test(token)) return null
  const { rows } = await inTenant({ tenantId }, (tx) =>
    tx.execute<Record<string, unknown>>(sql`
      select i.id, i.student_id as "studentId", i.member_id as "memberId", i.expires_at as "expiresAt",
        s.name, s.email, u.first_name as "firstName", u.last_name as "lastName", u.locale, u.time_zone as "timeZone",
        t.subdomain, t.name as "tenantName", t.time_zone as "tenantTimeZone",
        (select count(*)::int from notification n where n.tenant_id = i.tenant_id and n.member_id = i.student_id
          and n.read_at is null and n.archived_at is null) as "unreadNotifications"
      from impersonation i
        join membership m on m.tenant_id = i.tenant_id and m.id = i.member_id
        join student s on s.tenant_id = i.tenant_id and s.id = i.student_id
        join "user" u on u.id = s.user_id
        join tenant t on t.id = i.tenant_id
      where i.tenant_id = current_tenant() and i.token_hash = ${digestToken(token)} and i.session_id = ${actor.sessionId}
        and i.ended_at is null and i.expires_at > now() and s.deleted_at is null
        and m.user_id = ${actor.userId} and m.blocked_at is null and m.status = 'active'
        and (m.account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' or m.roles && '{OWNER,DIRECTOR}'::text[])`),
  )
  if (!rows[0]) return null
  const view = parseStored(StoredView, rows[0])
  const accountType = 'ACCOUNT_TYPE_STUDENT' as const
  const { studentId, subdomain, tenantName } = view
  return {
    ...actor,
    tenantId,
    subdomain,
    tenantName,
    tenantTimeZone: view.tenantTimeZone,
    email: view.email,
    firstName: view.firstName,
    lastName: view.lastName,
    locale: view.locale,
    timeZone: view.timeZone,
    membershipId: studentId,
    accountType,
    roles: ['STUDENT'],
    plans: [],
    addOns: [],
    memberships: [{ membershipId: studentId, tenantId, subdomain, tenantName, accountType }],
    unreadNotifications: view.unreadNotifications,
    impersonation: { memberId: view.memberId, expiresAt: view.expiresAt, endPath: END_OF_VIEW_PATH },
  }
}

const StoredView = z.object({
  studentId: z.string(),
  memberId: z.string(),
  expiresAt: z.coerce.date(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  locale: z.enum(LOCALES),
  timeZone: z.string(),
  subdomain: z.string(),
  tenantName: z.string(),
  tenantTimeZone: z.string(),
  unreadNotifications: z.number(),
})

async function endOpenViews(tx: Tx, actor: Actor): Promise<string[]> {
  const { rows } = await tx.execute<EndedView>(sql`update impersonation i set ended_at = now() from student s
    where i.tenant_id = current_tenant() and i.session_id = ${actor.sessionId} and i.ended_at is null
      and s.tenant_id = i.tenant_id and s.id = i.student_id
    returning i.student_id, i.member_id, s.sort_name as name`)
  for (const row of rows) await recordEnd(tx, actor, row)
  return rows.map(({ student_id }) => student_id)
}

interface EndedView extends Record<string, unknown> {
  student_id: string
  member_id: string
  name: string
}

function recordEnd(tx: Tx, actor: Pick<Actor, 'tenantId' | 'address'>, ended: EndedView): Promise<void> {
  return recordAuditEntry(
    tx,
    { tenantId: actor.tenantId, address: actor.address, membershipId: ended.member_id },
    { action: 'student.view_ended', objectId: ended.student_id, objectName: ended.name },
  )
}

/** Records the end of expired views. Periodic; returns their number. */
export function endExpiredViews(now = new Date()): Promise<number> {
  const dueSql = 'select 1 from impersonation where ended_at is null and expires_at <= $1'
  return forEachTenant({ job: 'student.endExpiredViews', dueSql, now }, (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      const { rows } = await tx.execute<EndedView>(sql`update impersonation i set ended_at = i.expires_at from student s
        where i.tenant_id = current_tenant() and i.ended_at is null and i.expires_at <= ${now.toISOString()}::timestamptz
          and s.tenant_id = i.tenant_id and s.id = i.student_id
        returning i.student_id, i.member_id, s.sort_name as name`)
      for (const row of rows) await recordEnd(tx, { tenantId }, row)
      return rows.length
    }),
  )
}
