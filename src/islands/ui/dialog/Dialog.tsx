import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactElement, ReactNode } from 'react'

interface Props {
  title: string
  /** The consequences of the decision; for a destructive action, what is deleted. */
  text?: ReactNode
  /** A button that opens it; without it the dialog is controlled by `open`. */
  trigger?: ReactElement<Record<string, unknown>>
  open?: boolean
  onOpenChange?: (open: boolean) => void
  closeLabel: string
  /** Buttons, the deciding one last; `close` closes without deciding. */
  actions?: (close: ReactElement) => ReactNode
  children?: ReactNode
  wide?: boolean
  /** The element to focus when it closes; by default the previously focused one. */
  focusAfter?: () => HTMLElement | null
}

/** A modal dialog. The focus moves into it; Esc and the backdrop close it, and the focus returns to the opener. */
export function Dialog({
  title,
  text,
  trigger,
  open,
  onOpenChange,
  closeLabel,
  actions,
  children,
  wide,
  focusAfter,
}: Props) {
  const close = <Base.Close className="btn">{closeLabel}</Base.Close>
  return (
    <Base.Root {...(open === undefined ? {} : { open })} onOpenChange={(next) => onOpenChange?.(next)}>
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          {...(focusAfter ? { finalFocus: focusAfter } : {})}
          className={`floating fixed top-1/2 left-1/2 z-70 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-1/2 overflow-y-auto p-6 ${wide ? 'max-w-3xl' : 'max-w-md'}`}
        >
          <Base.Title className="text-lg font-semibold">{title}</Base.Title>
          {text && <Base.Description className="mt-2 text-sm text-muted">{text}</Base.Description>}
          {children && <div className="mt-4">{children}</div>}
          <div className="mt-6 flex flex-wrap justify-end gap-2">{actions ? actions(close) : close}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
