import { type RefObject, useEffect, useRef } from 'react'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OutlineStore } from './outline-store.ts'

/** Enables drag and drop; its library is loaded after the outline is shown. */
export function useOutlineDrag(
  container: RefObject<HTMLElement | null>,
  edits: boolean,
  store: OutlineStore,
  selectedIds: () => ReadonlySet<string>,
  t: Translate,
): void {
  const latest = useRef(selectedIds)
  latest.current = selectedIds
  useEffect(() => {
    const root = container.current
    if (!edits || !root) return
    let isUnmounted = false
    let unbind = () => {}
    void import('./outline-drag.ts').then(({ bindDrag }) => {
      if (!isUnmounted) unbind = bindDrag(root, { store, t, selectedIds: () => latest.current() })
    })
    return () => {
      isUnmounted = true
      unbind()
    }
  }, [container, edits, store, t])
}
