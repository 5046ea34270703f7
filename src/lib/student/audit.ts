import { sql } from 'drizzle-orm'
import { type AuditActor, type NewAuditEntry, recordAuditEntries } from '#lib/audit/audit.ts'
import type { AuditAction } from '#lib/audit/schema.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import type { Tx } from '#lib/core/db/db.ts'

/** The changes of a bulk action for one student. */
export interface StudentChange {
  studentId: string
  before?: AuditValues
  after?: AuditValues
}

/**
 * Appends an audit entry for each student under the current name, so that the history of each student contains the
 * action.
 */
export async function recordStudentEntries(
  tx: Tx,
  actor: AuditActor,
  action: AuditAction,
  changes: readonly StudentChange[],
): Promise<void> {
  if (changes.length === 0) return
  const names = await readStudentNames(tx, changes)
  await recordAuditEntries(tx, actor, toAuditEntries(action, changes, names))
}

/** Names of students, or their email addresses, by id. */
export async function readStudentNames(
  tx: Tx,
  students: readonly { studentId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = students.map(({ studentId }) => studentId)
  const { rows } = await tx
    .execute<{ id: string; name: string }>(sql`
      select id, coalesce(nullif(name, ''), email) as name from student
      where tenant_id = current_tenant() and id = any(${sql.param(ids)}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The audit entries of changes of students. */
export const toAuditEntries = (
  action: AuditAction,
  changes: readonly StudentChange[],
  names: ReadonlyMap<string, string>,
): NewAuditEntry[] =>
  changes.map(({ studentId, before, after }) => ({
    action,
    objectId: studentId,
    objectName: names.get(studentId) ?? '',
    before,
    after,
  }))
