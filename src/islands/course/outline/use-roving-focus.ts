import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { tabStorage } from '#islands/stores/safe-storage.ts'

const STOP = '[data-stop]'
const ROW = '[data-lesson], [data-module]'

/**
 * One tab stop for the outline: the row focused last, or the open lesson; arrow keys reach the others. Written directly
 * to the DOM, so that React does not re-render 300 rows on focus changes.
 */
export function useRovingFocus(container: RefObject<HTMLElement | null>) {
  const active = useRef<string | null>(null)
  const hasFocus = useRef(false)
  const updateTabStops = useCallback(() => {
    const stops = [...(container.current?.querySelectorAll<HTMLElement>(STOP) ?? [])]
    const activeStop = stops.find((element) => idOf(element) === active.current) ?? stops.find(isOpenLesson) ?? stops[0]
    for (const stop of stops) {
      const tab = stop === activeStop ? 0 : -1
      for (const element of controlsOf(stop)) if (element.tabIndex !== tab) element.tabIndex = tab
    }
    // A row moved to another module is rendered again and loses its focus.
    if (hasFocus.current && document.activeElement === document.body) activeStop?.focus()
  }, [container])
  useEffect(updateTabStops)
  useEffect(() => {
    const root = container.current
    const onFocusIn = (event: FocusEvent) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>(ROW) : null
      const id = row?.dataset.lesson ?? row?.dataset.module
      hasFocus.current = Boolean(id)
      if (!id || id === active.current) return
      active.current = id
      updateTabStops()
    }
    const onFocusOut = ({ target }: FocusEvent) => {
      setTimeout(() => {
        if (target instanceof Element && target.isConnected && !root?.contains(document.activeElement))
          hasFocus.current = false
      })
    }
    root?.addEventListener('focusin', onFocusIn)
    root?.addEventListener('focusout', onFocusOut)
    return () => {
      root?.removeEventListener('focusin', onFocusIn)
      root?.removeEventListener('focusout', onFocusOut)
    }
  }, [container, updateTabStops])

  return useMemo(
    () => ({
      /** Focuses a row after it is rendered. */
      focusRow: (id: string) => {
        active.current = id
        requestAnimationFrame(() => {
          updateTabStops()
          container.current
            ?.querySelector<HTMLElement>(`[data-lesson="${id}"] ${STOP}, [data-module="${id}"] > .outline-head ${STOP}`)
            ?.focus()
        })
      },
    }),
    [container, updateTabStops],
  )
}

const idOf = (stop: Element): string | undefined => {
  const row = stop.closest<HTMLElement>(ROW)
  return row?.dataset.lesson ?? row?.dataset.module
}

const isOpenLesson = (stop: Element): boolean => stop.getAttribute('aria-current') === 'page'

/** Link, checkbox and button of a row; of a module only those of its header. */
function controlsOf(stop: HTMLElement): HTMLElement[] {
  const home = stop.closest<HTMLElement>('.outline-row, .outline-head')
  return [...(home?.querySelectorAll<HTMLElement>('a, button, input[type=checkbox]') ?? [])]
}

/** Collapsed modules, stored for this tab. */
export function useCollapsed(courseId: string) {
  const key = `outline-folds/${courseId}`
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => new Set(readCollapsed(key)))
  const toggle = useCallback(
    (id: string) =>
      setFolded((before) => {
        const next = new Set(before)
        if (!next.delete(id)) next.add(id)
        tabStorage.setItem(key, [...next].join(' '))
        return next
      }),
    [key],
  )
  return { folded, turn: toggle }
}

const readCollapsed = (key: string): string[] => tabStorage.getItem(key)?.split(' ').filter(Boolean) ?? []
