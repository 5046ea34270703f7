import { type ReactNode, useState } from 'react'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { Menu } from './Menu.tsx'

interface Column<Row> {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  numeric?: boolean
  /** The link that sorts by this column, and how it is sorted now; the server does the work. */
  sortHref?: string
  sorted?: 'ascending' | 'descending'
  /** Can be hidden by the user. */
  optional?: boolean
}

interface BulkAction {
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
  /** The name of a row, for its checkbox. */
  nameOf: (row: Row) => string
  /** Translates the `shell` strings. */
  t: Translate
  /** Keyset pages are links. */
  previousHref?: string | null
  nextHref?: string | null
  bulk?: readonly BulkAction[]
  /** Filters as links or a GET form. */
  filters?: ReactNode
  /** Shown when there are no rows. */
  empty?: ReactNode
}

/** Sorted, filtered and paged by the server through links; rows become cards on a phone. */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, keyOf, t, bulk = [], filters, empty } = props
  const [hidden, setHidden] = useState<readonly string[]>([])
  const [selected, setSelected] = useState<readonly string[]>([])
  const shown = columns.filter((column) => !hidden.includes(column.key))
  const optional = columns.filter((column) => column.optional)
  const toggle = (list: readonly string[], key: string) =>
    list.includes(key) ? list.filter((item) => item !== key) : [...list, key]
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
                {t('shell:table.columns')}
              </button>
            }
            entries={optional.map((column) => ({
              key: column.key,
              label: column.label,
              checked: !hidden.includes(column.key),
              onSelect: () => setHidden(toggle(hidden, column.key)),
            }))}
          />
        )}
      </div>
      {selected.length > 0 && <BulkBar selected={selected} bulk={bulk} t={t} onClear={() => setSelected([])} />}
      <table className="data-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {bulk.length > 0 && (
              <th scope="col" className="w-10">
                <input
                  type="checkbox"
                  className="checkbox checkbox-sm"
                  aria-label={t('shell:table.selectAll')}
                  checked={selected.length === rows.length}
                  onChange={() => setSelected(selected.length === rows.length ? [] : rows.map(keyOf))}
                />
              </th>
            )}
            {shown.map((column) => (
              <HeadCell key={column.key} column={column} t={t} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-chosen={selected.includes(keyOf(row))}>
              {bulk.length > 0 && (
                <td>
                  <input
                    type="checkbox"
                    className="checkbox checkbox-sm"
                    aria-label={t('shell:table.select', { name: props.nameOf(row) })}
                    checked={selected.includes(keyOf(row))}
                    onChange={() => setSelected(toggle(selected, keyOf(row)))}
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
      <Pages previousHref={props.previousHref} nextHref={props.nextHref} t={t} />
    </div>
  )
}

function HeadCell<Row>({ column, t }: { column: Column<Row>; t: Translate }) {
  const { label, sortHref, sorted, numeric } = column
  return (
    <th scope="col" aria-sort={sorted ?? (sortHref ? 'none' : undefined)} className={numeric ? 'numeric' : undefined}>
      {sortHref ? (
        <a href={sortHref} className="inline-flex min-h-6 items-center gap-1 hover:text-base-content">
          {label}
          <span aria-hidden="true">{sorted === 'ascending' ? '↑' : sorted === 'descending' ? '↓' : ''}</span>
          {sorted && (
            <span className="sr-only">
              {t(sorted === 'ascending' ? 'shell:table.sortAscending' : 'shell:table.sortDescending')}
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
  selected: readonly string[]
  bulk: readonly BulkAction[]
  t: Translate
  onClear: () => void
}

function BulkBar({ selected, bulk, t, onClear }: BulkBarProps) {
  return (
    <section
      aria-label={t('shell:table.actions')}
      className="card-line flex flex-wrap items-center gap-2 bg-secondary px-3 py-2 text-secondary-content text-sm"
    >
      <span role="status" className="mr-auto font-medium">
        {t('shell:table.selected', { count: selected.length })}
      </span>
      {bulk.map((act) => (
        <button
          key={act.key}
          type="button"
          className={`btn btn-sm ${act.danger ? 'btn-error' : 'text-base-content'}`}
          onClick={() => act.run([...selected])}
        >
          {act.label}
        </button>
      ))}
      <button type="button" className="btn btn-ghost btn-sm" onClick={onClear}>
        {t('shell:table.clearSelection')}
      </button>
    </section>
  )
}

function Pages({
  previousHref,
  nextHref,
  t,
}: {
  previousHref?: string | null | undefined
  nextHref?: string | null | undefined
  t: Translate
}) {
  if (!previousHref && !nextHref) return null
  return (
    <nav aria-label={t('shell:table.pages')} className="flex justify-end gap-2">
      {previousHref && (
        <a className="btn btn-sm" href={previousHref} rel="prev">
          {t('shell:table.previous')}
        </a>
      )}
      {nextHref && (
        <a className="btn btn-sm" href={nextHref} rel="next">
          {t('shell:table.next')}
        </a>
      )}
    </nav>
  )
}
