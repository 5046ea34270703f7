import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { revokeSessions } from '#lib/user/session.ts'
import { session } from '#lib/user/table.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { loadStudentCard, requireStudentRow, type StudentCard, studentName } from './card.ts'
import type { StudentId, StudentSession } from './schema.ts'

export interface DeviceView {
  sessionId: string
  createdAt: Date
  lastSeenAt: Date
  address: string | null
  userAgent: string | null
}

/**
 * The login sessions of a student. Of an account with other memberships only those that were last used as a student of
 * this school, because other sessions do not concern it. Refuses with forbidden, not_found.
 */
export function listStudentDevices(actor: Actor, input: StudentId): Promise<DeviceView[]> {
  requireStudentAdministrator(actor)
  const { studentId } = input
  return inTenant(actor, async (tx) => {
    const devices = tx
      .select({
        sessionId: session.id,
        createdAt: session.createdAt,
        lastSeenAt: session.lastSeenAt,
        address: session.ip,
        userAgent: session.userAgent,
      })
      .from(session)
      .where(and(sessionsOf(studentId), isNull(session.revokedAt), gt(session.expiresAt, new Date())))
      .orderBy(desc(session.lastSeenAt))
      .limit(100)
    const [found] = await Promise.all([devices, requireStudentRow(tx, studentId)])
    return found
  })
}

/** Signs a student out of one device. Refuses with forbidden, not_found. */
export async function endDevice(actor: Actor, input: StudentSession): Promise<void> {
  const { studentId, sessionId } = input
  const ended = await endDevices(actor, studentId, eq(session.id, sessionId))
  if (ended === 0) throw new Refusal('not_found')
}

/**
 * Signs a student out of all devices; returns the number of ended sessions. Idempotent. Refuses with forbidden,
 * not_found.
 */
export function endAllDevices(actor: Actor, input: StudentId): Promise<number> {
  return endDevices(actor, input.studentId, undefined)
}

function endDevices(actor: Actor, studentId: string, condition: SQL | undefined): Promise<number> {
  requireStudentAdministrator(actor)
  return inTenant(actor, async (tx) => {
    const student = await loadStudentCard(tx, studentId)
    const ended = await revokeSessions(tx, and(sessionsOf(studentId), condition))
    if (ended > 0) await recordSignOut(tx, actor, student, ended)
    return ended
  })
}

function recordSignOut(tx: Tx, actor: Actor, student: StudentCard, devices: number): Promise<void> {
  const { id: objectId } = student
  return recordAuditEntry(tx, actor, {
    action: 'student.signed_out',
    objectId,
    objectName: studentName(student),
    after: { devices },
  })
}

/** For an account with other memberships, only the sessions that were last used as a student of this school. */
function sessionsOf(studentId: string): SQL {
  const own = sql`from student s where s.tenant_id = current_tenant() and s.id = ${studentId}`
  return sql`${session.userId} = (select s.user_id ${own})
    and (${session.tenantId} = current_tenant() and ${session.accountType} = 'ACCOUNT_TYPE_STUDENT'
      or not (select (account_scope(s.user_id, s.id)).is_shared ${own}))`
}
