import { EmptyState } from '#islands/ui/EmptyState.tsx'
import type { StorageI18n } from '../file-text.ts'
import { EMPTY_QUERY, isSearch, type ListingQuery, listingUrl } from './listing-query.ts'

interface Props {
  query: ListingQuery
  top: boolean
  canWrite: boolean
  i18n: StorageI18n
  onUpload?: () => void
}

/** Empty state of a folder, the trash or a search, with one action. */
export function EmptyListing({ query, top, canWrite, i18n, onUpload }: Props) {
  const { t } = i18n
  if (isSearch(query)) {
    return (
      <EmptyState illustration="search" title={t('storage:list.nothing')} text={t('storage:list.nothingHint')}>
        <a href={listingUrl(EMPTY_QUERY, { trash: query.trash })} className="btn">
          {t('storage:list.clear')}
        </a>
      </EmptyState>
    )
  }
  if (query.trash) {
    return (
      <EmptyState title={t('storage:trash.nothing')} text={t('storage:trash.nothingHint')}>
        <a href="/storage" className="btn">
          {t('storage:trash.back')}
        </a>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      illustration="folder"
      title={t(top ? 'storage:list.emptyTop' : 'storage:list.empty')}
      {...(canWrite && { text: t('storage:list.emptyHint') })}
    >
      {canWrite && (
        <button type="button" className="btn btn-primary needs-script" onClick={onUpload}>
          {t('storage:page.uploadFiles')}
        </button>
      )}
    </EmptyState>
  )
}
