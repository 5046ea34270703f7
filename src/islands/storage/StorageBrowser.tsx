import { type KeyboardEvent, lazy, type MouseEvent, Suspense, useCallback, useEffect, useRef } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { SelectionBar } from '#islands/ui/SelectionBar.tsx'
import { ErrorState } from '#islands/ui/State.tsx'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import { Breadcrumbs } from './browser/Breadcrumbs.tsx'
import { EmptyListing } from './browser/EmptyListing.tsx'
import { FileGrid, VirtualFileGrid } from './browser/FileGrid.tsx'
import type { ItemActions } from './browser/item-props.ts'
import { keyAction } from './browser/key-action.ts'
import { type BrowserProps, isSearch, type ListedFile } from './browser/listing-query.ts'
import { fileSelectionActions, rowMenuActions, selectAllAction } from './browser/menu-actions.ts'
import { StorageToolbar } from './browser/StorageToolbar.tsx'
import { selectAt } from './browser/selection.ts'
import { useDragAndDrop } from './browser/use-drag-and-drop.ts'
import { QuotaBar } from './QuotaBar.tsx'
import { useStorage } from './use-storage.ts'

const ActMenu = lazy(() => import('#islands/ui/ActionMenu.tsx'))
const Windows = lazy(() => import('./StorageDialogs.tsx'))
const DetailsPanel = lazy(() => import('./DetailsPanel.tsx'))
const PreviewDialog = lazy(() => import('./video/PreviewDialog.tsx'))

/** Rows of a page: with that many selected, more rows may exist that are not loaded. */
const LISTING_PAGE = 100

/** The files of a tenant: as the server renders them, folders can be opened without a script. */
export default asIsland('storage', StorageBrowser)

