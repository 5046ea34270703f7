import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { readCsv, writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { mustManage, mustSeeWorkshop } from '#lib/workshop/permission.ts'
import { workshop } from '#lib/workshop/table.ts'
import { insertLines } from './autowebinar.ts'
import { COLUMNS, type Named, type ReadRow, type RowError, readRow, rowOf } from './csv-row.ts'
import { noteFiles } from './film-use.ts'
import { beginPlan } from './plan.ts'
import { ImportScript, MOST_LINES, OfWorkshop } from './schema.ts'
import { linesOf, removeAll } from './script.ts'

export interface ImportOutcome {
  /** Lines that were written, or would be. */
  added: number
  /** Rows that were not taken, as they stand in the file; `row` counts from 1. */
  errors: { row: number; error: RowError; text: string }[]
}

/**
 * Takes a script in from CSV: `offset;type;author;role;text`, and `data` for what these can't say. What is right is
 * taken, what is wrong comes back row by row. The same file with the same `importId` is taken once. Refuses with
 * unprocessable when the script would be too long; with forbidden, plan_inactive, not_found.
 */
export function importScript(actor: Actor, input: ImportScript): Promise<ImportOutcome> {
  const { workshopId, importId, csv, replace, dryRun } = ImportScript.parse(input)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const { lines, errors } = readScript(csv, await namedIn(tx, workshopId))
    if (dryRun) return { added: lines.length, errors }
    await beginPlan(tx, actor.tenantId, workshopId, {})
    const there = await linesOf(tx, workshopId)
    const known = new Set(there.map(({ id }) => id))
    const rows = lines.map((line, position) => ({ ...line, position, id: idOf(importId, position) }))
    // Taken in before: a second click, or an answer that was lost.
    if (rows.some(({ id }) => known.has(id))) return { added: rows.length, errors }
    if (rows.length + (replace ? 0 : there.length) > MOST_LINES) {
      throw new Refusal('unprocessable', { fields: { form: ['script_full'] } })
    }
    if (replace) await removeAll(tx, workshopId)
    await insertLines(tx, actor, workshopId, rows)
    await noteFiles(tx, actor, workshopId)
    return { added: rows.length, errors }
  })
}

/** The script as a file that `importScript` reads back. Refuses with forbidden, not_found. */
export function getScriptFile(actor: Actor, input: { workshopId: string }): Promise<{ csv: string }> {
  const { workshopId } = OfWorkshop.parse(input)
  return inTenant(actor, async (tx) => {
    await mustSeeWorkshop(tx, actor, workshopId)
    const rows = (await linesOf(tx, workshopId)).map(rowOf)
    return { csv: writeCsv(COLUMNS, rows, { delimiter: ';' }) }
  })
}

/** The lines of a file, and the rows that are none. */
export function readScript(csv: string, named: Named): { lines: ReadRow[]; errors: ImportOutcome['errors'] } {
  const lines: ReadRow[] = []
  const errors: ImportOutcome['errors'] = []
  for (const [index, cells] of readCsv(csv).entries()) {
    if (index === 0 && cells[0]?.trim().toLowerCase() === COLUMNS[0]) continue
    const read = readRow(cells, named)
    if (typeof read === 'string') errors.push({ row: index + 1, error: read, text: cells.join(';') })
    else lines.push(read)
  }
  return { lines, errors }
}

async function namedIn(tx: Tx, workshopId: string): Promise<Named> {
  const [of] = await tx
    .select({ slidesFileId: workshop.slidesFileId })
    .from(workshop)
    .where(eq(workshop.id, workshopId))
  return { buttons: new Map(), polls: new Map(), handouts: new Map(), slidesFileId: of?.slidesFileId ?? null }
}

/** An id that the same row of the same import always gets (RFC 9562, version 8). */
function idOf(importId: string, row: number): string {
  const hex = createHash('sha256').update(`${importId} ${row}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
