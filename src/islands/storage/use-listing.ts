import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { subscribe } from '#islands/stores/live.ts'
import { VIDEO_STATES, type VideoState } from '#lib/core/shared/storing.ts'
import { type BrowserProps, inputOf, type Quota, type Row } from './browser.ts'

const QUIET = { context: { quiet: true } }
const PAGES_AGAIN = 5
const TOGETHER_MS = 400

interface Told {
  fileId: string | null
  event: string
  progress?: number
}

export interface Listing {
  rows: Row[]
  more: boolean
  state: 'ready' | 'loading' | 'failed'
  quota: Quota
  loadMore: () => void
  /** Loads to the end. Gives all rows. */
  loadAll: () => Promise<Row[]>
  reload: () => Promise<void>
  patch: (fileId: string, change: Partial<Row>) => void
}

/** The rows of a page and those behind them, kept as they are on the server by live events. */
export function useListing({ rows, next, asked, quota }: BrowserProps): Listing {
  const [list, setList] = useState({ rows, next })
  const [state, setState] = useState<Listing['state']>('ready')
  const [space, setSpace] = useState(quota)
  const latest = useRef(list)
  latest.current = list
  const busy = useRef<Promise<void> | null>(null)

  const page = useCallback(
    (after: string | null) => api.storage.list({ ...inputOf(asked), ...(after ? { after } : {}) }, QUIET),
    [asked],
  )
  const take = useCallback((found: { rows: Row[]; next: string | null }) => {
    latest.current = found
    setList(found)
  }, [])

  const loadOne = useCallback((): Promise<void> => {
    const { rows: known, next: after } = latest.current
    if (!after) return Promise.resolve()
    const load = async () => {
      setState('loading')
      try {
        const found = await page(after)
        const ids = new Set(known.map(({ id }) => id))
        take({ rows: [...known, ...found.rows.filter(({ id }) => !ids.has(id))], next: found.next })
        setState('ready')
      } catch {
        setState('failed')
      } finally {
        busy.current = null
      }
    }
    busy.current ??= load()
    return busy.current
  }, [page, take])

  const loadAll = useCallback(async () => {
    for (let before = ''; latest.current.next && latest.current.next !== before; ) {
      // One may be on its way already: then this one has yet to come.
      await busy.current
      before = latest.current.next ?? ''
      await loadOne()
    }
    return latest.current.rows
  }, [loadOne])

  const reload = useCallback(async () => {
    const wanted = Math.min(PAGES_AGAIN, Math.ceil(latest.current.rows.length / 100) || 1)
    try {
      let found = await page(null)
      for (let n = 1; n < wanted && found.next; n++) {
        const behind = await page(found.next)
        found = { ...behind, rows: [...found.rows, ...behind.rows] }
      }
      take({ rows: found.rows, next: found.next })
      setSpace(await api.storage.getQuota(undefined, QUIET))
      setState('ready')
    } catch {
      setState('failed')
    }
  }, [page, take])

  const patch = useCallback((fileId: string, change: Partial<Row>) => {
    setList(({ rows: known, next: after }) => ({
      rows: known.map((row) => (row.id === fileId ? { ...row, ...change } : row)),
      next: after,
    }))
  }, [])

  useEffect(() => {
    let later: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      later ??= setTimeout(() => {
        later = undefined
        void reload()
      }, TOGETHER_MS)
    }
    const end = subscribe<Told>(
      'storage',
      ({ fileId, event, progress }) => {
        const state = VIDEO_STATES.find((one): one is VideoState => one === event)
        const known = fileId && latest.current.rows.some(({ id }) => id === fileId)
        if (fileId && known && state) patch(fileId, { state, ...(progress === undefined ? {} : { progress }) })
        const onlyProgress = event === 'encoding' || event === 'processing'
        if (!onlyProgress || !known) soon()
      },
      soon,
    )
    return () => {
      clearTimeout(later)
      end()
    }
  }, [reload, patch])

  return { rows: list.rows, more: list.next !== null, state, quota: space, loadMore: loadOne, loadAll, reload, patch }
}
