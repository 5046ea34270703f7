import { useCallback, useMemo, useRef, useState } from 'react'

const NO_IDS: ReadonlySet<string> = new Set()

export type LessonSelection = ReturnType<typeof useLessonSelection>

/** Selected lessons. Deleted lessons leave the selection. */
export function useLessonSelection(ids: readonly string[]) {
  const [stored, setStored] = useState(NO_IDS)
  const anchor = useRef<string | null>(null)
  const latest = useRef(ids)
  latest.current = ids
  const chosen = useMemo(() => {
    const existing = new Set(ids)
    return [...stored].every((id) => existing.has(id)) ? stored : new Set([...stored].filter((id) => existing.has(id)))
  }, [ids, stored])

  const set = useCallback((selection: readonly string[]) => {
    anchor.current = selection.at(-1) ?? null
    setStored(selection.length > 0 ? new Set(selection) : NO_IDS)
  }, [])
  /** Toggles a lesson; with `range` selects all from the last toggled one. */
  const turn = useCallback((id: string, range: boolean) => {
    const allIds = latest.current
    const from = anchor.current === null ? -1 : allIds.indexOf(anchor.current)
    setStored((before) => {
      const next = new Set(before)
      if (range && from >= 0) {
        const to = allIds.indexOf(id)
        for (const lessonId of allIds.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(lessonId)
      } else if (!next.delete(id)) next.add(id)
      return next
    })
    if (!range || from < 0) anchor.current = id
  }, [])
  const clear = useCallback(() => set([]), [set])
  return { ids, chosen, set, turn, clear, list: () => ids.filter((id) => chosen.has(id)) }
}
