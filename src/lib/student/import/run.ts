import { eq, sql } from 'drizzle-orm'
import { limitOf } from '#lib/billing/plans.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { reportServerError } from '#lib/core/http/error-report.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { log, withoutQueryValues } from '#lib/core/log.ts'
import { isTemporaryFailure } from '#lib/core/service-unavailable.ts'
import { type Actor, restoreActor } from '#lib/core/shared/actor.ts'
import { IMPORT_REASONS, type ImportReason, type ImportVerdict } from '#lib/core/shared/student-import.ts'
import { notify } from '#lib/notification/notify.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { addStudentMembers, countStudents } from '#lib/user/member.ts'
import { recordStudentEntries } from '../audit.ts'
import { type BulkReason, type ChangeCourseAccess, loadBatch } from '../bulk/batch.ts'
import { changeCourseAccess } from '../bulk/course-actions.ts'
import { writeFieldValues } from '../fields/write-values.ts'
import { lockStudentCount } from '../student.ts'
import { studentImport } from './table.ts'

const BATCH = 100

type ImportRow = {
  number: number
  /** `new` with a student: added by this import. */
  verdict: 'new' | 'existing'
  email: string
  firstName: string
  lastName: string
  patronymic: string
  phone: string | null
  tags: string[]
  courseId: string | null
  groupId: string | null
  fieldValues: Record<string, string>
  studentId: string | null
}

interface RowResult {
  number: number
  studentId: string | null
  verdict: ImportVerdict
  reason: ImportReason | null
  /** Added to the school by this batch. */
  isNew?: boolean
}

/**
 * Imports the checked rows, batch by batch: new students are added first, in short transactions; the changes of a batch and
 * their outcomes are one transaction. An interrupted job continues where it stopped. When a batch fails, its rows are imported one by one, and those that fail
 * are reported. Nobody is emailed. `changeAccess` is that of the course module.
 */
export async function runImport(
  { tenantId, importId }: { tenantId: string; importId: string },
  changeAccess: ChangeCourseAccess,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const processed = await importNextRows({ tenantId, importId }, changeAccess, BATCH).catch((error: unknown) => {
      if (isTemporaryFailure(error)) throw error
      return importSeparately({ tenantId, importId }, changeAccess)
    })
    if (processed === 0) return
  }
}

async function importSeparately(
  { tenantId, importId }: { tenantId: string; importId: string },
  changeAccess: ChangeCourseAccess,
): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (count === BATCH) return count
    const processed = await importNextRows({ tenantId, importId }, changeAccess, 1).catch(async (error: unknown) => {
      if (isTemporaryFailure(error)) throw error
      log.error({ tenantId, importId, err: withoutQueryValues(error) }, 'A row of an import failed')
      reportServerError(error, `student import ${importId}`)
      return inTenant({ tenantId }, (tx) => failNextRow(tx, importId))
    })
    if (processed === 0) return count
  }
}

async function importNextRows(
  { tenantId, importId }: { tenantId: string; importId: string },
  changeAccess: ChangeCourseAccess,
  limit: number,
): Promise<number> {
  while ((await inTenant({ tenantId }, (tx) => addNewStudents(tx, importId, limit))) > 0);
  return inTenant({ tenantId }, (tx) => importBatch(tx, importId, changeAccess, limit))
}