function StorageBrowser(props: BrowserProps) {
  const { query, path, canWrite } = props
  const storage = useStorage(props)
  const isHydrated = useHydrated()
  const { i18n, listing, ids, selection, setSelection, view, may, here } = storage
  const { rows } = listing
  const grid = useRef<HTMLDivElement>(null)
  const chosen = storage.chosen()
  const drag = useDragAndDrop({
    draggedIds: (id) => (selection.selected.has(id) ? chosen : [id]),
    onMove: (some, folderId, copies) =>
      void (copies ? storage.actions.copy(some, folderId) : storage.actions.move(some, folderId)),
    onFiles: storage.drop,
    onLongPress: (id) => setSelection((before) => selectAt(before, ids, ids.indexOf(id), { add: true })),
    canWrite: may,
    folderId: here,
  })

  const selectRow = (event: MouseEvent, place: number) => {
    if (drag.pointer.current.isLongPress) return
    const touched = drag.pointer.current.type === 'touch'
    const add = event.ctrlKey || event.metaKey || (touched && selection.selected.size > 0)
    if (touched && !add) return storage.open(rows[place])
    setSelection((before) => selectAt(before, ids, place, { range: event.shiftKey, add }))
    grid.current?.focus({ preventScroll: true })
  }
  // A click on a name opens; with a modifier key, or during a selection by touch, it selects.
  const open = (event: MouseEvent, row: ListedFile, place: number) => {
    const touched =
      drag.pointer.current.type === 'touch' && (selection.selected.size > 0 || drag.pointer.current.isLongPress)
    const link = event.currentTarget.tagName === 'A'
    if (link && (event.ctrlKey || event.metaKey || event.shiftKey || touched)) return event.preventDefault()
    event.stopPropagation()
    if (link && row.kind === 'folder') return
    event.preventDefault()
    setSelection((before) => selectAt(before, ids, place))
    storage.open(row)
  }
  const actionsOf = (row: ListedFile, place: number): ItemActions => ({
    isSelected: selection.selected.has(row.id),
    isActive: selection.active === place,
    isRenaming: storage.renaming === row.id,
    isCut: Boolean(storage.clipboard?.cut && storage.clipboard.ids.includes(row.id)),
    isDropTarget: drag.over === row.id,
    onPress: (event) => selectRow(event, place),
    onOpen: (event) => open(event, row, place),
    onToggle: () => setSelection((before) => selectAt(before, ids, place, { add: true })),
    onMenu: (event) => {
      event.preventDefault()
      if (drag.pointer.current.type !== 'touch' || event.type !== 'contextmenu') storage.openMenu(event, place)
    },
    onRenamed: (name) => storage.renamed(row.id, name),
    onRetry: () => void storage.actions.retry(row.id),
    longPress: drag.longPressOf(row.id),
    drag: drag.dragOf(row),
  })

  const { columns } = storage
  const onKey = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
    const action = keyAction(event, columns.current)
    if (!action) return
    event.preventDefault()
    storage.runAction(action)
  }
  useGlobalKeys(onKey)
  const setColumns = useCallback(
    (count: number) => {
      columns.current = count
    },
    [columns],
  )
  const loadMore = useCallback(() => void listing.loadMore(), [listing.loadMore])

  return (
    <div
      className="storage"
      data-storage-live={isHydrated ? '' : undefined}
      data-panel={storage.details ? '' : undefined}
    >
      <div className="storage-main">
        {!query.trash && <QuotaBar quota={listing.quota} i18n={i18n} />}
        <div className="storage-bar">
          {query.trash ? (
            <span />
          ) : (
            <Breadcrumbs path={path} query={query} i18n={i18n} receiver={{ over: drag.over, ...drag.receiver }} />
          )}
          <StorageToolbar
            view={view}
            i18n={i18n}
            acceptsFiles={may && !isSearch(query)}
            onView={storage.changeView}
            onFolder={() => storage.setQuestion({ kind: 'folder' })}
            onPick={storage.pick}
          />
        </div>
        {chosen.length > 0 && (
          <SelectionBar
            place="file-selection"
            label={i18n.t('storage:list.selectionActs')}
            summary={i18n.t('storage:list.selected', { count: chosen.length })}
            actions={[
              ...(listing.hasMore && chosen.length >= LISTING_PAGE ? [selectAllAction(storage)] : []),
              ...fileSelectionActions(storage, query, canWrite),
            ]}
            clearLabel={i18n.t('storage:list.clearSelection')}
            onClear={() => storage.runAction({ do: 'clear' })}
          />
        )}
        {rows.length === 0 ? (
          <EmptyListing
            query={query}
            top={path.length === 0}
            canWrite={canWrite}
            i18n={i18n}
            onUpload={() => document.querySelector<HTMLInputElement>('[data-upload=files]')?.click()}
          />
        ) : !isHydrated ? (
          <FileGrid rows={rows} view={view} query={query} i18n={i18n} />
        ) : (
          <VirtualFileGrid
            rows={rows}
            view={view}
            query={query}
            i18n={i18n}
            gridRef={grid}
            actionsOf={actionsOf}
            onKey={onKey}
            more={listing.hasMore && listing.state !== 'failed'}
            active={selection.active}
            onNearEnd={loadMore}
            onColumns={setColumns}
          />
        )}
        {listing.state === 'failed' && (
          <ErrorState
            title={i18n.t('storage:list.failed')}
            text={i18n.t('storage:list.failedHint')}
            retryLabel={i18n.t('shell:button.retry')}
            onRetry={() => void (listing.hasMore ? listing.loadMore() : listing.reload())}
          />
        )}
      </div>
      <Suspense>
        {storage.details && <DetailsPanel storage={storage} query={query} fileId={storage.details} />}
        {storage.menu && (
          <ActMenu
            anchor={storage.menu}
            label={i18n.t('storage:list.selectionActs')}
            actions={rowMenuActions(storage, query, canWrite)}
            keepsFocus
            onClose={() => {
              storage.setMenu(null)
              if (!storage.renaming) grid.current?.focus({ preventScroll: true })
            }}
          />
        )}
        {storage.question && <Windows storage={storage} question={storage.question} path={path} />}
        {storage.preview && <PreviewDialog storage={storage} fileId={storage.preview} />}
      </Suspense>
      {drag.isDraggingFiles && (
        <div className="drop-overlay" aria-hidden="true">
          {i18n.t('storage:page.drop', { name: path.at(-1)?.name ?? i18n.t('storage:list.top') })}
        </div>
      )}
    </div>
  )
}

/** Handles keys while no element is focused, e.g. after the page is loaded. */
function useGlobalKeys(onKey: (event: globalThis.KeyboardEvent) => void): void {
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const place = event.target instanceof Element ? event.target : null
      const nowhere = place === document.body || place?.matches('main, h1')
      if (nowhere && !event.defaultPrevented && !document.querySelector('[role=dialog], dialog[open]')) {
        latest.current(event)
      }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
