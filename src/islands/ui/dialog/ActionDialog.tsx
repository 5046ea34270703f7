import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  title: string
  text?: string | undefined
  open?: boolean
  cancelLabel: string
  actionLabel: string
  isDestructive?: boolean
  isBusy?: boolean
  /** What is missing, or why the action failed. */
  error?: string | null | undefined
  onAction(): void
  onClose(): void
  children?: ReactNode
}

/** A dialog with one action, which can be canceled, and its fields. */
export function ActionDialog({
  title,
  text,
  open = true,
  cancelLabel,
  actionLabel,
  isDestructive = false,
  isBusy = false,
  error,
  onAction,
  onClose,
  children,
}: Props) {
  return (
    <Dialog
      title={title}
      text={text}
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closeLabel={cancelLabel}
      actions={(close) => (
        <>
          {close}
          <Button tone={isDestructive ? 'danger' : 'primary'} busy={isBusy} onClick={onAction}>
            {actionLabel}
          </Button>
        </>
      )}
    >
      {children && (
        <div className="grid gap-5">
          {children}
          {error && (
            <p className="field-error" role="alert">
              {error}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}
