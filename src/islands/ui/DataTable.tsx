import { type ReactNode, useState } from 'react'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { Menu } from './Menu.tsx'

export interface Column<Row> {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  numeric?: boolean
  /** The link that sorts by this column, and how it is sorted now; the server does the work. */
  sortHref?: string
  sorted?: 'ascending' | 'descending'
  /** Can be put away by the person. */
  optional?: boolean
}

export interface BulkAct {
  key: string
  label: string
  danger?: boolean
  run: (keys: string[]) => void
}

interface Props<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** How a row is called, for its checkbox. */
  nameOf: (row: Row) => string
  /** Speaks the `shell` strings. */
  say: Say
  /** Keyset pages are links. */
  previousHref?: string | null
  nextHref?: string | null
  bulk?: readonly BulkAct[]
  /** Filters as links or a GET form. */
  filters?: ReactNode
  /** Stands in for the rows when there are none. */
  empty?: ReactNode
}

/** Sorted, filtered and paged by the server through links; rows become cards on a phone. */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, keyOf, say, bulk = [], filters, empty } = props
  const [hidden, setHidden] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const shown = columns.filter((column) => !hidden.includes(column.key))
  const optional = columns.filter((column) => column.optional)
  const turn = (list: readonly string[], key: string) =>
    list.includes(key) ? list.filter((each) => each !== key) : [...list, key]
  if (rows.length === 0 && empty)
    return (
      <>
        {filters}
        {empty}
      </>
    )
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">{filters}</div>
        {optional.length > 0 && (
          <Menu
            trigger={
              <button type="button" className="btn btn-sm max-sm:hidden">
                {say('shell:table.columns')}
              </button>
            }
            entries={optional.map((column) => ({
              key: column.key,
              label: column.label,
              checked: !hidden.includes(column.key),
              onSelect: () => setHidden(turn(hidden, column.key)),
            }))}
          />
        )}
      </div>
      {chosen.length > 0 && <BulkBar chosen={chosen} bulk={bulk} say={say} onClear={() => setChosen([])} />}
      <table className="data-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {bulk.length > 0 && (
              <th scope="col" className="w-10">
                <input
                  type="checkbox"
                  className="checkbox checkbox-sm"
                  aria-label={say('shell:table.selectAll')}
                  checked={chosen.length === rows.length}
                  onChange={() => setChosen(chosen.length === rows.length ? [] : rows.map(keyOf))}
                />
              </th>
            )}
            {shown.map((column) => (
              <HeadCell key={column.key} column={column} say={say} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-chosen={chosen.includes(keyOf(row))}>
              {bulk.length > 0 && (
                <td>
                  <input
                    type="checkbox"
                    className="checkbox checkbox-sm"
                    aria-label={say('shell:table.select', { name: props.nameOf(row) })}
                    checked={chosen.includes(keyOf(row))}
                    onChange={() => setChosen(turn(chosen, keyOf(row)))}
                  />
                </td>
              )}
              {shown.map((column) => (
                <td key={column.key} data-label={column.label} className={column.numeric ? 'numeric' : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Pages previousHref={props.previousHref} nextHref={props.nextHref} say={say} />
    </div>
  )
}

function HeadCell<Row>({ column, say }: { column: Column<Row>; say: Say }) {
  const { label, sortHref, sorted, numeric } = column
  return (
    <th scope="col" aria-sort={sorted ?? (sortHref ? 'none' : undefined)} className={numeric ? 'numeric' : undefined}>
      {sortHref ? (
        <a href={sortHref} className="inline-flex min-h-6 items-center gap-1 hover:text-base-content">
          {label}
          <span aria-hidden="true">{sorted === 'ascending' ? '↑' : sorted === 'descending' ? '↓' : ''}</span>
          {sorted && (
            <span className="sr-only">
              {say(sorted === 'ascending' ? 'shell:table.sortAscending' : 'shell:table.sortDescending')}
            </span>
          )}
        </a>
      ) : (
        label
      )}
    </th>
  )
}

interface BulkBarProps {
  chosen: readonly string[]
  bulk: readonly BulkAct[]
  say: Say
  onClear: () => void
}

function BulkBar({ chosen, bulk, say, onClear }: BulkBarProps) {
  return (
    <section
      aria-label={say('shell:table.actions')}
      className="card-line flex flex-wrap items-center gap-2 bg-secondary px-3 py-2 text-secondary-content text-sm"
    >
      <span role="status" className="mr-auto font-medium">
        {say('shell:table.selected', { count: chosen.length })}
      </span>
      {bulk.map((act) => (
        <button
          key={act.key}
          type="button"
          className={`btn btn-sm ${act.danger ? 'btn-error' : 'text-base-content'}`}
          onClick={() => act.run([...chosen])}
        >
          {act.label}
        </button>
      ))}
      <button type="button" className="btn btn-ghost btn-sm" onClick={onClear}>
        {say('shell:table.clearSelection')}
      </button>
    </section>
  )
}

function Pages({
  previousHref,
  nextHref,
  say,
}: {
  previousHref?: string | null | undefined
  nextHref?: string | null | undefined
  say: Say
}) {
  if (!previousHref && !nextHref) return null
  return (
    <nav aria-label={say('shell:table.pages')} className="flex justify-end gap-2">
      {previousHref && (
        <a className="btn btn-sm" href={previousHref} rel="prev">
          {say('shell:table.previous')}
        </a>
      )}
      {nextHref && (
        <a className="btn btn-sm" href={nextHref} rel="next">
          {say('shell:table.next')}
        </a>
      )}
    </nav>
  )
}
