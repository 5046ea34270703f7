import { getTableColumns, getTableName, is, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { type AnyPgColumn, type CheckBuilder, check, PgArray, type PgColumn } from 'drizzle-orm/pg-core'

/*
 * CHECK constraints with names that say what they check: `<table>_<column>_enum`, `_range`, `_length`, and
 * `<table>_<earlier>_<later>_order`. A null passes all of them.
 */

/** One check for every column of a table that is declared as `text({ enum })`, an array of such texts included. */
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

/** The closed list of texts that a column is declared with, or null. */
export function enumValuesOf(column: PgColumn): readonly string[] | null {
  const values: readonly string[] | undefined = is(column, PgArray) ? column.baseColumn.enumValues : column.enumValues
  return values && values.length > 0 ? values : null
}

/** A number from `least` to `most`, both included; without `most` it has no upper limit. */
export function rangeCheck(column: AnyPgColumn, least: number, most?: number): CheckBuilder {
  const condition =
    most === undefined
      ? sql`${column} >= ${sql.raw(String(least))}`
      : sql`${column} between ${sql.raw(String(least))} and ${sql.raw(String(most))}`
  return named(column, 'range', condition)
}

/** Numbers that count or measure something: never below zero. */
export function countChecks(...columns: AnyPgColumn[]): CheckBuilder[] {
  return columns.map((column) => rangeCheck(column, 0))
}

/** Percent of the whole. */
export const percentCheck = (column: AnyPgColumn): CheckBuilder => rangeCheck(column, 0, 100)

/** Numbers of versions, which begin with 1. */
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
