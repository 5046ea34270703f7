import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { NumberKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { IMPORT_REASONS, IMPORT_STATES, IMPORT_VERDICTS } from '#lib/core/shared/student-import.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { type GetImport, type ImportId, ImportTargetInput } from './schema.ts'

const ImportRowView = z.object({
  number: z.number(),
  email: z.string().nullable(),
  name: z.string(),
  cells: z.array(z.string()),
  verdict: z.enum(IMPORT_VERDICTS).nullable(),
  reason: z.enum(IMPORT_REASONS).nullable(),
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
  rows: z.array(ImportRowView),
  next: z.string().nullable(),
})
export type ImportView = z.infer<typeof ImportView>

const PAGE_SIZE = 50

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
      tx.execute<{ verdict: string; rows: number }>(sql`
        select verdict, count(*)::int as rows from student_import_row
        where tenant_id = current_tenant() and import_id = ${importId} and verdict is not null group by verdict`),
      tx.execute<Record<string, unknown>>(sql`
        select number, email, trim(first_name || ' ' || last_name) as name, cells, verdict, reason from student_import_row
        where tenant_id = current_tenant() and import_id = ${importId} and number > ${after?.number ?? 0}
          and ${verdict ? sql`verdict = ${verdict}` : sql`true`} order by number limit ${PAGE_SIZE + 1}`),
    ])
    if (!found.rows[0]) throw new Refusal('not_found')
    const last = page.rows.length > PAGE_SIZE ? page.rows[PAGE_SIZE - 1] : undefined
    return parseStored(ImportView, {
      ...found.rows[0],
      counts: Object.fromEntries(counts.rows.map((row) => [row.verdict, row.rows])),
      rows: page.rows.slice(0, PAGE_SIZE),
      next: last ? writeCursor(NumberKey, { number: Number(last.number), id: importId }) : null,
    })
  })
}

/**
 * The heading and the failed rows of an import in their original form, with the reasons. Refuses with forbidden,
 * not_found.
 */
export function listFailedRows(actor: Actor, input: ImportId) {
  requireStudentAdministrator(actor)
  const { importId } = input
  return inTenant(actor, async (tx) => {
    const heading = await requireHeading(tx, actor, importId)
    const { rows } = await tx.execute<{ number: number; cells: string[]; reason: string }>(sql`
      select number, cells, reason from student_import_row where tenant_id = current_tenant()
        and import_id = ${importId} and verdict = 'failed' order by number`)
    return { heading, rows }
  })
}

async function requireHeading(tx: Tx, actor: Actor, importId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ heading: string[] }>(sql`select heading from student_import
    where tenant_id = current_tenant() and id = ${importId} and by = ${actor.membershipId}`)
  if (!rows[0]) throw new Refusal('not_found')
  return rows[0].heading
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
