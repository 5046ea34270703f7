import { type RefObject, useEffect, useRef } from 'react'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { OutlineStore } from './outline-store.ts'

/** Rows and modules can be dragged. What that takes comes when the outline stands. */
export function useOutlineDrag(
  place: RefObject<HTMLElement | null>,
  edits: boolean,
  store: OutlineStore,
  chosen: () => ReadonlySet<string>,
  say: Say,
): void {
  const latest = useRef(chosen)
  latest.current = chosen
  useEffect(() => {
    const root = place.current
    if (!edits || !root) return
    let gone = false
    let end = () => {}
    void import('./outline-drag.ts').then(({ bindDrag }) => {
      if (!gone) end = bindDrag(root, { store, say, chosen: () => latest.current() })
    })
    return () => {
      gone = true
      end()
    }
  }, [place, edits, store, say])
}
