import { sql } from 'drizzle-orm'
import type { AuditActor } from '#lib/audit/audit.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { recordStudentEntries } from '../audit.ts'
import { selectFields } from './fields.ts'

export interface ImportedValues {
  studentId: string
  /** Changes of new students are not audited separately. */
  isNew: boolean
  /** Validated values by field id. */
  values: Record<string, string>
}

/**
 * Sets values of custom fields of many students; other values are not changed. Returns the ids of the students whose
 * values changed. The caller checks the permission and the values.
 */
export async function writeFieldValues(
  tx: Tx,
  actor: AuditActor,
  students: readonly ImportedValues[],
): Promise<string[]> {
  const rows = students.flatMap(({ studentId, values }) =>
    Object.entries(values).map(([fieldId, value]) => ({ studentId, fieldId, value })),
  )
  if (rows.length === 0) return []
  const fields = await selectFields(tx)
  const { rows: written } = await tx.execute<{ student_id: string; field_id: string; value: string }>(sql`
    insert into student_field_value as v (tenant_id, student_id, field_id, value)
    select current_tenant(), r."studentId", r."fieldId", r.value
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("studentId" uuid, "fieldId" uuid, value text)
    where r."fieldId" = any(${sql.param(fields.map(({ id }) => id))}::uuid[])
    order by r."studentId", r."fieldId"
    on conflict (tenant_id, student_id, field_id) do update set value = excluded.value where v.value <> excluded.value
    returning student_id, field_id, value`)
  const changed = Map.groupBy(written, ({ student_id }) => student_id)
  if (changed.size === 0) return []
  await tx.execute(sql`update student set fields_revision = fields_revision + 1
    where tenant_id = current_tenant() and id = any(${sql.param([...changed.keys()])}::uuid[])`)
  const names = new Map(fields.map(({ id, name }) => [id, name]))
  const known = students.filter(({ studentId, isNew }) => !isNew && changed.has(studentId))
  await recordStudentEntries(
    tx,
    actor,
    'student.changed',
    known.map(({ studentId }) => ({
      studentId,
      after: {
        customFields: Object.fromEntries(
          (changed.get(studentId) ?? []).map(({ field_id, value }) => [names.get(field_id) ?? field_id, value]),
        ),
      },
    })),
  )
  return [...changed.keys()]
}
