import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { subscribe } from '#islands/stores/live.ts'
import { useLatestRequest } from '#islands/ui/request/use-latest-request.ts'
import { VIDEO_STATES, type VideoState } from '#lib/core/shared/stored-file.ts'
import { type BrowserProps, type ListedFile, type StorageQuota, toListInput } from './listing-query.ts'

const QUIET = { context: { isQuiet: true } }
const MAX_RELOADED_PAGES = 5
const RELOAD_DELAY_MS = 400

interface StorageEvent {
  fileId: string | null
  event: string
  progress?: number
}

export interface Listing {
  rows: ListedFile[]
  hasMore: boolean
  state: 'ready' | 'loading' | 'failed'
  quota: StorageQuota
  loadMore: () => void
  /** Loads all pages. Returns all rows. */
  loadAll: () => Promise<ListedFile[]>
  reload: () => Promise<void>
  patch: (fileId: string, change: Partial<ListedFile>) => void
}

/** The loaded rows, updated by live events. */
export function useListing({ rows, next, query, quota }: BrowserProps): Listing {
  const [list, setList] = useState({ rows, next })
  const [state, setState] = useState<Listing['state']>('ready')
  const [space, setSpace] = useState(quota)
  const latest = useRef(list)
  latest.current = list
  const busy = useRef<Promise<void> | null>(null)

  const page = useCallback(
    (cursor: string | null, signal?: AbortSignal) =>
      api.storage.list(
        { ...toListInput(query), ...(cursor ? { cursor } : {}) },
        { ...QUIET, ...(signal ? { signal } : {}) },
      ),
    [query],
  )
  const take = useCallback((listing: { rows: ListedFile[]; next: string | null }) => {
    latest.current = listing
    setList(listing)
  }, [])

  const loadNextPage = useCallback((): Promise<void> => {
    const { rows: known, next: cursor } = latest.current
    if (!cursor) return Promise.resolve()
    const loadListing = async () => {
      setState('loading')
      try {
        const nextPage = await page(cursor)
        const ids = new Set(known.map(({ id }) => id))
        take({ rows: [...known, ...nextPage.rows.filter(({ id }) => !ids.has(id))], next: nextPage.next })
        setState('ready')
      } catch {
        setState('failed')
      } finally {
        busy.current = null
      }
    }
    busy.current ??= loadListing()
    return busy.current
  }, [page, take])

  const loadAll = useCallback(async () => {
    for (let before = ''; latest.current.next && latest.current.next !== before; ) {
      // A page may be loading already: wait for it first.
      await busy.current
      before = latest.current.next ?? ''
      await loadNextPage()
    }
    return latest.current.rows
  }, [loadNextPage])

  const newest = useLatestRequest()
  const reload = useCallback(() => {
    const pageCount = Math.min(MAX_RELOADED_PAGES, Math.ceil(latest.current.rows.length / 100) || 1)
    const request = async (signal: AbortSignal) => {
      let listing = await page(null, signal)
      for (let n = 1; n < pageCount && listing.next; n++) {
        const behind = await page(listing.next, signal)
        listing = { ...behind, rows: [...listing.rows, ...behind.rows] }
      }
      return { listing, quota: await api.storage.getQuota(undefined, { ...QUIET, signal }) }
    }
    return newest.run(
      request,
      ({ listing, quota: remaining }) => {
        take({ rows: listing.rows, next: listing.next })
        setSpace(remaining)
        setState('ready')
      },
      () => setState('failed'),
    )
  }, [page, take, newest])

  const patch = useCallback((fileId: string, change: Partial<ListedFile>) => {
    setList(({ rows: known, next }) => ({
      rows: known.map((row) => (row.id === fileId ? { ...row, ...change } : row)),
      next,
    }))
  }, [])

  useEffect(() => {
    let later: ReturnType<typeof setTimeout> | undefined
    const scheduleReload = () => {
      later ??= setTimeout(() => {
        later = undefined
        void reload()
      }, RELOAD_DELAY_MS)
    }
    const end = subscribe<StorageEvent>(
      'storage',
      ({ fileId, event, progress }) => {
        const state = VIDEO_STATES.find((videoState): videoState is VideoState => videoState === event)
        const known = fileId && latest.current.rows.some(({ id }) => id === fileId)
        if (fileId && known && state) patch(fileId, { state, ...(progress === undefined ? {} : { progress }) })
        const onlyProgress = event === 'encoding' || event === 'processing'
        if (!onlyProgress || !known) scheduleReload()
      },
      scheduleReload,
    )
    return () => {
      clearTimeout(later)
      end()
    }
  }, [reload, patch])

  return {
    rows: list.rows,
    hasMore: list.next !== null,
    state,
    quota: space,
    loadMore: loadNextPage,
    loadAll,
    reload,
    patch,
  }
}
