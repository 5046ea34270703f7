import { useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { useLatestRequest } from '#islands/ui/request/use-latest-request.ts'
import type { PickedFile } from './stored-file.ts'

const PICK_KINDS = ['image', 'video', 'audio', 'pdf', 'file'] as const
/** Accepted kinds; `file` is any file. */
export type PickKind = (typeof PICK_KINDS)[number]

/** Whether a file has one of the kinds. */
export function matchesKinds({ kind, mime }: Pick<PickedFile, 'kind' | 'mime'>, kinds: readonly PickKind[]): boolean {
  if (kind === 'folder') return false
  return kinds.some(
    (accepted) => accepted === 'file' || accepted === kind || (accepted === 'pdf' && mime === 'application/pdf'),
  )
}

export interface FileListState {
  files: PickedFile[]
  state: 'loading' | 'ready' | 'failed'
  hasMore: boolean
  loadMore: () => void
  reload: () => void
}

const SEARCH_DEBOUNCE_MS = 250

/** Files of all folders of these kinds whose name matches, the newest first, by page. */
export function useFileList(search: string, kinds: readonly PickKind[]): FileListState {
  const [files, setFiles] = useState<PickedFile[]>([])
  const [state, setState] = useState<FileListState['state']>('loading')
  const [next, setNext] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const request = useLatestRequest()
  const kindList = kinds.join(' ')

  const loadFiles = (cursor: string | null) => {
    setState('loading')
    return request.run(
      (signal) =>
        api.storage.list(
          { ...toFilter(kinds), search, sort: 'createdAt', direction: 'desc', ...(cursor ? { cursor } : {}) },
          { signal, context: { isQuiet: true } },
        ),
      (page) => {
        const matching = page.rows.filter((row) => matchesKinds(row, kinds))
        setFiles((before) => (cursor ? [...before, ...matching] : matching))
        setNext(page.next)
        setState('ready')
      },
      () => setState('failed'),
    )
  }

  // `load` is recreated on each render and reads the current search.
  const latest = useRef(loadFiles)
  latest.current = loadFiles
  useEffect(() => {
    request.cancel()
    const later = setTimeout(() => void latest.current(null), search && round >= 0 && kindList ? SEARCH_DEBOUNCE_MS : 0)
    return () => clearTimeout(later)
  }, [search, round, kindList, request])

  return {
    files,
    state,
    hasMore: next !== null,
    loadMore: () => next && void loadFiles(next),
    reload: () => setRound((before) => before + 1),
  }
}

/** The server filters by one kind; a minimum size selects files of all folders, without the rows of folders. */
function toFilter(kinds: readonly PickKind[]) {
  const [only] = kinds
  if (kinds.length !== 1 || !only || only === 'file') return { minSize: 1 }
  return { kind: only === 'pdf' ? ('doc' as const) : only }
}
