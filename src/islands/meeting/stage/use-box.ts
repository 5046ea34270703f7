import { type RefObject, useEffect, useState } from 'react'

export interface Box {
  width: number
  height: number
}

/** The inner size of an element in CSS pixels, as it changes; 16 by 9 before it is known. */
export function useBox(target: RefObject<HTMLElement | null>): Box {
  const [box, setBox] = useState<Box>({ width: 16, height: 9 })
  useEffect(() => {
    const { current: element } = target
    if (!element) return undefined
    const watch = new ResizeObserver(([entry]) => {
      if (entry) setBox({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [target])
  return box
}
