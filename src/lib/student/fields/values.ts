import { sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { studentName } from '../card/card.ts'
import { lockStudent } from '../card/profile.ts'
import type { StudentId } from '../card/schema.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { selectFields } from './fields.ts'
import { readFieldValue } from './rules.ts'
import type { SaveFields, StudentFieldValues } from './schema.ts'
import { studentFieldValue } from './table.ts'

/** The fields of the school with a student's values. Refuses with forbidden, not_found. */
export function getFieldValues(actor: Actor, input: StudentId): Promise<StudentFieldValues> {
  requireStudentAdministrator(actor)
  const { studentId } = input
  return inTenant(actor, (tx) => loadValues(tx, studentId))
}

/**
 * Saves values of a student's fields; omitted fields are not changed. A change that is based on older values is refused
 * with conflict and the current values in `data.current`, unless they already have the requested values. Refuses with
 * forbidden, plan_inactive, not_found (also for a field), unprocessable (the student is deleted), invalid with the
 * problem under the id of the field.
 */
export function saveFieldValues(actor: Actor, input: SaveFields): Promise<StudentFieldValues> {
  const { studentId, revision, values } = input
  return inTenant(actor, async (tx) => {
    const student = await lockStudent(tx, actor, studentId)
    if (student.anonymizedAt) throw formRefusal('card_anonymized')
    const current = await loadValues(tx, studentId)
    const problems: Record<string, string[]> = {}
    const changed: { id: string; name: string; before: string; value: string }[] = []
    for (const [fieldId, typed] of Object.entries(values)) {
      const field = current.fields.find(({ id }) => id === fieldId)
      if (!field) throw new Refusal('not_found')
      const read = readFieldValue(field, typed, field.value)
      if ('problem' in read) problems[fieldId] = [read.problem]
      else if (read.value !== field.value)
        changed.push({ id: fieldId, name: field.name, before: field.value, value: read.value })
    }
    if (Object.keys(problems).length > 0) throw new Refusal('invalid', { fields: problems })
    if (changed.length === 0) return current
    if (current.revision !== revision) throw new Refusal('conflict', { data: { current } })
    for (const { id: fieldId, value } of changed) {
      if (value === '') {
        await tx.execute(sql`delete from student_field_value
          where tenant_id = current_tenant() and student_id = ${studentId} and field_id = ${fieldId}`)
        continue
      }
      await tx
        .insert(studentFieldValue)
        .values({ tenantId: actor.tenantId, studentId, fieldId, value })
        .onConflictDoUpdate({
          target: [studentFieldValue.tenantId, studentFieldValue.studentId, studentFieldValue.fieldId],
          set: { value },
        })
    }
    await tx.execute(sql`update student set fields_revision = fields_revision + 1
      where tenant_id = current_tenant() and id = ${studentId}`)
    await recordAuditEntry(tx, actor, {
      action: 'student.changed',
      objectId: studentId,
      objectName: studentName(student),
      before: { customFields: Object.fromEntries(changed.map(({ name, before }) => [name, before])) },
      after: { customFields: Object.fromEntries(changed.map(({ name, value }) => [name, value])) },
    })
    return loadValues(tx, studentId)
  })
}

async function loadValues(tx: Tx, studentId: string): Promise<StudentFieldValues> {
  const [fields, { rows }] = await Promise.all([
    selectFields(tx),
    tx.execute<{ revision: number; values: Record<string, string> }>(sql`select s.fields_revision as revision,
        coalesce((select jsonb_object_agg(v.field_id, v.value) from student_field_value v
          where v.tenant_id = current_tenant() and v.student_id = s.id), '{}') as values
      from student s where s.tenant_id = current_tenant() and s.id = ${studentId}`),
  ])
  const [row] = rows
  if (!row) throw new Refusal('not_found')
  return { revision: row.revision, fields: fields.map((field) => ({ ...field, value: row.values[field.id] ?? '' })) }
}
