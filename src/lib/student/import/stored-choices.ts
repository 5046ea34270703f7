import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { ImportTarget } from '#lib/core/shared/student-import.ts'
import { foldHeading } from './headings.ts'

const MAX_HEADING = 200

/** What the school has chosen for headings, in the form of `foldHeading`, other than what is guessed. */
export async function loadStoredChoices(tx: Tx): Promise<Map<string, ImportTarget | null>> {
  const { rows } = await tx.execute<{ heading: string; field: ImportTarget | null }>(
    sql`select heading, field from student_import_column where tenant_id = current_tenant() limit 1000`,
  )
  return new Map(rows.map(({ heading, field }) => [heading, field]))
}

/**
 * Stores the choices of a mapping that differ from the guess, and forgets the others: what nobody has chosen follows the
 * guesses of later versions.
 */
export async function storeChoices(
  tx: Tx,
  heading: readonly string[],
  mapping: readonly (ImportTarget | null)[],
  guessed: readonly (ImportTarget | null)[],
): Promise<void> {
  const choices = new Map<string, { field: ImportTarget | null; isChosen: boolean }>()
  for (const [index, title] of heading.entries()) {
    const key = foldHeading(title).slice(0, MAX_HEADING)
    const [field, guess] = [mapping[index] ?? null, guessed[index] ?? null]
    if (key !== '' && !choices.has(key)) choices.set(key, { field, isChosen: field !== guess })
  }
  const rows = [...choices].map(([title, choice]) => ({ heading: title, ...choice }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(heading text, field text, "isChosen" boolean)`
  await tx.execute(sql`
    delete from student_import_column where tenant_id = current_tenant()
      and heading in (select c.heading from ${given} where not c."isChosen")`)
  await tx.execute(sql`
    insert into student_import_column (tenant_id, heading, field)
    select current_tenant(), c.heading, c.field from ${given} where c."isChosen"
    order by c.heading on conflict (tenant_id, heading) do update set field = excluded.field`)
}
