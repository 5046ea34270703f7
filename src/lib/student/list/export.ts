import { recordAuditEntry } from '#lib/audit/audit.ts'
import { formatCsvInstant, formatCsvRows, writeCsv } from '#lib/core/csv/csv.ts'
import { writeXlsx } from '#lib/core/csv/xlsx.ts'
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

export type ExportFormat = 'csv' | 'xlsx'

/**
 * The students that a filter selects, in its order, as a file that is written page by page. The export is audited. Refuses
 * with forbidden.
 */
export async function exportStudents(
  actor: Actor,
  input: ListStudents,
  format: ExportFormat,
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
  const pages = readPages(actor, query, { fields, questions }, t)
  return format === 'xlsx' ? writeXlsx(flatten(heading, pages)) : toStream(csvChunks(heading, pages))
}

type Row = (string | number | null)[]

async function* readPages(
  actor: Actor,
  query: Omit<ListStudents, 'cursor' | 'limit'>,
  { fields, questions }: { fields: readonly StudentField[]; questions: readonly RegistrationField[] },
  t: Translate,
): AsyncGenerator<Row[]> {
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

async function* csvChunks(heading: string[], pages: AsyncIterable<Row[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(writeCsv(heading, []))
  for await (const rows of pages) yield encoder.encode(formatCsvRows(rows))
}

function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await chunks.return(undefined)
    },
  })
}

async function* flatten(heading: string[], pages: AsyncIterable<Row[]>): AsyncGenerator<Row> {
  yield heading
  for await (const rows of pages) yield* rows
}
