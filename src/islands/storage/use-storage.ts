import { type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { showNotice } from '#islands/stores/notice.ts'
import { navigateTo } from '#islands/stores/page.ts'
import { addFiles } from '#islands/stores/upload/uploads.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { actsOf, type Outcome } from './actions.ts'
import { type Clipboard, keepClipboard, readClipboard } from './browser/clipboard.ts'
import { filesOf, filesOfPick } from './browser/dropped-files.ts'
import type { KeyAct } from './browser/key-action.ts'
import { type BrowserProps, folderAddress, isSearch, type Row, type View } from './browser/listing-query.ts'
import { choose, chooseAll, keepChosen, NONE, type Selection, step } from './browser/selection.ts'
import { useListing } from './browser/use-listing.ts'
import { keepView } from './browser/view-cookie.ts'
import type { Words } from './file-text.ts'

/** A question that waits for an answer, in a window of its own. */
export type Question =
  | { kind: 'folder' | 'empty' }
  | { kind: 'move' | 'purge'; ids: string[] }
  | { kind: 'used'; outcomes: Outcome[] }

export type Anchor = Element | { x: number; y: number }

/** All that the storage knows and does in the browser. */
export function useStorage(props: BrowserProps) {
  const { asked, path, locale, zone, strings, writes } = props
  const words: Words = useMemo(() => ({ t: createTranslator(strings, locale), locale, zone }), [strings, locale, zone])
  const listing = useListing(props)
  const { rows, reload } = listing
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const acts = useMemo(() => actsOf(words, reload), [words, reload])
  const [selection, setSelection] = useSelection(ids)
  const [view, setView] = useState<View>(props.view)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const [menu, setMenu] = useState<Anchor | null>(null)
  const [details, setDetails] = useState<string | null>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const [clipboard, setClipboard] = useState<Clipboard | null>(null)
  useEffect(() => setClipboard(readClipboard()), [])
  // The button stands in the page's head, outside of the list.
  useEffect(() => {
    const button = document.querySelector('[data-empty-trash]')
    const ask = () => setQuestion({ kind: 'empty' })
    button?.addEventListener('click', ask)
    return () => button?.removeEventListener('click', ask)
  }, [])
  const columns = useRef(1)
  const here = path.at(-1)?.id ?? null
  const may = writes && !asked.trash

  const chosen = useCallback(() => ids.filter((id) => selection.chosen.has(id)), [ids, selection.chosen])
  const keep = (next: Clipboard | null) => {
    keepClipboard(next)
    setClipboard(next)
  }
  const open = (row: Row | undefined) => {
    if (!row || asked.trash) return
    if (row.kind === 'folder') navigateTo(folderAddress(asked, row.id))
    else setPreview(row.id)
  }
  const remove = async (some: string[], sure = false) => {
    const outcomes = await acts.remove(some, sure)
    if (outcomes.length > 0) setQuestion({ kind: 'used', outcomes })
  }
  const paste = async () => {
    if (!clipboard || !may || isSearch(asked)) return
    if (clipboard.cut) {
      keep(null)
      await acts.move(clipboard.ids, here)
    } else await acts.copy(clipboard.ids, here)
  }
  const upload = async (found: ReturnType<typeof filesOf>) => {
    const files = await found
    if (files.length === 0) showNotice('info', words.t('storage:page.dropEmpty'))
    else addFiles(files)
  }
  const pick = (files: FileList) => void upload(Promise.resolve(filesOfPick(files, here)))
  const drop = (data: DataTransfer, folderId: string | null) => void upload(filesOf(data, folderId))
  const all = async () => {
    const every = await listing.loadAll()
    setSelection((before) =>
      chooseAll(
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
    showNotice('info', words.t('storage:list.clipboard', { count: some.length }))
  }
  const doing: Record<Exclude<KeyAct['do'], 'step'>, () => void> = {
    turn: () => setSelection((before) => choose(before, ids, before.active, { add: true })),
    open: () => open(onlyRow()),
    preview: () => {
      const row = onlyRow()
      if (row && row.kind !== 'folder' && !asked.trash) setPreview(row.id)
    },
    all: () => setSelection((before) => chooseAll(before, ids)),
    clear: () => {
      if (clipboard?.cut) keep(null)
      setSelection((before) => ({ ...before, chosen: new Set() }))
    },
    search: () => document.querySelector<HTMLInputElement>('#storage-search')?.focus(),
    up: () => {
      if (path.length > 0) navigateTo(folderAddress(asked, path.at(-2)?.id ?? null))
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
      if (!writes || some.length === 0) return
      if (asked.trash) setQuestion({ kind: 'purge', ids: some })
      else void remove(some)
    },
  }
  const act = (key: KeyAct): void => {
    if (key.do === 'step') setSelection((before) => step(before, ids, key.by, key.range))
    else doing[key.do]()
  }

  const renamed = (id: string, name: string | null) => {
    setRenaming(null)
    document.querySelector<HTMLElement>('.file-shelf')?.focus({ preventScroll: true })
    if (name) void acts.rename(id, name)
  }
  const openMenu = (event: MouseEvent, place: number) => {
    const id = ids[place]
    if (id !== undefined && !selection.chosen.has(id)) setSelection((before) => choose(before, ids, place))
    const button = event.type === 'contextmenu' ? null : event.currentTarget
    setMenu(button ?? { x: event.clientX, y: event.clientY })
  }
  const changeView = (next: View) => {
    keepView(next)
    setView(next)
  }

  return {
    words,
    listing,
    ids,
    acts,
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
    act,
  }
}

export type Storage = ReturnType<typeof useStorage>

/** The selection follows the list: what is gone is not chosen any more. */
function useSelection(ids: string[]) {
  const [selection, setSelection] = useState<Selection>(NONE)
  const was = useRef(ids)
  useEffect(() => {
    const before = was.current
    was.current = ids
    if (before !== ids) setSelection((chosen) => keepChosen(chosen, before, ids))
  }, [ids])
  return [selection, setSelection] as const
}
