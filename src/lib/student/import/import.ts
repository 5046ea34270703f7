import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { NumberKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { IMPORT_REASONS, IMPORT_STATES, IMPORT_VERDICTS, IMPORT_WARNINGS } from '#lib/core/shared/student-import.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { type GetImport, type ImportId, ImportTargetInput } from './schema.ts'

const ImportWarningView = z.object({
  code: z.enum(IMPORT_WARNINGS),
  value: z.string(),
  field: z.string().optional(),
})

const ImportRowView = z.object({
  number: z.number(),
  email: z.string().nullable(),
  /** The cell of the address as it is typed. */
  typedEmail: z.string(),
  lastName: z.string(),
  firstName: z.string(),
  patronymic: z.string(),
  phone: z.string().nullable(),
  tags: z.array(z.string()),
  /** The course and group of the row. */
  course: z.string().nullable(),
  group: z.string().nullable(),
  /** Values of custom fields by their names. */
  fields: z.record(z.string(), z.string()),
  cells: z.array(z.string()),
  verdict: z.enum(IMPORT_VERDICTS).nullable(),
  reason: z.enum(IMPORT_REASONS).nullable(),
  warnings: z.array(ImportWarningView),
})

export const ImportView = z.object({
  id: z.string(),
  state: z.enum(IMPORT_STATES),
  fileName: z.string(),
  heading: z.array(z.string()),
  mapping: z.array(ImportTargetInput.nullable()),
  courseId: z.string().nullable(),
  groupId: z.string().nullable(),
  tag: z.string().nullable(),
  total: z.number(),
  createdAt: z.coerce.date(),
  /** The number of rows by verdict. */
  counts: z.partialRecord(z.enum(IMPORT_VERDICTS), z.number()),
  /** Rows whose student is in the school, but got no access to the course or group. */
  withoutAccess: z.number(),
  /** Rows with a warning. */
  warned: z.number(),
  rows: z.array(ImportRowView),
  next: z.string().nullable(),
})
export type ImportView = z.infer<typeof ImportView>

const PAGE_SIZE = 50

interface CountRow extends Record<string, unknown> {
  verdict: string
  rows: number
  withReason: number
  warned: number
}

const sumOf = (rows: readonly CountRow[], numberOf: (row: CountRow) => number): number =>
  rows.reduce((sum, row) => sum + numberOf(row), 0)

/** An import of the actor with a page of its rows, by number. Refuses with forbidden, not_found, invalid (cursor). */
export function getImport(actor: Actor, input: GetImport): Promise<ImportView> {
  requireStudentAdministrator(actor)
  const { importId, verdict, cursor } = input
  const after = readCursor(NumberKey, cursor)
  return inTenant(actor, async (tx) => {
    const [found, counts, page] = await Promise.all([
      tx.execute<Record<string, unknown>>(sql`
        select id, state, file_name as "fileName", heading, mapping, course_id as "courseId", group_id as "groupId", tag,
          total, created_at as "createdAt" from student_import
        where tenant_id = current_tenant() and id = ${importId} and by = ${actor.membershipId}`),
      tx.execute<CountRow>(sql`
        select verdict, count(*)::int as rows, count(reason)::int as "withReason",
          (count(*) filter (where warnings <> '[]'))::int as warned from student_import_row
        where tenant_id = current_tenant() and import_id = ${importId} and verdict is not null group by verdict`),
      tx.execute<Record<string, unknown>>(sql`
        select r.number, r.email, r.last_name as "lastName", r.first_name as "firstName", r.patronymic, r.phone, r.tags,
          (select c.title from course c where c.tenant_id = current_tenant() and c.id = r.course_id) as course,
          (select g.name from study_group g where g.tenant_id = current_tenant() and g.id = r.group_id) as "group",
          coalesce((select jsonb_object_agg(f.name, r.field_values ->> f.id::text) from student_field f
            where f.tenant_id = current_tenant() and r.field_values ? f.id::text), '{}') as fields,
          r.cells, r.verdict, r.reason, r.warnings from student_import_row r
        where r.tenant_id = current_tenant() and r.import_id = ${importId} and r.number > ${after?.number ?? 0}
          and ${verdict ? sql`r.verdict = ${verdict}` : sql`true`} order by r.number limit ${PAGE_SIZE + 1}`),
    ])
    if (!found.rows[0]) throw new Refusal('not_found')
    const emailColumn = parseStored(ImportView.shape.mapping, found.rows[0].mapping).indexOf('email')
    const last = page.rows.length > PAGE_SIZE ? page.rows[PAGE_SIZE - 1] : undefined
    return parseStored(ImportView, {
      ...found.rows[0],
      counts: Object.fromEntries(counts.rows.map((row) => [row.verdict, row.rows])),
      withoutAccess: sumOf(counts.rows, ({ verdict, withReason }) => (verdict === 'failed' ? 0 : withReason)),
      warned: sumOf(counts.rows, ({ verdict, warned }) => (verdict === 'failed' ? 0 : warned)),
      rows: page.rows
        .slice(0, PAGE_SIZE)
        .map((row) => ({ ...row, typedEmail: Array.isArray(row.cells) ? (row.cells[emailColumn] ?? '') : '' })),
      next: last ? writeCursor(NumberKey, { number: Number(last.number), id: importId }) : null,
    })
  })
}

/**
 * The heading and the rows of an import that failed, or whose student got no access, in their original form, with the
 * reasons. Refuses with forbidden, not_found.
 */
export function listFailedRows(actor: Actor, input: ImportId) {
  requireStudentAdministrator(actor)
  const { importId } = input
  return inTenant(actor, async (tx) => {
    const { heading, emailColumn } = await requireHeading(tx, actor, importId)
    const { rows } = await tx.execute<{ number: number; cells: string[]; reason: string }>(sql`
      select number, cells, reason from student_import_row where tenant_id = current_tenant()
        and import_id = ${importId} and reason is not null order by number`)
    return { heading, rows: rows.map((row) => ({ ...row, typedEmail: row.cells[emailColumn] ?? '' })) }
  })
}

async function requireHeading(
  tx: Tx,
  actor: Actor,
  importId: string,
): Promise<{ heading: string[]; emailColumn: number }> {
  const { rows } = await tx.execute<{
    heading: string[]
    mapping: (string | null)[]
  }>(sql`select heading, mapping from student_import
    where tenant_id = current_tenant() and id = ${importId} and by = ${actor.membershipId}`)
  if (!rows[0]) throw new Refusal('not_found')
  return { heading: rows[0].heading, emailColumn: rows[0].mapping.indexOf('email') }
}

export interface RecentImport extends Record<string, unknown> {
  id: string
  state: (typeof IMPORT_STATES)[number]
  fileName: string
  total: number
  createdAt: Date
}

/** The actor's own imports of the last month, newest first, at most ten. Refuses with forbidden. */
export function listImports(actor: Actor): Promise<RecentImport[]> {
  requireStudentAdministrator(actor)
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<RecentImport>(sql`
      select id, state, file_name as "fileName", total, created_at as "createdAt" from student_import
      where tenant_id = current_tenant() and by = ${actor.membershipId} and created_at > now() - interval '30 days'
      order by created_at desc limit 10`)
    return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }))
  })
}
