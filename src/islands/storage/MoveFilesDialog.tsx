import { ChevronLeft } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { ErrorState } from '#islands/ui/State.tsx'
import { KindIcon } from './browser/KindIcon.tsx'
import type { ListingCrumb } from './browser/listing-query.ts'
import type { Storage } from './use-storage.ts'

interface Props {
  storage: Storage
  ids: string[]
  path: readonly ListingCrumb[]
}

type Level = { folders: ListingCrumb[]; path: ListingCrumb[] } | 'loading' | 'failed'

/** Chooses the target folder of the selected files; folders are entered and left with buttons, for the keyboard. */
export function MoveFilesDialog({ storage, ids, path }: Props) {
  const { i18n, setQuestion, actions } = storage
  const { t } = i18n
  const [target, setTarget] = useState<string | null>(path.at(-1)?.id ?? null)
  const [level, setLevel] = useState<Level>('loading')
  const latest = useRef(target)
  const look = useCallback(async (folderId: string | null) => {
    latest.current = folderId
    setTarget(folderId)
    setLevel('loading')
    const loaded = await loadFolders(folderId).catch(() => 'failed' as const)
    if (latest.current === folderId) setLevel(loaded)
  }, [])
  useEffect(() => void look(latest.current), [look])
  const close = () => setQuestion(null)
  const steps = typeof level === 'object' ? level.path : []
  const name = steps.at(-1)?.name ?? t('storage:list.top')
  const folders = typeof level === 'object' ? level.folders.filter(({ id }) => !ids.includes(id)) : []
  return (
    <Dialog
      title={t('storage:list.moveTitle', { count: ids.length })}
      open
      onOpenChange={close}
      closeLabel={t('shell:button.cancel')}
      actions={(cancel) => (
        <>
          {cancel}
          <Button
            tone="primary"
            onClick={() => {
              close()
              void actions.move(ids, target)
            }}
          >
            {t('storage:list.moveHere')}
          </Button>
        </>
      )}
    >
      <div className="mb-2 flex items-center gap-2">
        {target !== null && (
          <button
            type="button"
            className="btn btn-ghost btn-sm btn-square"
            aria-label={t('storage:list.back')}
            onClick={() => void look(steps.at(-2)?.id ?? null)}
          >
            <ChevronLeft size={18} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
        <p className="min-w-0 truncate font-medium" aria-live="polite">
          {name}
        </p>
      </div>
      <div className="h-64 overflow-y-auto rounded-box border border-base-300 p-1.5">
        {level === 'loading' && <Skeleton shape="rows" label={t('storage:list.loading')} />}
        {level === 'failed' && (
          <ErrorState
            title={t('storage:list.failed')}
            retryLabel={t('shell:button.retry')}
            onRetry={() => void look(target)}
          />
        )}
        {typeof level === 'object' && folders.length === 0 && (
          <p className="p-2.5 text-muted text-sm">{t('storage:list.noFolders')}</p>
        )}
        <ul aria-label={t('storage:list.folders')}>
          {folders.map((folder) => (
            <li key={folder.id}>
              <button type="button" className="option" onClick={() => void look(folder.id)}>
                <KindIcon kind="folder" />
                <span className="min-w-0 truncate">{folder.name}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

// Folders precede files: when a page ends among folders, the next page has more.
async function loadFolders(folderId: string | null): Promise<Exclude<Level, string>> {
  const folders: ListingCrumb[] = []
  for (let cursor: string | undefined; ; ) {
    const query = { ...(folderId ? { folderId } : {}), ...(cursor ? { cursor } : {}) }
    const { rows, path, next } = await api.storage.list(query, { context: { isQuiet: true } })
    folders.push(...rows.filter(({ kind }) => kind === 'folder'))
    if (!next || rows.at(-1)?.kind !== 'folder') return { folders, path }
    cursor = next
  }
}
