import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Words } from '../file-text.ts'
import { HEAD, rowAt, sortedHead } from './aria-roles.ts'
import { type Asked, addressOf, isSearch } from './listing-query.ts'

type Sort = Asked['sort']

/** The line above the list: links that sort. */
export function Heads({ asked, words }: { asked: Asked; words: Words }) {
  const { t } = words
  const third = asked.trash ? 'storage:trash.left' : isSearch(asked) ? 'storage:list.folder' : 'storage:list.used'
  return (
    <div {...rowAt(1)} className="file-heads">
      <div {...HEAD} className="file-tick">
        <span className="sr-only">{t('storage:list.selectionActs')}</span>
      </div>
      <Head asked={asked} sort="name" label={t('storage:list.name')} />
      <div {...HEAD} className="file-wide">
        {t(third)}
      </div>
      <Head asked={asked} sort="size" label={t('storage:list.size')} className="file-wide numeric" />
      <Head
        asked={asked}
        sort="createdAt"
        label={t(asked.trash ? 'storage:trash.deleted' : 'storage:list.date')}
        className="file-wide"
      />
      <div {...HEAD} className="file-more">
        <span className="sr-only">{t('storage:list.details')}</span>
      </div>
    </div>
  )
}

interface HeadProps {
  asked: Asked
  sort: Sort
  label: string
  className?: string
}

function Head({ asked, sort, label, className }: HeadProps) {
  // The trash has one order: what was deleted last comes first.
  if (asked.trash) {
    return (
      <div {...HEAD} className={className}>
        {label}
      </div>
    )
  }
  const sorted = asked.sort === sort
  const first = sort === 'name' ? 'asc' : 'desc'
  const dir = sorted ? (asked.dir === 'asc' ? 'desc' : 'asc') : first
  const Arrow = asked.dir === 'asc' ? ArrowUp : ArrowDown
  return (
    <div {...sortedHead(sorted ? (asked.dir === 'asc' ? 'ascending' : 'descending') : 'none')} className={className}>
      <a href={addressOf(asked, { sort, dir })} className="inline-flex min-h-6 items-center gap-1">
        {label}
        {sorted && <Arrow size={14} strokeWidth={1.75} aria-hidden="true" />}
      </a>
    </div>
  )
}
