import { eq } from 'drizzle-orm'
import { readCsv, writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { derivedId } from '#lib/core/db/id.ts'
import { formRefusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireManagedWorkshop, requireReadableWorkshop } from '#lib/workshop/permission.ts'
import { workshop } from '#lib/workshop/table.ts'
import { insertEntries } from './autowebinar.ts'
import { CSV_COLUMNS, type ItemNames, type ParsedEntry, parseRow, type RowError, toCsvRow } from './csv-row.ts'
import { recordPlanFileUse } from './file-use.ts'
import { ensurePlan } from './plan.ts'
import { type ImportScript, MAX_ENTRIES } from './schema.ts'
import { deleteAllEntries, readEntries } from './script.ts'

export interface ScriptImportOutcome {
  /** Number of entries that were added, or would be. */
  added: number
  /** Invalid rows as in the file; `row` counts from 1. */
  errors: { row: number; error: RowError; text: string }[]
}

/**
 * Imports a script from CSV: `offset;type;author;role;text`, and `data` for further fields. Valid rows are imported,
 * invalid ones are returned. The same `importId` is imported once. Refuses with unprocessable when the script would be
 * too long; with forbidden, plan_inactive, not_found.
 */
export function importScript(actor: Actor, input: ImportScript): Promise<ScriptImportOutcome> {
  const { workshopId, importId, csv, replace, dryRun } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const { entries, errors } = parseScript(csv, await readItemNames(tx, workshopId))
    if (dryRun) return { added: entries.length, errors }
    await ensurePlan(tx, actor.tenantId, workshopId, {})
    const existing = await readEntries(tx, workshopId)
    const existingIds = new Set(existing.map(({ id }) => id))
    const rows = entries.map((entry, position) => ({ ...entry, position, id: entryIdOf(importId, position) }))
    // Already imported: a double click, or a repeated request after a lost response.
    if (rows.some(({ id }) => existingIds.has(id))) return { added: rows.length, errors }
    if (rows.length + (replace ? 0 : existing.length) > MAX_ENTRIES) {
      throw formRefusal('script_full')
    }
    if (replace) await deleteAllEntries(tx, workshopId)
    await insertEntries(tx, actor, workshopId, rows)
    await recordPlanFileUse(tx, actor, workshopId)
    return { added: rows.length, errors }
  })
}

/** The script as a file that `importScript` accepts. Refuses with forbidden, not_found. */
export function getScriptFile(actor: Actor, input: { workshopId: string }): Promise<{ csv: string }> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireReadableWorkshop(tx, actor, workshopId)
    const rows = (await readEntries(tx, workshopId)).map(toCsvRow)
    return { csv: writeCsv(CSV_COLUMNS, rows, { delimiter: ';' }) }
  })
}

/** Entries of a file, and its invalid rows. */
export function parseScript(
  csv: string,
  itemNames: ItemNames,
): { entries: ParsedEntry[]; errors: ScriptImportOutcome['errors'] } {
  const entries: ParsedEntry[] = []
  const errors: ScriptImportOutcome['errors'] = []
  for (const [index, cells] of readCsv(csv).entries()) {
    if (index === 0 && cells[0]?.trim().toLowerCase() === CSV_COLUMNS[0]) continue
    const parsed = parseRow(cells, itemNames)
    if (typeof parsed === 'string') errors.push({ row: index + 1, error: parsed, text: cells.join(';') })
    else entries.push(parsed)
  }
  return { entries, errors }
}

async function readItemNames(tx: Tx, workshopId: string): Promise<ItemNames> {
  const [event] = await tx
    .select({ slidesFileId: workshop.slidesFileId })
    .from(workshop)
    .where(eq(workshop.id, workshopId))
  return { buttons: new Map(), polls: new Map(), handouts: new Map(), slidesFileId: event?.slidesFileId ?? null }
}

/** The id of a row of an import: the same when the import is repeated. */
const entryIdOf = (importId: string, row: number): string => derivedId(`${importId} ${row}`)
