import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  label: string
  close: () => void
  children: ReactNode
}

/** A panel above the bar. Esc and a click outside close it; the focus moves into it, and back to its button. */
export function Panel({ label, close, children }: Props) {
  const panel = useRef<HTMLElement>(null)
  const latestClose = useRef(close)
  latestClose.current = close
  useEffect(() => {
    const { current: box } = panel
    const opener = document.activeElement
    box?.focus({ preventScroll: true })
    const onPointerDown = (event: PointerEvent) => {
      const inside = event.target instanceof Node && box?.contains(event.target)
      const button = event.target instanceof Element && event.target.closest('[data-opener]')
      if (!inside && !button) latestClose.current()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      latestClose.current()
    }
    document.addEventListener('pointerdown', onPointerDown)
    box?.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown)
      box?.removeEventListener('keydown', onKeyDown)
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus()
    }
  }, [])
  return (
    <section ref={panel} className="player-panel" aria-label={label} tabIndex={-1} data-panel="">
      {children}
    </section>
  )
}
