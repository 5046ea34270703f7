import type { StorageI18n } from '../file-text.ts'
import type { MenuAction } from './menu-actions.ts'

interface Props {
  count: number
  acts: readonly MenuAction[]
  /** Offered when not all rows of the folder are loaded and selected. */
  onAll: (() => void) | null
  onClear: () => void
  i18n: StorageI18n
}

/** Actions for the selected rows. */
export function SelectionBar({ count, acts, onAll, onClear, i18n }: Props) {
  const { t } = i18n
  return (
    <section aria-label={t('storage:list.selectionActs')} className="selection-bar">
      <span role="status" className="mr-auto font-medium">
        {t('storage:list.selected', { count })}
      </span>
      {onAll && (
        <button type="button" className="btn btn-ghost btn-sm" onClick={onAll}>
          {t('storage:list.selectAll')}
        </button>
      )}
      {acts.map(({ key, label, danger, run }) => (
        <button
          key={key}
          type="button"
          className={`btn btn-sm ${danger ? 'btn-error' : 'text-base-content'}`}
          onClick={run}
        >
          {label}
        </button>
      ))}
      <button type="button" className="btn btn-ghost btn-sm" onClick={onClear}>
        {t('storage:list.clearSelection')}
      </button>
    </section>
  )
}
