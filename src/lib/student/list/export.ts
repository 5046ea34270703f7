import { sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { formatCsvInstant } from '#lib/core/csv/csv.ts'
import { type TableFormat, type TableRow, writeTableFile } from '#lib/core/csv/table-file.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { readAllPages } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { listFields } from '../fields/fields.ts'
import type { StudentField } from '../fields/schema.ts'
import { getRegistrationForm, listAnswers } from '../registration-form/registration-form.ts'
import type { RegistrationField } from '../registration-form/schema.ts'
import { listStudents, requireStudentAdministrator } from './list.ts'
import type { ListStudents } from './schema.ts'

const COLUMNS = [
  'email',
  'name',
  'lastName',
  'firstName',
  'patronymic',
  'phone',
  'status',
  'tags',
  'courses',
  'progress',
  'overdue',
  'active',
  'created',
] as const
const PAGE_SIZE = 200

/**
 * The students that a filter selects, in its order, as a file that is written page by page. The export is audited.
 * Refuses with forbidden.
 */
export async function exportStudents(
  actor: Actor,
  input: ListStudents,
  format: TableFormat,
  t: Translate,
): Promise<ReadableStream<Uint8Array>> {
  requireStudentAdministrator(actor)
  const { cursor: _, limit: __, ...query } = input
  await inTenant(actor, async (tx) =>
    recordAuditEntry(tx, actor, {
      action: 'students.exported',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      after: { format, ...(await studentQueryAuditValues(tx, query)) },
    }),
  )
  const [fields, questions] = await Promise.all([
    listFields(actor),
    getRegistrationForm(actor).then((form) => form.fields),
  ])
  const heading = [
    ...COLUMNS.map((column) => t(`student:exportColumn.${column}`)),
    ...fields.map(({ name }) => name),
    ...questions.map(({ label }) => label),
  ]
  return writeTableFile(format, heading, readStudentRows(actor, query, { fields, questions }, t))
}

async function* readStudentRows(
  actor: Actor,
  query: Omit<ListStudents, 'cursor' | 'limit'>,
  { fields, questions }: { fields: readonly StudentField[]; questions: readonly RegistrationField[] },
  t: Translate,
): AsyncGenerator<TableRow[]> {
  const zone = actor.tenantTimeZone
  const pages = readAllPages((cursor) => listStudents(actor, { ...query, cursor, limit: PAGE_SIZE }))
  for await (const items of pages) {
    const answers =
      questions.length > 0
        ? await listAnswers(
            actor,
            items.map(({ id }) => id),
          )
        : new Map()
    yield items.map((student) => [
      student.email,
      student.name,
      student.lastName,
      student.firstName,
      student.patronymic,
      student.phone,
      t(`student:status.${student.deletedAt ? 'deleted' : student.blockedAt ? 'blocked' : student.status}`),
      student.tags.join('|'),
      student.courses.join('|'),
      student.progress,
      student.overdueCount,
      formatCsvInstant(student.lastActiveAt, zone),
      formatCsvInstant(student.createdAt, zone),
      ...fields.map(({ id }) => student.fields[id] ?? ''),
      ...questions.map(({ id }) => answers.get(student.id)?.[id] ?? ''),
    ])
  }
}

/** The filter in words for the audit log: names in place of ids, and only what was set. */
async function studentQueryAuditValues(tx: Tx, query: Omit<ListStudents, 'cursor' | 'limit'>): Promise<AuditValues> {
  const { q, status, tag, progress, activity, overdue, sort, descending, courseId, groupId, field } = query
  const { rows } = await tx.execute<{ course: string | null; group: string | null; field: string | null }>(sql`select
    (select title from course where tenant_id = current_tenant() and id = ${courseId ?? null}::uuid) as course,
    (select name from study_group where tenant_id = current_tenant() and id = ${groupId ?? null}::uuid) as "group",
    (select name from student_field where tenant_id = current_tenant() and id = ${field?.slice(0, 36) ?? null}::uuid) as field`)
  const [names] = rows
  const values = {
    q,
    status,
    tag,
    progress,
    activity,
    overdue,
    sort,
    descending,
    course: names?.course ?? null,
    group: names?.group ?? null,
    field: field && names?.field ? `${names.field}: ${field.slice(37)}` : null,
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value))
}
