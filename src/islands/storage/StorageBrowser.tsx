import { type KeyboardEvent, lazy, type MouseEvent, Suspense, useCallback, useEffect, useRef } from 'react'
import { ErrorState } from '#islands/ui/State.tsx'
import { Path } from './browser/Breadcrumbs.tsx'
import { Nothing } from './browser/EmptyListing.tsx'
import { LivingShelf } from './browser/FileGrid.tsx'
import type { ItemLife } from './browser/item-props.ts'
import { keyAct } from './browser/key-action.ts'
import { type BrowserProps, isSearch, type Row } from './browser/listing-query.ts'
import { menuActs, selectionActs } from './browser/menu-actions.ts'
import { SelectionBar } from './browser/SelectionBar.tsx'
import { choose } from './browser/selection.ts'
import { Toolbar } from './browser/Toolbar.tsx'
import { useHolding } from './browser/use-drag-and-drop.ts'
import { QuotaBar } from './QuotaBar.tsx'
import { useStorage } from './use-storage.ts'

const ActMenu = lazy(() => import('#islands/ui/ActionMenu.tsx'))
const Windows = lazy(() => import('./StorageDialogs.tsx'))
const DetailsPanel = lazy(() => import('./DetailsPanel.tsx'))
const PreviewDialog = lazy(() => import('./video/PreviewDialog.tsx'))

/** Rows of one page of the listing: whoever selected as many selected all that was loaded, even if more came since. */
const LISTING_PAGE = 100

/** The living storage: it takes the place of the still one that came with the page. */
export function StorageBrowser(props: BrowserProps) {
  const { asked, path, writes } = props
  const storage = useStorage(props)
  const { words, listing, ids, selection, setSelection, view, may, here } = storage
  const { rows } = listing
  const shelf = useRef<HTMLDivElement>(null)
  const chosen = storage.chosen()
  const hold = useHolding({
    taken: (id) => (selection.chosen.has(id) ? chosen : [id]),
    onMove: (some, folderId, copies) =>
      void (copies ? storage.acts.copy(some, folderId) : storage.acts.move(some, folderId)),
    onFiles: storage.drop,
    onLongPress: (id) => setSelection((before) => choose(before, ids, ids.indexOf(id), { add: true })),
    writes: may,
    here,
  })

  const press = (event: MouseEvent, place: number) => {
    if (hold.pointer.current.held) return
    const touched = hold.pointer.current.type === 'touch'
    const add = event.ctrlKey || event.metaKey || (touched && selection.chosen.size > 0)
    if (touched && !add) return storage.open(rows[place])
    setSelection((before) => choose(before, ids, place, { range: event.shiftKey, add }))
    shelf.current?.focus({ preventScroll: true })
  }
  // A click on a name opens; with a key that chooses, or while some are chosen by touch, it chooses.
  const open = (event: MouseEvent, row: Row, place: number) => {
    const touched = hold.pointer.current.type === 'touch' && (selection.chosen.size > 0 || hold.pointer.current.held)
    const link = event.currentTarget.tagName === 'A'
    if (link && (event.ctrlKey || event.metaKey || event.shiftKey || touched)) return event.preventDefault()
    event.stopPropagation()
    if (link && row.kind === 'folder') return
    event.preventDefault()
    setSelection((before) => choose(before, ids, place))
    storage.open(row)
  }
  const lifeOf = (row: Row, place: number): ItemLife => ({
    chosen: selection.chosen.has(row.id),
    active: selection.active === place,
    renaming: storage.renaming === row.id,
    leaving: Boolean(storage.clipboard?.cut && storage.clipboard.ids.includes(row.id)),
    receiving: hold.over === row.id,
    onPress: (event) => press(event, place),
    onOpen: (event) => open(event, row, place),
    onTurn: () => setSelection((before) => choose(before, ids, place, { add: true })),
    onMenu: (event) => {
      event.preventDefault()
      if (hold.pointer.current.type !== 'touch' || event.type !== 'contextmenu') storage.openMenu(event, place)
    },
    onRenamed: (name) => storage.renamed(row.id, name),
    onRetry: () => void storage.acts.retry(row.id),
    hold: hold.holdOf(row.id),
    drag: hold.dragOf(row),
  })

  const { columns } = storage
  const onKey = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
    const found = keyAct(event, columns.current)
    if (!found) return
    event.preventDefault()
    storage.act(found)
  }
  useKeysAnywhere(onKey)
  const setColumns = useCallback(
    (count: number) => {
      columns.current = count
    },
    [columns],
  )
  const loadMore = useCallback(() => void listing.loadMore(), [listing.loadMore])

  return (
    <div className="storage" data-storage-live data-panel={storage.details ? '' : undefined}>
      <div className="storage-main">
        {!asked.trash && <QuotaBar quota={listing.quota} words={words} />}
        <div className="storage-bar">
          {asked.trash ? (
            <span />
          ) : (
            <Path path={path} asked={asked} words={words} receiver={{ over: hold.over, ...hold.receiver }} />
          )}
          <Toolbar
            view={view}
            words={words}
            takes={may && !isSearch(asked)}
            onView={storage.changeView}
            onFolder={() => storage.setQuestion({ kind: 'folder' })}
            onPick={storage.pick}
          />
        </div>
        {chosen.length > 0 && (
          <SelectionBar
            count={chosen.length}
            acts={selectionActs(storage, asked, writes)}
            onAll={listing.more && chosen.length >= LISTING_PAGE ? () => void storage.all() : null}
            onClear={() => storage.act({ do: 'clear' })}
            words={words}
          />
        )}
        {rows.length === 0 ? (
          <Nothing
            asked={asked}
            top={path.length === 0}
            writes={writes}
            words={words}
            onUpload={() => document.querySelector<HTMLInputElement>('[data-upload=files]')?.click()}
          />
        ) : (
          <LivingShelf
            rows={rows}
            view={view}
            asked={asked}
            words={words}
            shelf={shelf}
            lifeOf={lifeOf}
            onKey={onKey}
            more={listing.more && listing.state !== 'failed'}
            active={selection.active}
            onNear={loadMore}
            onColumns={setColumns}
          />
        )}
        {listing.state === 'failed' && (
          <ErrorState
            title={words.t('storage:list.failed')}
            text={words.t('storage:list.failedHint')}
            retryLabel={words.t('shell:button.retry')}
            onRetry={() => void (listing.more ? listing.loadMore() : listing.reload())}
          />
        )}
      </div>
      <Suspense>
        {storage.details && <DetailsPanel storage={storage} asked={asked} fileId={storage.details} />}
        {storage.menu && (
          <ActMenu
            anchor={storage.menu}
            label={words.t('storage:list.selectionActs')}
            actions={menuActs(storage, asked, writes)}
            keepsFocus
            onClose={() => {
              storage.setMenu(null)
              if (!storage.renaming) shelf.current?.focus({ preventScroll: true })
            }}
          />
        )}
        {storage.question && <Windows storage={storage} question={storage.question} path={path} />}
        {storage.preview && <PreviewDialog storage={storage} fileId={storage.preview} />}
      </Suspense>
      {hold.veil && (
        <div className="drop-veil" aria-hidden="true">
          {words.t('storage:page.drop', { name: path.at(-1)?.name ?? words.t('storage:list.top') })}
        </div>
      )}
    </div>
  )
}

/** Keys work too while the focus is nowhere in particular: after the page has come, or when what had it is gone. */
function useKeysAnywhere(onKey: (event: globalThis.KeyboardEvent) => void): void {
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
