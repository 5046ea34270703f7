import { getTableColumns, getTableName, is, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { type AnyPgColumn, type CheckBuilder, check, PgArray, type PgColumn } from 'drizzle-orm/pg-core'

/*
 * CHECK constraints with descriptive names: `<table>_<column>_enum`, `_range`, `_length`, and
 * `<table>_<earlier>_<later>_order`. A null value satisfies all of them.
 */

/** One check for every column of a table that is declared as `text({ enum })`, including arrays of such texts. */
export function enumChecks(columns: Record<string, AnyPgColumn>): CheckBuilder[] {
  const [first] = Object.values(columns)
  if (!first) return []
  return Object.values(getTableColumns(first.table)).flatMap((column) => {
    const values = enumValuesOf(column)
    if (!values) return []
    const list = values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')
    const condition = is(column, PgArray)
      ? sql`${column} <@ array[${sql.raw(list)}]::text[]`
      : sql`${column} in (${sql.raw(list)})`
    return [named(column, 'enum', condition)]
  })
}

/** The allowed values of a column that is declared with an enum, or null. */
export function enumValuesOf(column: PgColumn): readonly string[] | null {
  const values: readonly string[] | undefined = is(column, PgArray) ? column.baseColumn.enumValues : column.enumValues
  return values && values.length > 0 ? values : null
}

/** A number between `least` and `most`, both inclusive; without `most` it has no upper limit. */
export function rangeCheck(column: AnyPgColumn, least: number, most?: number): CheckBuilder {
  const condition =
    most === undefined
      ? sql`${column} >= ${sql.raw(String(least))}`
      : sql`${column} between ${sql.raw(String(least))} and ${sql.raw(String(most))}`
  return named(column, 'range', condition)
}

/** Counts and measured values: never negative. */
export function countChecks(...columns: AnyPgColumn[]): CheckBuilder[] {
  return columns.map((column) => rangeCheck(column, 0))
}

/** A percentage, 0 to 100. */
export const percentCheck = (column: AnyPgColumn): CheckBuilder => rangeCheck(column, 0, 100)

/** Version numbers, which start with 1. */
export function versionChecks(...columns: AnyPgColumn[]): CheckBuilder[] {
  return columns.map((column) => rangeCheck(column, 1))
}

/** A text of at most `most` characters. */
export function lengthCheck(column: AnyPgColumn, most: number): CheckBuilder {
  return named(column, 'length', sql`char_length(${column}) <= ${sql.raw(String(most))}`)
}

/** Two instants or numbers of which the first comes before the second. */
export function orderCheck(earlier: AnyPgColumn, later: AnyPgColumn): CheckBuilder {
  return check(
    `${getTableName(earlier.table)}_${snakeName(earlier)}_${snakeName(later)}_order`,
    sql`${earlier} < ${later}`,
  )
}

function named(column: AnyPgColumn, kind: string, condition: SQL): CheckBuilder {
  return check(`${getTableName(column.table)}_${snakeName(column)}_${kind}`, condition)
}

const snakeName = (column: AnyPgColumn): string => toSnakeCase(column.name)
