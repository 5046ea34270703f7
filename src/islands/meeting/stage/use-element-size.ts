import { type RefObject, useEffect, useState } from 'react'

export interface ElementSize {
  width: number
  height: number
}

/** Returns the inner size of an element in CSS pixels; 16 by 9 before it is measured. */
export function useElementSize(target: RefObject<HTMLElement | null>): ElementSize {
  const [size, setBox] = useState<ElementSize>({ width: 16, height: 9 })
  useEffect(() => {
    const { current: element } = target
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setBox({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [target])
  return size
}
