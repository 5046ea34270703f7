import { EmptyState } from '#islands/ui/State.tsx'
import type { Words } from '../file-text.ts'
import { type Asked, addressOf, isSearch, START } from './listing-query.ts'

interface Props {
  asked: Asked
  top: boolean
  writes: boolean
  words: Words
  onUpload?: () => void
}

/** An empty folder, an empty trash, a search that found nothing: what this is for, and one act. */
export function Nothing({ asked, top, writes, words, onUpload }: Props) {
  const { t } = words
  if (isSearch(asked)) {
    return (
      <EmptyState figure="0" title={t('storage:list.nothing')} text={t('storage:list.nothingHint')}>
        <a href={addressOf(START, { trash: asked.trash })} className="btn">
          {t('storage:list.clear')}
        </a>
      </EmptyState>
    )
  }
  if (asked.trash) {
    return (
      <EmptyState figure="0" title={t('storage:trash.nothing')} text={t('storage:trash.nothingHint')}>
        <a href="/storage" className="btn">
          {t('storage:trash.back')}
        </a>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      figure={t('storage:list.emptyFigure')}
      title={t(top ? 'storage:list.emptyTop' : 'storage:list.empty')}
      {...(writes && { text: t('storage:list.emptyHint') })}
    >
      {writes && (
        <button type="button" className="btn btn-primary needs-script" onClick={onUpload}>
          {t('storage:page.uploadFiles')}
        </button>
      )}
    </EmptyState>
  )
}
