import { Menu as Base } from '@base-ui/react/menu'
import { useEffect, useState } from 'react'

/** An action for the selection: an item of a menu. */
export interface MenuAction {
  key: string
  label: string
  /** Its keyboard shortcut, as shown to the user. */
  keys?: string
  danger?: boolean
  href?: string
  run?: () => void
}

interface Props {
  /** Where it opens: at an element, or at the position of the pointer. */
  anchor: Element | { x: number; y: number }
  actions: readonly MenuAction[]
  label: string
  /** The focus is not moved when it closes. */
  keepsFocus?: boolean
  onClose: () => void
}

/** One menu for all rows of a list. */
export default function ActionMenu({ anchor, actions, label, keepsFocus = false, onClose }: Props) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null)
  useEffect(() => setLandmark(document.querySelector('main')), [])
  const place =
    anchor instanceof Element ? anchor : { getBoundingClientRect: () => new DOMRect(anchor.x, anchor.y, 0, 0) }
  const back = anchor instanceof HTMLElement && !keepsFocus ? { current: anchor } : false
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal container={landmark}>
        <Base.Positioner anchor={place} sideOffset={4} align="end" className="z-70">
          <Base.Popup className="floating min-w-60 p-1.5" aria-label={label} finalFocus={back}>
            {actions.map(({ key, label: word, keys, danger, href, run }) =>
              href ? (
                <Base.LinkItem key={key} href={href} className="option">
                  {word}
                </Base.LinkItem>
              ) : (
                <Base.Item key={key} onClick={run} className={danger ? 'option text-error' : 'option'}>
                  <span className="flex-1">{word}</span>
                  {keys && (
                    <span className="text-muted text-xs max-sm:hidden" aria-hidden="true">
                      {keys}
                    </span>
                  )}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
