import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { tabStorage } from '#islands/stores/safe-storage.ts'

const STOP = '[data-stop]'
const ROW = '[data-lesson], [data-module]'

/**
 * Of hundreds of rows Tab stops at one: where the focus was last, or at the open lesson. Its neighbours are reached by
 * the arrows. Written past React, which need not draw three hundred rows because the focus went to the next.
 */
export function useRoving(place: RefObject<HTMLElement | null>) {
  const active = useRef<string | null>(null)
  const held = useRef(false)
  const settle = useCallback(() => {
    const stops = [...(place.current?.querySelectorAll<HTMLElement>(STOP) ?? [])]
    const chosen = stops.find((one) => idOf(one) === active.current) ?? stops.find(isOpenLesson) ?? stops[0]
    for (const stop of stops) {
      const tab = stop === chosen ? 0 : -1
      for (const one of controlsOf(stop)) if (one.tabIndex !== tab) one.tabIndex = tab
    }
    // A row that went to another module was drawn anew there, and what had the focus is gone.
    if (held.current && document.activeElement === document.body) chosen?.focus()
  }, [place])
  useEffect(settle)
  useEffect(() => {
    const root = place.current
    const enter = (event: FocusEvent) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>(ROW) : null
      const id = row?.dataset.lesson ?? row?.dataset.module
      held.current = Boolean(id)
      if (!id || id === active.current) return
      active.current = id
      settle()
    }
    const leave = ({ target }: FocusEvent) => {
      setTimeout(() => {
        if (target instanceof Element && target.isConnected && !root?.contains(document.activeElement))
          held.current = false
      })
    }
    root?.addEventListener('focusin', enter)
    root?.addEventListener('focusout', leave)
    return () => {
      root?.removeEventListener('focusin', enter)
      root?.removeEventListener('focusout', leave)
    }
  }, [place, settle])

  return useMemo(
    () => ({
      /** Gives the focus to a row once it is drawn. */
      to: (id: string) => {
        active.current = id
        requestAnimationFrame(() => {
          settle()
          place.current
            ?.querySelector<HTMLElement>(`[data-lesson="${id}"] ${STOP}, [data-module="${id}"] > .outline-head ${STOP}`)
            ?.focus()
        })
      },
    }),
    [place, settle],
  )
}

const idOf = (stop: Element): string | undefined => {
  const row = stop.closest<HTMLElement>(ROW)
  return row?.dataset.lesson ?? row?.dataset.module
}

const isOpenLesson = (stop: Element): boolean => stop.getAttribute('aria-current') === 'page'

/** A row's link with its box and its button; of a module only those of its head. */
function controlsOf(stop: HTMLElement): HTMLElement[] {
  const home = stop.closest<HTMLElement>('.outline-row, .outline-head')
  return [...(home?.querySelectorAll<HTMLElement>('a, button, input[type=checkbox]') ?? [])]
}

/** Modules that are folded, remembered by this tab. */
export function useFolds(courseId: string) {
  const key = `outline-folds/${courseId}`
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => new Set(readFolds(key)))
  const turn = useCallback(
    (id: string) =>
      setFolded((before) => {
        const next = new Set(before)
        if (!next.delete(id)) next.add(id)
        tabStorage.setItem(key, [...next].join(' '))
        return next
      }),
    [key],
  )
  return { folded, turn }
}

const readFolds = (key: string): string[] => tabStorage.getItem(key)?.split(' ').filter(Boolean) ?? []
