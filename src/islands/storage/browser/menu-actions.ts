import type { MenuAction as BaseMenuAction } from '#islands/ui/ActionMenu.tsx'
import type { Storage } from '../use-storage.ts'
import type { ListingQuery } from './listing-query.ts'

export interface FileMenuAction extends BaseMenuAction {
  run: () => void
}

/** Selects all rows of the folder, also those that are not loaded. */
export function selectAllAction(storage: Storage): FileMenuAction {
  return { key: 'selectAll', label: storage.i18n.t('storage:list.selectAll'), run: () => void storage.all() }
}

/** Actions for the selected rows, for the bar above the list. */
export function fileSelectionActions(storage: Storage, query: ListingQuery, canWrite: boolean): FileMenuAction[] {
  const { i18n, actions, chosen, setQuestion, runAction } = storage
  const { t } = i18n
  const download = { key: 'download', label: t('storage:list.downloadZip'), run: () => void actions.download(chosen()) }
  if (!canWrite) return query.trash ? [] : [download]
  const some = chosen()
  if (query.trash) {
    return [
      { key: 'restore', label: t('storage:trash.restore'), run: () => void actions.restore(some) },
      {
        key: 'purge',
        label: t('storage:trash.purge'),
        danger: true,
        run: () => setQuestion({ kind: 'purge', ids: some }),
      },
    ]
  }
  return [
    { key: 'move', label: t('storage:list.move'), run: () => setQuestion({ kind: 'move', ids: some }) },
    { key: 'copy', label: t('storage:list.copy'), run: () => runAction({ do: 'copy' }) },
    download,
    { key: 'delete', label: t('storage:list.delete'), danger: true, run: () => runAction({ do: 'delete' }) },
  ]
}

/** Actions of the context menu, with those for a single row. */
export function rowMenuActions(storage: Storage, query: ListingQuery, canWrite: boolean): FileMenuAction[] {
  const { i18n, listing, selection, runAction, setDetails, clipboard } = storage
  const { t } = i18n
  const more = fileSelectionActions(storage, query, canWrite)
  const row = listing.rows[selection.active]
  if (query.trash || !row || selection.selected.size > 1) return more
  const folder = row.kind === 'folder'
  const first: FileMenuAction[] = [
    {
      key: 'open',
      label: t(folder ? 'storage:list.open' : 'storage:list.preview'),
      keys: 'Enter',
      run: () => runAction({ do: 'open' }),
    },
    { key: 'details', label: t('storage:list.details'), run: () => setDetails(row.id) },
  ]
  if (!canWrite) return [...first, ...more]
  const own: FileMenuAction[] = [
    { key: 'rename', label: t('storage:list.rename'), keys: 'F2', run: () => runAction({ do: 'rename' }) },
    { key: 'cut', label: t('storage:list.cut'), keys: 'Ctrl X', run: () => runAction({ do: 'cut' }) },
  ]
  const paste: FileMenuAction = {
    key: 'paste',
    label: t('storage:list.paste'),
    keys: 'Ctrl V',
    run: () => runAction({ do: 'paste' }),
  }
  return [...first, ...own, ...(clipboard ? [paste] : []), ...more]
}
