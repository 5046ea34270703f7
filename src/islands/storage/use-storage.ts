import { type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { showNotice } from '#islands/stores/notice.ts'
import { navigateTo } from '#islands/stores/page.ts'
import { addFiles } from '#islands/stores/upload/uploads.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { createFileActions, type FileActionOutcome } from './actions.ts'
import { type Clipboard, readClipboard, saveClipboard } from './browser/clipboard.ts'
import { readDroppedFiles, toAddedFiles } from './browser/dropped-files.ts'
import type { KeyAction } from './browser/key-action.ts'
import { type BrowserProps, folderUrl, isSearch, type ListedFile, type ListingView } from './browser/listing-query.ts'
import {
  type FileSelection,
  keepSelected,
  moveActive,
  NO_SELECTION,
  selectAllFiles,
  selectAt,
} from './browser/selection.ts'
import { useListing } from './browser/use-listing.ts'
import { saveListingView } from './browser/view-cookie.ts'
import type { StorageI18n } from './file-text.ts'

/** The open dialog. */
export type OpenDialog =
  | { kind: 'folder' | 'empty' }
  | { kind: 'move' | 'purge'; ids: string[] }
  | { kind: 'used'; outcomes: FileActionOutcome[] }

export type Anchor = Element | { x: number; y: number }

/** State and actions of the storage. */
export function useStorage(props: BrowserProps) {
  const { query, path, locale, timeZone, strings, canWrite } = props
  const i18n: StorageI18n = useMemo(
    () => ({ t: createTranslator(strings, locale), locale, timeZone }),
    [strings, locale, timeZone],
  )
  const listing = useListing(props)
  const { rows, reload } = listing
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const actions = useMemo(() => createFileActions(i18n, reload), [i18n, reload])
  const [selection, setSelection] = useSelection(ids)
  const [view, setView] = useState<ListingView>(props.view)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [question, setQuestion] = useState<OpenDialog | null>(null)
  const [menu, setMenu] = useState<Anchor | null>(null)
  const [details, setDetails] = useState<string | null>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const [clipboard, setClipboard] = useState<Clipboard | null>(null)
  useEffect(() => setClipboard(readClipboard()), [])
  // The button is in the page header, outside of the list.
  useEffect(() => {
    const button = document.querySelector('[data-empty-trash]')
    const confirmEmptying = () => setQuestion({ kind: 'empty' })
    button?.addEventListener('click', confirmEmptying)
    return () => button?.removeEventListener('click', confirmEmptying)
  }, [])
  const columns = useRef(1)
  const here = path.at(-1)?.id ?? null
  const may = canWrite && !query.trash

  const chosen = useCallback(() => ids.filter((id) => selection.selected.has(id)), [ids, selection.selected])
  const keep = (next: Clipboard | null) => {
    saveClipboard(next)
    setClipboard(next)
  }
  const open = (row: ListedFile | undefined) => {
    if (!row || query.trash) return
    if (row.kind === 'folder') navigateTo(folderUrl(query, row.id))
    else setPreview(row.id)
  }
  const remove = async (some: string[], sure = false) => {
    const outcomes = await actions.remove(some, sure)
    if (outcomes.length > 0) setQuestion({ kind: 'used', outcomes })
  }
  const paste = async () => {
    if (!clipboard || !may || isSearch(query)) return
    if (clipboard.cut) {
      keep(null)
      await actions.move(clipboard.ids, here)
    } else await actions.copy(clipboard.ids, here)
  }
  const upload = async (readingFiles: ReturnType<typeof readDroppedFiles>) => {
    const files = await readingFiles
    if (files.length === 0) showNotice('info', i18n.t('storage:page.dropEmpty'))
    else addFiles(files)
  }
  const pick = (files: FileList) => void upload(Promise.resolve(toAddedFiles(files, here)))
  const drop = (data: DataTransfer, folderId: string | null) => void upload(readDroppedFiles(data, folderId))
  const all = async () => {
    const every = await listing.loadAll()
    setSelection((before) =>
      selectAllFiles(
        before,
        every.map(({ id }) => id),
      ),
    )
  }

  const onlyRow = () => rows[selection.active]
  const put = (cut: boolean) => {
    const some = chosen()
    if (!may || some.length === 0) return
    keep({ cut, ids: some })
    showNotice('info', i18n.t('storage:list.clipboard', { count: some.length }))
  }
  const handlers: Record<Exclude<KeyAction['do'], 'step'>, () => void> = {
    turn: () => setSelection((before) => selectAt(before, ids, before.active, { add: true })),
    open: () => open(onlyRow()),
    preview: () => {
      const row = onlyRow()
      if (row && row.kind !== 'folder' && !query.trash) setPreview(row.id)
    },
    all: () => setSelection((before) => selectAllFiles(before, ids)),
    clear: () => {
      if (clipboard?.cut) keep(null)
      setSelection((before) => ({ ...before, selected: new Set() }))
    },
    search: () => document.querySelector<HTMLInputElement>('#storage-filters input[type=search]')?.focus(),
    up: () => {
      if (path.length > 0) navigateTo(folderUrl(query, path.at(-2)?.id ?? null))
    },
    copy: () => put(false),
    cut: () => put(true),
    paste: () => void paste(),
    rename: () => {
      const row = onlyRow()
      if (may && row) setRenaming(row.id)
    },
    delete: () => {
      const some = chosen()
      if (!canWrite || some.length === 0) return
      if (query.trash) setQuestion({ kind: 'purge', ids: some })
      else void remove(some)
    },
  }
  const runAction = (key: KeyAction): void => {
    if (key.do === 'step') setSelection((before) => moveActive(before, ids, key.by, key.range))
    else handlers[key.do]()
  }

  const renamed = (id: string, name: string | null) => {
    setRenaming(null)
    document.querySelector<HTMLElement>('.file-list')?.focus({ preventScroll: true })
    if (name) void actions.rename(id, name)
  }
  const openMenu = (event: MouseEvent, place: number) => {
    const id = ids[place]
    if (id !== undefined && !selection.selected.has(id)) setSelection((before) => selectAt(before, ids, place))
    const button = event.type === 'contextmenu' ? null : event.currentTarget
    setMenu(button ?? { x: event.clientX, y: event.clientY })
  }
  const changeView = (next: ListingView) => {
    saveListingView(next)
    setView(next)
  }

  return {
    i18n,
    listing,
    ids,
    actions,
    selection,
    setSelection,
    view,
    changeView,
    renaming,
    setRenaming,
    renamed,
    question,
    setQuestion,
    menu,
    setMenu,
    openMenu,
    details,
    setDetails,
    preview,
    setPreview,
    clipboard,
    columns,
    here,
    may,
    chosen,
    open,
    remove,
    paste,
    pick,
    drop,
    all,
    runAction,
  }
}

export type Storage = ReturnType<typeof useStorage>

/** The selection follows the list: removed rows are deselected. */
function useSelection(ids: string[]) {
  const [selection, setSelection] = useState<FileSelection>(NO_SELECTION)
  const was = useRef(ids)
  useEffect(() => {
    const before = was.current
    was.current = ids
    if (before !== ids) setSelection((chosen) => keepSelected(chosen, before, ids))
  }, [ids])
  return [selection, setSelection] as const
}
