import { type SQL, sql } from 'drizzle-orm'
import type { ScheduleQuery } from '#lib/core/calendar/schedule-source.ts'
import type { Tx } from '#lib/core/db/db.ts'

export interface DayRows<Row> {
  rows: Row[]
  omitted: Map<number, number>
}

/**
 * The first rows of each day, and the number of the others: a day is read by its index, however many rows the month has.
 * @param from the joined tables with their conditions, after `from`
 * @param start the column by which the rows are ordered, with an index
 */
export async function loadDayRows<Row>(
  tx: Tx,
  { boundaries, maxPerDay }: ScheduleQuery,
  { columns, from, where, start, id }: { columns: SQL; from: SQL; where: SQL; start: SQL; id: SQL },
): Promise<DayRows<Row>> {
  const at = sql`${sql.param(boundaries.map((instant) => instant.toISOString()))}::timestamptz[]`
  const counts = tx.execute<{ day: number; total: number }>(sql`
    select width_bucket(${start}, ${at}) - 1 as day, count(*)::int as total from ${from}
    where ${where} and ${start} >= (${at})[1] and ${start} < (${at})[${boundaries.length}::int] group by 1`)
  const rows = tx.execute<Record<string, unknown>>(sql`
    select d.place::int - 1 as day, i.* from unnest((${at})[1:${boundaries.length - 1}::int], (${at})[2:])
      with ordinality as d(begins, ends, place)
    cross join lateral (select ${columns}, ${start} as "startAt" from ${from}
      where ${where} and ${start} >= d.begins and ${start} < d.ends order by ${start}, ${id} limit ${maxPerDay}) i`)
  const [counted, found] = await Promise.all([counts, rows])
  const shown = new Map<number, number>()
  for (const { day } of found.rows) shown.set(Number(day), (shown.get(Number(day)) ?? 0) + 1)
  return {
    // The columns of the statement are those of the row.
    rows: found.rows as Row[],
    omitted: new Map(
      counted.rows.flatMap(({ day, total }) => {
        const left = total - (shown.get(day) ?? 0)
        return left > 0 ? [[day, left] as const] : []
      }),
    ),
  }
}
