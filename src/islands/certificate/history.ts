import { useRef, useState } from 'react'

/** Changes of one gesture are one undo step; so are those of one field within this time. */
const JOIN_MS = 800
const MAX_STEPS = 100

export interface EditHistory<T> {
  canUndo: boolean
  canRedo: boolean
  /** Records a value before it is changed; changes with the same key within a short time are one step. */
  note(before: T, key: string): void
  undo(current: T): T | null
  redo(current: T): T | null
}

/** Undo and redo of a value whose state is kept by the caller. */
export function useHistory<T>(): EditHistory<T> {
  const [past, setPast] = useState<T[]>([])
  const [future, setFuture] = useState<T[]>([])
  const last = useRef({ key: '', at: 0 })
  return {
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    note: (before, key) => {
      const now = Date.now()
      const joins = last.current.key === key && now - last.current.at < JOIN_MS
      last.current = { key, at: now }
      setFuture([])
      if (!joins) setPast((steps) => [...steps.slice(1 - MAX_STEPS), before])
    },
    undo: (current) => {
      const before = past.at(-1)
      if (before === undefined) return null
      last.current = { key: '', at: 0 }
      setPast(past.slice(0, -1))
      setFuture([...future, current])
      return before
    },
    redo: (current) => {
      const next = future.at(-1)
      if (next === undefined) return null
      last.current = { key: '', at: 0 }
      setFuture(future.slice(0, -1))
      setPast([...past, current])
      return next
    },
  }
}
