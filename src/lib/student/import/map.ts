import { eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { limitOf } from '#lib/billing/plans.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { customFieldIdOf } from '#lib/core/shared/student-import.ts'
import { countStudents } from '#lib/user/member.ts'
import { selectFields } from '../fields/fields.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { type NamedObjects, type ReadRow, readRow } from './columns.ts'
import { guessMapping } from './guess-mapping.ts'
import type { ImportId, MapImport } from './schema.ts'
import { storeChoices } from './stored-choices.ts'
import { studentImport } from './table.ts'

/**
 * The dry run: reads the rows by a mapping, which is stored for the school, and computes the verdict of each row. Can
 * be repeated until the start. Refuses with forbidden, plan_inactive, invalid (no column of addresses), not_found (the
 * import, course, group or custom field), gone (started already).
 */
export function mapImport(actor: Actor, input: MapImport): Promise<ImportId> {
  requireStudentAdministrator(actor)
  requirePlan(actor, 'lms')
  const { importId, mapping, courseId, groupId, tag } = input
  return inTenant(actor, async (tx) => {
    const current = await lockImport(tx, actor, importId)
    if (current.state !== 'mapping' && current.state !== 'ready') throw new Refusal('gone')
    const names = await loadNames(tx)
    if (courseId && ![...names.courses.values()].includes(courseId)) throw new Refusal('not_found')
    const fieldIds = mapping.flatMap((target) => customFieldIdOf(target) ?? [])
    if (fieldIds.some((id) => !names.fields.has(id))) throw new Refusal('not_found')
    if (groupId && ![...names.groups.values()].includes(groupId)) throw new Refusal('not_found')
    const { rows } = await tx.execute<{ number: number; cells: string[] }>(sql`
      select number, cells from student_import_row
      where tenant_id = current_tenant() and import_id = ${importId} order by number`)
    const seen = new Set<string>()
    const read = rows.map(({ number, cells }) => ({ number, ...readRow(cells, mapping, names, seen) }))
    await saveRows(tx, importId, read)
    await refuseBeyondSeats(tx, actor, importId)
    await tx
      .update(studentImport)
      .set({ mapping, courseId, groupId, tag, state: 'ready' })
      .where(eq(studentImport.id, importId))
    const guessed = guessMapping(
      current.heading.length > 0 ? current.heading : null,
      rows.map(({ cells }) => cells),
      new Map(),
      [...names.fields.values()],
    )
    await storeChoices(tx, current.heading, mapping, guessed)
    return { importId }
  })
}

/** Starts a checked import. A repeated call does nothing. Refuses with forbidden, plan_inactive, not_found, gone. */
export function startStudentImport(actor: Actor, input: ImportId): Promise<ImportId> {
  requireStudentAdministrator(actor)
  requirePlan(actor, 'lms')
  const { importId } = input
  return inTenant(actor, async (tx) => {
    const { state, total, fileName } = await lockImport(tx, actor, importId)
    if (state === 'mapping') throw new Refusal('gone')
    if (state !== 'ready') return { importId }
    await tx.update(studentImport).set({ state: 'queued' }).where(eq(studentImport.id, importId))
    await recordAuditEntry(tx, actor, {
      action: 'students.imported',
      objectId: importId,
      objectName: fileName,
      after: { students: total },
    })
    await enqueueJob('student.import', { tenantId: actor.tenantId, importId }, { singletonKey: importId })
    return { importId }
  })
}

/** An import of the actor, locked against concurrent runs of its job. Refuses with not_found. */
async function lockImport(tx: Tx, actor: Actor, importId: string) {
  const [found] = await tx.select().from(studentImport).where(eq(studentImport.id, importId)).for('update')
  if (found?.by !== actor.membershipId) throw new Refusal('not_found')
  return found
}

async function loadNames(tx: Tx): Promise<NamedObjects> {
  const [fields, courses, groups] = await Promise.all([
    selectFields(tx),
    tx.execute<{ id: string; name: string }>(
      sql`select id, title as name from course where tenant_id = current_tenant() and status <> 'archived' order by created_at desc`,
    ),
    tx.execute<{ id: string; name: string }>(
      sql`select id, name from study_group where tenant_id = current_tenant() and archived_at is null order by start_at desc`,
    ),
  ])
  const byName = (rows: { id: string; name: string }[]) => new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
  return {
    fields: new Map(fields.map((field) => [field.id, field])),
    courses: byName(courses.rows),
    groups: byName(groups.rows),
  }
}

/** Stores the parsed rows; existing students of the school, including blocked ones, are found by address. */
async function saveRows(tx: Tx, importId: string, rows: readonly (ReadRow & { number: number })[]): Promise<void> {
  await tx.execute(sql`
    update student_import_row r
    set email = v.email, first_name = v."firstName", last_name = v."lastName",
      patronymic = v.patronymic, phone = v.phone, warnings = v.warnings, tags = v.tags,
      course_id = v."courseId", group_id = v."groupId", field_values = v."fieldValues", student_id = s.id,
      reason = coalesce(v.reason, case when s.blocked_at is not null then 'blocked' end),
      verdict = case when v.reason is not null or s.blocked_at is not null then 'failed'
        when s.id is not null then 'existing' else 'new' end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(number int, email text, "firstName" text,
        "lastName" text, patronymic text, phone text, warnings jsonb, tags text[], "courseId" uuid, "groupId" uuid,
        "fieldValues" jsonb, reason text)
    left join "user" u on u.email = v.email
    left join student s on s.tenant_id = current_tenant() and s.user_id = u.id
    where r.tenant_id = current_tenant() and r.import_id = ${importId} and r.number = v.number`)
}

async function refuseBeyondSeats(tx: Tx, actor: Actor, importId: string): Promise<void> {
  const max = limitOf(actor, 'student_count', new Date())
  if (max === null) return
  const free = Math.max(0, max - (await countStudents(actor.tenantId)))
  await tx.execute(sql`update student_import_row set verdict = 'failed', reason = 'limit_student_count'
    where tenant_id = current_tenant() and import_id = ${importId} and number in (
      select number from student_import_row where tenant_id = current_tenant() and import_id = ${importId}
        and verdict = 'new' order by number offset ${free})`)
}
