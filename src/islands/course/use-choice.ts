import { useCallback, useMemo, useRef, useState } from 'react'

const NONE: ReadonlySet<string> = new Set()

export type Choice = ReturnType<typeof useChoice>

/** Which lessons are chosen. What is gone from the outline is no longer chosen. */
export function useChoice(ids: readonly string[]) {
  const [kept, setKept] = useState(NONE)
  const anchor = useRef<string | null>(null)
  const latest = useRef(ids)
  latest.current = ids
  const chosen = useMemo(() => {
    const living = new Set(ids)
    return [...kept].every((id) => living.has(id)) ? kept : new Set([...kept].filter((id) => living.has(id)))
  }, [ids, kept])

  const set = useCallback((some: readonly string[]) => {
    anchor.current = some.at(-1) ?? null
    setKept(some.length > 0 ? new Set(some) : NONE)
  }, [])
  /** Turns one; with `range` all from the last turned up to it are chosen. */
  const turn = useCallback((id: string, range: boolean) => {
    const all = latest.current
    const from = anchor.current === null ? -1 : all.indexOf(anchor.current)
    setKept((before) => {
      const next = new Set(before)
      if (range && from >= 0) {
        const to = all.indexOf(id)
        for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(one)
      } else if (!next.delete(id)) next.add(id)
      return next
    })
    if (!range || from < 0) anchor.current = id
  }, [])
  const clear = useCallback(() => set([]), [set])
  return { ids, chosen, set, turn, clear, list: () => ids.filter((id) => chosen.has(id)) }
}
