import { sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { type Actor, toRequestingActor } from '#lib/core/shared/actor.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { selectFields } from '../fields/fields.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { guessMapping } from './guess-mapping.ts'
import { type ImportId, MAX_STUDENT_TABLE_BYTES } from './schema.ts'
import { loadStoredChoices } from './stored-choices.ts'
import { studentImport } from './table.ts'
import type { parseStudentTable } from './worker.ts'

const parseInWorker = workerTask<typeof parseStudentTable>({
  file: 'src/lib/student/import/worker.ts',
  name: 'parseStudentTable',
  lane: 'request',
  limitMs: 20_000,
})

/**
 * Reads a table of students from a file (CSV or XLSX) or pasted text and stores its rows for `mapImport`; no student is
 * added yet. `importId` is chosen by the form, so that posting it twice creates one import. Refuses with forbidden,
 * plan_inactive, too_large, unprocessable (no table, without addresses, too many rows, too complex), too_many
 * (parse_busy), not_found (the id of another import).
 */
export async function uploadImport(
  actor: Actor,
  input: ImportId & { bytes: Uint8Array; fileName: string },
): Promise<ImportId> {
  requireStudentAdministrator(actor)
  requirePlan(actor, 'lms')
  const { importId } = input
  if (input.bytes.length > MAX_STUDENT_TABLE_BYTES) throw new Refusal('too_large')
  const { heading, rows } = await parseInWorker({ bytes: input.bytes })
  return inTenant(actor, async (tx) => {
    const [storedChoices, fields] = await Promise.all([loadStoredChoices(tx), selectFields(tx)])
    const mapping = guessMapping(heading, rows, storedChoices, fields)
    const [created] = await tx
      .insert(studentImport)
      .values({
        tenantId: actor.tenantId,
        id: importId,
        by: actor.membershipId,
        actor: toRequestingActor(actor),
        state: 'mapping',
        fileName: input.fileName.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 200),
        heading: heading ?? [],
        mapping,
        total: rows.length,
      })
      .onConflictDoNothing()
      .returning({ id: studentImport.id })
    if (!created) return requireOwnImport(tx, actor, importId)
    // One parameter instead of one statement per row: jsonb_array_elements numbers the rows.
    await tx.execute(sql`insert into student_import_row (tenant_id, import_id, number, cells)
      select current_tenant(), ${importId}::uuid, r.number, r.cells
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as r(cells, number)`)
    return { importId }
  })
}

async function requireOwnImport(tx: Tx, actor: Actor, importId: string): Promise<ImportId> {
  const { rows } = await tx.execute(sql`select 1 from student_import
    where tenant_id = current_tenant() and id = ${importId} and by = ${actor.membershipId}`)
  if (rows.length === 0) throw new Refusal('not_found')
  return { importId }
}
