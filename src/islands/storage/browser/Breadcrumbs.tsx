import { ChevronRight } from 'lucide-react'
import type { DragEvent } from 'react'
import type { StorageI18n } from '../file-text.ts'
import { folderUrl, isSearch, type ListingCrumb, type ListingQuery } from './listing-query.ts'

interface DropTarget {
  /** The folder under the dragged files; undefined for none. */
  over: string | null | undefined
  onOver: (event: DragEvent, folderId: string | null) => void
  onLeave: () => void
  onDrop: (event: DragEvent, folderId: string | null) => void
}

interface Props {
  path: readonly ListingCrumb[]
  query: ListingQuery
  i18n: StorageI18n
  receiver?: DropTarget | undefined
}

/** The path of the folder; files can be dropped on each part. */
export function Breadcrumbs({ path, query, i18n, receiver }: Props) {
  const { t } = i18n
  const steps: { id: string | null; name: string }[] = [{ id: null, name: t('storage:list.top') }, ...path]
  const isSearchResult = isSearch(query)
  return (
    <nav aria-label={t('storage:list.path')} className="min-w-0">
      <ol className="flex min-w-0 flex-wrap items-center gap-x-1 text-sm">
        {steps.map(({ id, name }, index) => {
          const here = !isSearchResult && index === steps.length - 1
          return (
            <li key={id ?? ''} className="flex min-w-0 max-w-full items-center gap-1">
              {index > 0 && (
                <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted" />
              )}
              <a
                href={folderUrl(query, id)}
                aria-current={here ? 'page' : undefined}
                className="path-step"
                data-receiving={receiver?.over === id || undefined}
                onDragOver={(event) => receiver?.onOver(event, id)}
                onDragLeave={receiver?.onLeave}
                onDrop={(event) => receiver?.onDrop(event, id)}
              >
                {name}
              </a>
            </li>
          )
        })}
        {isSearchResult && (
          <li className="flex items-center gap-1 text-muted">
            <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('storage:list.found')}
          </li>
        )}
      </ol>
    </nav>
  )
}
