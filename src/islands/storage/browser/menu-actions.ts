import type { MenuAction as MenuAct } from '#islands/ui/ActionMenu.tsx'
import type { Storage } from '../use-storage.ts'
import type { Asked } from './listing-query.ts'

export interface Act extends MenuAct {
  run: () => void
}

/** What can be done with the chosen rows, for the bar above the list. */
export function selectionActs(storage: Storage, asked: Asked, writes: boolean): Act[] {
  const { words, acts, chosen, setQuestion, act } = storage
  const { t } = words
  const download = { key: 'download', label: t('storage:list.downloadZip'), run: () => void acts.download(chosen()) }
  if (!writes) return asked.trash ? [] : [download]
  const some = chosen()
  if (asked.trash) {
    return [
      { key: 'restore', label: t('storage:trash.restore'), run: () => void acts.restore(some) },
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
    { key: 'copy', label: t('storage:list.copy'), run: () => act({ do: 'copy' }) },
    download,
    { key: 'delete', label: t('storage:list.delete'), danger: true, run: () => act({ do: 'delete' }) },
  ]
}

/** The same for one row's menu, with what makes sense for one alone. */
export function menuActs(storage: Storage, asked: Asked, writes: boolean): Act[] {
  const { words, listing, selection, act, setDetails, clipboard } = storage
  const { t } = words
  const more = selectionActs(storage, asked, writes)
  const row = listing.rows[selection.active]
  if (asked.trash || !row || selection.chosen.size > 1) return more
  const folder = row.kind === 'folder'
  const first: Act[] = [
    {
      key: 'open',
      label: t(folder ? 'storage:list.open' : 'storage:list.preview'),
      keys: 'Enter',
      run: () => act({ do: 'open' }),
    },
    { key: 'details', label: t('storage:list.details'), run: () => setDetails(row.id) },
  ]
  if (!writes) return [...first, ...more]
  const own: Act[] = [
    { key: 'rename', label: t('storage:list.rename'), keys: 'F2', run: () => act({ do: 'rename' }) },
    { key: 'cut', label: t('storage:list.cut'), keys: 'Ctrl X', run: () => act({ do: 'cut' }) },
  ]
  const paste: Act = { key: 'paste', label: t('storage:list.paste'), keys: 'Ctrl V', run: () => act({ do: 'paste' }) }
  return [...first, ...own, ...(clipboard ? [paste] : []), ...more]
}