/** A student that was added before its row failed is in the school. */
async function failNextRow(tx: Tx, importId: string): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    update student_import_row set reason = 'refused',
      verdict = case when verdict = 'new' and student_id is not null then 'added' else 'failed' end
    where tenant_id = current_tenant() and import_id = ${importId} and number = (select min(number) from student_import_row
      where tenant_id = current_tenant() and import_id = ${importId} and verdict in ('new', 'existing'))`)
  return rowCount ?? 0
}

/** The rows that are next, with the import locked: a second run of the same job waits for the first. Null when it has ended. */
async function lockNextRows(tx: Tx, importId: string, limit: number) {
  const [current] = await tx.select().from(studentImport).where(eq(studentImport.id, importId)).for('update')
  if (current?.state !== 'queued' && current?.state !== 'running') return null
  const { rows } = await tx.execute<ImportRow>(sql`
    select number, verdict, email, first_name as "firstName", last_name as "lastName", patronymic, phone, tags,
      course_id as "courseId", group_id as "groupId", field_values as "fieldValues", student_id as "studentId"
    from student_import_row where tenant_id = current_tenant() and import_id = ${importId}
      and verdict in ('new', 'existing') order by number limit ${limit}`)
  return { current, rows }
}

async function importBatch(tx: Tx, importId: string, changeAccess: ChangeCourseAccess, limit: number): Promise<number> {
  const next = await lockNextRows(tx, importId, limit)
  if (!next) return 0
  const { current, rows } = next
  if (rows.length === 0) {
    await tx.update(studentImport).set({ state: 'done', endedAt: new Date() }).where(eq(studentImport.id, importId))
    await notify(tx, {
      kind: 'students_imported',
      memberIds: [current.by],
      key: `student-import/${importId}`,
      data: { subject: current.fileName },
      link: `/students?tab=import&import=${importId}`,
    })
    return 0
  }
  const actor = restoreActor(current.actor)
  // A concurrent run of the same job may have left rows whose students are not added yet: they are next.
  const ready = rows.filter(({ studentId }) => studentId !== null)
  const results = new Map(ready.map((row) => [row.number, resultOf(row)]))
  const targets = { tag: current.tag, courseId: current.courseId, groupId: current.groupId }
  await applyTargets({ tx, actor, importId, changeAccess }, ready, results, targets)
  await saveResults(tx, importId, [...results.values()])
  const added = [...results.values()].flatMap(({ studentId, isNew }) => (isNew && studentId ? [studentId] : []))
  await recordStudentEntries(
    tx,
    actor,
    'student.imported',
    added.map((studentId) => ({ studentId, after: { file: current.fileName } })),
  )
  await tx.update(studentImport).set({ state: 'running' }).where(eq(studentImport.id, importId))
  return rows.length
}

const resultOf = ({ number, studentId, verdict }: ImportRow): RowResult => ({
  number,
  studentId,
  verdict: verdict === 'new' ? 'added' : 'unchanged',
  reason: null,
  isNew: verdict === 'new',
})

/** Students per transaction: invitations, purchases and other imports wait for its lock. */
const ADDED_AT_ONCE = 25

/** Adds some of the new students of the next rows, as many as the plan has seats for. Returns how many rows it has tried. */
async function addNewStudents(tx: Tx, importId: string, limit: number): Promise<number> {
  const next = await lockNextRows(tx, importId, limit)
  const missing = next?.rows.filter(({ studentId }) => studentId === null).slice(0, ADDED_AT_ONCE) ?? []
  if (!next || missing.length === 0) return 0
  const actor = restoreActor(next.current.actor)
  const { locale } = await getTenant(actor.tenantId)
  await lockStudentCount(tx, actor)
  const max = limitOf(actor, 'student_count', new Date())
  const free = max === null ? missing.length : Math.max(0, max - (await countStudents(actor.tenantId)))
  const added = await addStudentMembers(tx, missing.slice(0, free), locale)
  const byEmail = new Map(added.map((entry) => [entry.email, entry]))
  const results = missing.map(({ number, email }) => {
    const entry = byEmail.get(email)
    if (!entry) return { number, studentId: null, verdict: 'failed' as const, reason: 'limit_student_count' as const }
    const verdict = entry.isAdded ? ('new' as const) : ('existing' as const)
    return { number, studentId: entry.studentId, verdict, reason: null }
  })
  await saveResults(tx, importId, results)
  return missing.length
}

interface ImportScope {
  tx: Tx
  actor: Actor
  importId: string
  changeAccess: ChangeCourseAccess
}

/** Adds tags, values of custom fields and access, each for all students of the batch at once. */
async function applyTargets(
  { tx, actor, importId, changeAccess }: ImportScope,
  rows: readonly ImportRow[],
  results: Map<number, RowResult>,
  all: { tag: string | null; courseId: string | null; groupId: string | null },
): Promise<void> {
  const numberOf = new Map<string, number>()
  const tags: { id: string; tag: string }[] = []
  const byTarget = new Map<string, string[]>()
  for (const row of rows) {
    const id = results.get(row.number)?.studentId
    if (!id) continue
    numberOf.set(id, row.number)
    for (const tag of new Set([...row.tags, ...(all.tag ? [all.tag] : [])])) tags.push({ id, tag })
    for (const target of targetsOf(row, all)) byTarget.set(target, [...(byTarget.get(target) ?? []), id])
  }
  const tagged = await addTags(tx, tags)
  for (const id of tagged) noteChange(results, numberOf.get(id))
  const values = rows.flatMap(({ number, fieldValues }) => {
    const studentId = results.get(number)?.studentId
    return studentId ? [{ studentId, isNew: results.get(number)?.isNew ?? false, values: fieldValues }] : []
  })
  for (const id of await writeFieldValues(tx, actor, values)) noteChange(results, numberOf.get(id))
  for (const [target, ids] of byTarget) {
    const [kind, targetId = ''] = target.split(' ')
    // In the order of the file: the first ones get the seats of a group.
    const loaded = new Map((await loadBatch(tx, ids)).map((student) => [student.id, student]))
    const students = ids.flatMap((id) => loaded.get(id) ?? [])
    const batch = { tx, actor, jobId: importId, students, changeAccess }
    const outcomes = await changeCourseAccess(
      batch,
      kind === 'course'
        ? { action: 'addToCourse', courseId: targetId, until: null }
        : { action: 'addToGroup', groupId: targetId },
    )
    for (const [id, { outcome, reason }] of outcomes) {
      const number = numberOf.get(id)
      if (outcome === 'done') noteChange(results, number)
      if (outcome === 'failed') noteRefusedAccess(results, number, reason)
    }
  }
}

function targetsOf(row: ImportRow, all: { courseId: string | null; groupId: string | null }): string[] {
  const courses = new Set([row.courseId, all.courseId].filter((id) => id !== null))
  const groups = new Set([row.groupId, all.groupId].filter((id) => id !== null))
  return [...[...groups].map((id) => `group ${id}`), ...[...courses].map((id) => `course ${id}`)]
}

async function addTags(tx: Tx, tags: readonly { id: string; tag: string }[]): Promise<string[]> {
  if (tags.length === 0) return []
  const { rows } = await tx.execute<{ student_id: string }>(sql`
    insert into student_tag (tenant_id, student_id, tag)
    select current_tenant(), t.id, t.tag from jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) as t(id uuid, tag text)
    on conflict do nothing returning student_id`)
  return rows.map(({ student_id }) => student_id)
}

function noteChange(results: Map<number, RowResult>, number: number | undefined): void {
  const result = number === undefined ? undefined : results.get(number)
  if (result?.verdict === 'unchanged') result.verdict = 'changed'
}

/** The student is in the school; only the access was refused, for a reason that the report shows next to the verdict. */
function noteRefusedAccess(results: Map<number, RowResult>, number: number | undefined, reason?: BulkReason): void {
  const result = number === undefined ? undefined : results.get(number)
  if (result) result.reason = IMPORT_REASONS.find((known) => known === reason) ?? 'refused'
}

async function saveResults(tx: Tx, importId: string, results: readonly RowResult[]): Promise<void> {
  await tx.execute(sql`
    update student_import_row r set verdict = v.verdict, reason = v.reason, student_id = v."studentId"
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb)
      as v(number int, verdict text, reason text, "studentId" uuid)
    where r.tenant_id = current_tenant() and r.import_id = ${importId} and r.number = v.number`)
}
