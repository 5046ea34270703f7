import { and, asc, count, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { type AddField, type ChangeField, type FieldId, MAX_FIELDS, type StudentField } from './schema.ts'
import { studentField } from './table.ts'

/** The fields that the school has added to its students, in their order. Refuses with forbidden. */
export function listFields(actor: Actor): Promise<StudentField[]> {
  requireStudentAdministrator(actor)
  return inTenant(actor, (tx) => selectFields(tx))
}

/** As listFields, in the caller's transaction and without the check. */
export function selectFields(tx: Tx): Promise<StudentField[]> {
  return tx
    .select({
      id: studentField.id,
      name: studentField.name,
      kind: studentField.kind,
      options: studentField.options,
    })
    .from(studentField)
    .where(and(sql`${studentField.tenantId} = current_tenant()`, isNull(studentField.deletedAt)))
    .orderBy(asc(studentField.position), asc(studentField.id))
}

/** Adds a field at the end. Refuses with forbidden, plan_inactive, unprocessable (`field_name_taken`, `too_many_fields`). */
export function addField(actor: Actor, input: AddField): Promise<FieldId> {
  const { name, kind, options } = input
  return change(actor, async (tx, fields) => {
    requireRoom(fields)
    requireFreeName(fields, name)
    const id = newId()
    await tx.insert(studentField).values({
      tenantId: actor.tenantId,
      id,
      name,
      kind,
      options: kind === 'choice' ? options : [],
      position: sql`(select coalesce(max(position), -1) + 1 from student_field where tenant_id = current_tenant())`,
    })
    await record(tx, actor, { after: { field: name, kind } })
    return { fieldId: id }
  })
}

/**
 * Changes name and choices of a field; values that are no longer offered are kept. Refuses with forbidden,
 * plan_inactive, not_found, unprocessable (`field_name_taken`), invalid (no choices).
 */
export function changeField(actor: Actor, input: ChangeField): Promise<void> {
  const { fieldId, name, options } = input
  return change(actor, async (tx, fields) => {
    const field = fields.find(({ id }) => id === fieldId)
    if (!field) throw new Refusal('not_found')
    const isChoice = field.kind === 'choice'
    if (isChoice && options.length === 0) throw new Refusal('invalid', { fields: { options: ['required'] } })
    requireFreeName(
      fields.filter(({ id }) => id !== fieldId),
      name,
    )
    await tx
      .update(studentField)
      .set({ name, options: isChoice ? options : [] })
      .where(and(eq(studentField.tenantId, actor.tenantId), eq(studentField.id, fieldId)))
    await record(tx, actor, { before: { field: field.name }, after: { field: name } })
  })
}

/** Deletes a field; its values are kept for restoreField. A second call does nothing. Refuses with forbidden, plan_inactive, not_found. */
export function deleteField(actor: Actor, input: FieldId): Promise<void> {
  const { fieldId } = input
  return change(actor, async (tx, fields) => {
    const field = fields.find(({ id }) => id === fieldId)
    if (!field) return requireKnown(tx, fieldId)
    await tx
      .update(studentField)
      .set({ deletedAt: new Date() })
      .where(and(eq(studentField.tenantId, actor.tenantId), eq(studentField.id, fieldId)))
    await record(tx, actor, { before: { field: field.name } })
  })
}

/**
 * Restores a deleted field with its values. A second call does nothing. Refuses with forbidden, plan_inactive, not_found,
 * unprocessable (`field_name_taken`, `too_many_fields`).
 */
export function restoreField(actor: Actor, input: FieldId): Promise<void> {
  const { fieldId } = input
  return change(actor, async (tx, fields) => {
    if (fields.some(({ id }) => id === fieldId)) return
    const [deleted] = await tx
      .select({ name: studentField.name })
      .from(studentField)
      .where(and(eq(studentField.tenantId, actor.tenantId), eq(studentField.id, fieldId)))
    if (!deleted) throw new Refusal('not_found')
    requireRoom(fields)
    requireFreeName(fields, deleted.name)
    await tx
      .update(studentField)
      .set({ deletedAt: null })
      .where(
        and(eq(studentField.tenantId, actor.tenantId), eq(studentField.id, fieldId), isNotNull(studentField.deletedAt)),
      )
    await record(tx, actor, { after: { field: deleted.name } })
  })
}

// Serializes changes, so that concurrent ones cannot exceed the limit or use the same name.
function change<T>(actor: Actor, run: (tx: Tx, fields: StudentField[]) => Promise<T>): Promise<T> {
  requireStudentAdministrator(actor)
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    await lockUntilCommit(tx, 'fields', actor.tenantId)
    return run(tx, await selectFields(tx))
  })
}

function requireRoom(fields: readonly StudentField[]): void {
  if (fields.length >= MAX_FIELDS) throw formRefusal('too_many_fields')
}

function requireFreeName(others: readonly StudentField[], name: string): void {
  const isTaken = others.some((other) => other.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw new Refusal('unprocessable', { fields: { name: ['field_name_taken'] } })
}

async function requireKnown(tx: Tx, fieldId: string): Promise<void> {
  const [row] = await tx
    .select({ fields: count() })
    .from(studentField)
    .where(and(sql`${studentField.tenantId} = current_tenant()`, eq(studentField.id, fieldId)))
  if (!row?.fields) throw new Refusal('not_found')
}

function record(tx: Tx, actor: Actor, values: { before?: AuditValues; after?: AuditValues }): Promise<void> {
  return recordAuditEntry(tx, actor, {
    action: 'settings.changed',
    objectId: actor.tenantId,
    objectName: actor.tenantName,
    ...values,
  })
}
