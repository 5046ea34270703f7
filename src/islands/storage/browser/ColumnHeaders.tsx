import { ArrowDown, ArrowUp } from 'lucide-react'
import type { StorageI18n } from '../file-text.ts'
import { COLUMN_HEADER, rowRole, sortedHeader } from './aria-roles.ts'
import { isSearch, type ListingQuery, listingUrl } from './listing-query.ts'

type Sort = ListingQuery['sort']

/** Column headers: links that sort. */
export function ColumnHeaders({ query, i18n }: { query: ListingQuery; i18n: StorageI18n }) {
  const { t } = i18n
  const third = query.trash ? 'storage:trash.left' : isSearch(query) ? 'storage:list.folder' : 'storage:list.used'
  return (
    <div {...rowRole(1)} className="file-heads">
      <div {...COLUMN_HEADER} className="file-tick">
        <span className="sr-only">{t('storage:list.selectionActs')}</span>
      </div>
      <ColumnHeader query={query} sort="name" label={t('storage:list.name')} />
      <div {...COLUMN_HEADER} className="file-wide">
        {t(third)}
      </div>
      <ColumnHeader query={query} sort="size" label={t('storage:list.size')} className="file-wide numeric" />
      <ColumnHeader
        query={query}
        sort="createdAt"
        label={t(query.trash ? 'storage:trash.deleted' : 'storage:list.date')}
        className="file-wide"
      />
      <div {...COLUMN_HEADER} className="file-more">
        <span className="sr-only">{t('storage:list.details')}</span>
      </div>
    </div>
  )
}

interface ColumnHeaderProps {
  query: ListingQuery
  sort: Sort
  label: string
  className?: string
}

function ColumnHeader({ query, sort, label, className }: ColumnHeaderProps) {
  // The trash has a fixed order: the last deleted first.
  if (query.trash) {
    return (
      <div {...COLUMN_HEADER} className={className}>
        {label}
      </div>
    )
  }
  const sorted = query.sort === sort
  const first = sort === 'name' ? 'asc' : 'desc'
  const dir = sorted ? (query.dir === 'asc' ? 'desc' : 'asc') : first
  const Arrow = query.dir === 'asc' ? ArrowUp : ArrowDown
  return (
    <div {...sortedHeader(sorted ? (query.dir === 'asc' ? 'ascending' : 'descending') : 'none')} className={className}>
      <a href={listingUrl(query, { sort, dir })} className="inline-flex min-h-6 items-center gap-1">
        {label}
        {sorted && <Arrow size={14} strokeWidth={1.75} aria-hidden="true" />}
      </a>
    </div>
  )
}
