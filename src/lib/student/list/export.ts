import { recordAuditEntry } from '#lib/audit/audit.ts'
import { formatCsvInstant } from '#lib/core/csv/csv.ts'
import { type TableFormat, type TableRow, writeTableFile } from '#lib/core/csv/table-file.ts'
import { inTenant } from '#lib/core/db/db.ts'
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
  const filter = Object.entries(query).filter(([, value]) => value)
  await inTenant(actor, (tx) =>
    recordAuditEntry(tx, actor, {
      action: 'students.exported',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      after: { format, ...Object.fromEntries(filter) },
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
  return writeTableFile(format, heading, readPages(actor, query, { fields, questions }, t))
}

async function* readPages(
  actor: Actor,
  query: Omit<ListStudents, 'cursor' | 'limit'>,
  { fields, questions }: { fields: readonly StudentField[]; questions: readonly RegistrationField[] },
  t: Translate,
): AsyncGenerator<TableRow[]> {
  const zone = actor.tenantTimeZone
  let cursor: string | undefined
  do {
    const { items, next } = await listStudents(actor, { ...query, cursor, limit: PAGE_SIZE })
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
    cursor = next ?? undefined
  } while (cursor)
}
